"""JAX's functions inside our programs: both modes and both orders against differences."""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pytest

import chainrules as cr

jax = pytest.importorskip("jax", reason="JAX is not installed: chainrules[jax]")
jnp = pytest.importorskip("jax.numpy")


class Pair(NamedTuple):
    first: Any
    second: Any


@dataclass
class Line:
    slope: Any
    offset: Any


jax.tree_util.register_dataclass(Line, ["slope", "offset"], [])

X = np.array([0.3, -1.2, 2.1])
Z = np.array([1.0 + 2.0j, 0.3 - 0.2j])


@pytest.fixture(autouse=True)
def _double() -> Any:
    with jax.enable_x64(True):
        yield


def elementwise(x: Any) -> Any:
    return jnp.sin(x) * x


def of_dict(d: Any, n: Any) -> Any:
    return {"a": jnp.exp(d["x"]) * n, "b": (jnp.arange(3), [d["y"] * d["x"]])}


def of_line(line: Any, x: Any) -> Any:
    return Pair(line.slope * x + line.offset, jnp.sum(line.slope**3))


wrapped = {f: cr.from_jax(f) for f in (elementwise, of_dict, of_line)}
mixed = cr.from_jax(lambda z: jnp.exp(z) * jnp.conj(z) * z)
clipped = cr.from_jax(lambda x, low, *, high: jnp.clip(x, low, high) ** 2)


def in_dict(x: Any, y: Any) -> Any:
    r = wrapped[of_dict]({"x": x, "y": y}, 3)
    return np.sum(r["a"] * r["b"][1][0]) + r["b"][0][1]


def in_line(line: Any, x: Any) -> Any:
    pair = wrapped[of_line](line, x)
    return np.sum(np.tanh(pair.first)) * pair.second


PROGRAMS: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    (lambda x: np.sum(wrapped[elementwise](x) ** 2), (X,)),
    (lambda t: wrapped[elementwise](t) * t, (0.7,)),
    (in_dict, (X, 2.0)),
    (lambda z: np.sum(np.abs(mixed(z))), (Z,)),
    (mixed, (Z,)),
    (lambda x: clipped(x, -0.5, high=1.5), (X,)),
]


@pytest.mark.parametrize(("program", "x"), PROGRAMS)
def test_a_program(program: Callable[..., Any], x: tuple[Any, ...]) -> None:
    cr.testing.check_grads(program, *x, order=2)


def test_objects_in_and_out() -> None:
    """Forward over forward through a class is refused by the engine, so the second order is in reverse."""
    cr.testing.check_grads(in_line, Line(X, 0.5), X + 1.0, order=1)
    cr.testing.check_grads(in_line, Line(X, 0.5), X + 1.0, order=2, modes=("rev",))


def test_it_computes_with_numpy() -> None:
    y = wrapped[elementwise](X)
    np.testing.assert_allclose(y, np.sin(X) * X)
    assert type(y) is np.ndarray
    assert y.flags.writeable
    assert isinstance(wrapped[elementwise](0.5), np.float64)


def test_it_passes_the_check_of_rules() -> None:
    cr.testing.check_rule(wrapped[elementwise], X)


def test_a_value_that_is_no_array_is_refused() -> None:
    with pytest.raises(cr.UnsupportedArgument, match="neither an array"):
        cr.from_jax(lambda x: (x, "name"))(X)


def test_inside_a_compiled_program_it_is_refused() -> None:
    f = cr.to_jax(lambda x: wrapped[elementwise](x) * 2.0)
    np.testing.assert_allclose(f(X), 2 * np.sin(X) * X)
    with pytest.raises(Exception, match="inside a program that JAX has compiled"):
        jax.jit(f)(X).block_until_ready()


class Held:
    def __init__(self, x: Any) -> None:
        self.x = x


@pytest.mark.parametrize(
    ("of", "x", "says"),
    [
        (lambda d: jnp.sum(d["x"] ** 2), OrderedDict(x=X), "OrderedDict is a constant to JAX"),
        (lambda held: jnp.sum(held.x**2), Held(X), "Held is a constant to JAX"),
        (lambda n: jnp.sum(n * n), np.array([1, 2]), "whole numbers"),
        (lambda n: n * 2.0, 3, "whole numbers"),
    ],
)
def test_what_does_not_move_there_has_no_derivative_of_zero(of: Any, x: Any, says: str) -> None:
    f = cr.from_jax(of)
    with pytest.raises(cr.ChainRulesError, match=says):
        cr.grad(lambda x: f(x))(x)
    vector, unravel = cr.ravel(cr.zero_tangent(x))
    with pytest.raises(cr.ChainRulesError, match=says):
        cr.jvp(f, (x,), (unravel(np.ones_like(vector)),))


def test_the_tape_calls_them_by_their_rule() -> None:
    cr.testing.check_grads(lambda x: np.sum(wrapped[elementwise](2 * x) * x), X, engine="tape")
