"""Functions, bound methods and partials: what they stored has tangents, and they move with it."""

from collections.abc import Callable
from functools import partial
from types import FunctionType
from typing import Any

import numpy as np
import pytest

from chainrules.tangents import (
    NO_TANGENT,
    ChainRulesError,
    Composite,
    MismatchedPrimalError,
    canonicalize,
    difference,
    fields,
    inner,
    move,
    project_to,
    ravel,
    zero_tangent,
)


def line(slope: Any, shift: Any) -> Callable[..., Any]:
    def f(x: float, scale: float = 1.0) -> Any:
        """A line."""
        return slope * x * scale + shift[0]

    return f


def nested(a: float) -> Callable[[float], float]:
    inner = line(a, (1.0,))
    return lambda x: 2 * inner(x)


def power(n: float) -> Callable[[int], float]:
    def f(k: int) -> float:
        return n * f(k - 1) if k else 1.0

    return f


class Layer:
    def __init__(self, w: Any) -> None:
        self.w = w

    def apply(self, x: float) -> Any:
        return self.w * x

    def remember(self) -> "Layer":
        self.kept = self.apply
        return self


Method = type(Layer(1.0).apply)
FUNCTIONS = [
    (line(2.0, (1.0, "a")), {"slope": 2.0, "shift": (1.0, "a")}, line(3.0, (2.0, "a"))),
    (nested(2.0), None, nested(3.0)),
    (power(2.0), {"n": 2.0}, power(3.0)),
    (Layer(2.0).apply, None, Layer(3.0).apply),
    (partial(pow, 2.0), {"func": pow, "args": (2.0,), "keywords": {}}, partial(pow, 3.0)),
    (partial(line(2.0, (1.0,)), scale=2.0), None, partial(line(3.0, (2.0,)), scale=3.0)),
]


@pytest.mark.parametrize(("f", "stored", "g"), FUNCTIONS)
def test_functions_move_with_what_they_stored(f: Any, stored: Any, g: Any) -> None:
    assert stored is None or fields(f) == stored
    step = difference(g, f)
    assert type(step) is Composite[type(f)]
    moved = move(f, step)
    assert type(moved) is type(f)
    assert moved(3) == g(3) != f(3)
    vector, unravel = ravel(f)
    assert unravel(vector)(3) == f(3)
    assert np.array_equal(unravel(ravel(g)[0])(3), g(3))
    assert inner(zero_tangent(f), step) == 0.0
    assert canonicalize(project_to(f)(step), like=f) == step


def test_a_moved_function_is_otherwise_the_same() -> None:
    f = line(2.0, (1.0,))
    f.__dict__["mark"] = "mine"
    moved: Any = move(f, Composite[FunctionType](slope=1.0))
    assert (moved.__name__, moved.__doc__, moved.__defaults__, moved.mark) == ("f", "A line.", (1.0,), "mine")
    assert (f(1.0), moved(1.0)) == (3.0, 4.0)


def test_what_was_captured_is_projected() -> None:
    f = line(np.float32(2.0), (1.0,))
    t = project_to(f)(Composite[FunctionType](slope=1.0 + 1j, elsewhere=3))
    assert t.slope.dtype == np.float32
    assert t.elsewhere == 3
    with pytest.raises(MismatchedPrimalError, match="method"):
        project_to(f)(Composite[Method](__self__=1.0))


def test_a_cotangent_is_of_what_was_captured_when_it_was_called() -> None:
    slope: Any = 2.0

    def f(x: float) -> Any:
        return slope * x

    project = project_to(f)
    slope = None
    assert project(Composite[FunctionType](slope=3)).slope == 3.0


@pytest.mark.parametrize("f", [len, np.sum, line, Layer, Layer.apply, lambda x: np.sin(x), [].append])
def test_functions_that_stored_no_numbers_have_no_tangent(f: Any) -> None:
    assert zero_tangent(f) is NO_TANGENT
    assert f is np.sum or difference(f, f) is NO_TANGENT  # which has attributes, none of them a number
    assert ravel(f)[0].size == 0


@pytest.mark.parametrize(
    ("f", "g"),
    [
        (len, max),
        (line(1.0, (1.0,)), power(1.0)),
        (Layer(1.0).apply, Layer(1.0).remember),
        (partial(pow, 1.0), partial(max, 1.0)),
        (partial(pow, 1.0), partial(pow, 1.0, 2.0)),
    ],
)
def test_different_functions_do_not_differ_by_a_tangent(f: Any, g: Any) -> None:
    with pytest.raises(ChainRulesError, match="cannot be perturbed"):
        difference(f, g)


def test_a_method_that_its_object_keeps_belongs_to_the_object() -> None:
    layer = Layer(2.0).remember()
    assert zero_tangent(layer) == Composite[Layer](w=0.0)
    assert ravel(layer)[0].tolist() == [2.0]
    assert move(layer, Composite[Layer](w=1.0)).w == 3.0


def test_a_variable_that_is_not_bound_yet_is_no_field() -> None:
    def make() -> Any:
        def f() -> float:
            return later * now

        now = 2.0
        moved = move(f, Composite[FunctionType](now=1.0))
        later = 1.0
        return f, moved

    f, moved = make()
    assert fields(f) == {"now": 2.0, "later": 1.0}
    assert fields(moved) == {"now": 3.0}
