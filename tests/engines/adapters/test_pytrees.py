"""Objects of declared types are trees to JAX and PyTorch: their leaves are what is differentiated."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pytest

import chainrules as cr
from chainrules.engines.adapters.pytrees import Kept, leaves_of, like_kept


@cr.differentiable_type
@dataclass
class Layer:
    """Weights, and how they are used."""

    weight: np.ndarray
    bias: np.ndarray
    power: int = cr.no_derivative(3)


@cr.differentiable_type
@dataclass(frozen=True)
class Net:
    """A declared type in another, beside an array without derivative."""

    first: Layer
    scale: float
    mask: np.ndarray = cr.no_derivative()


@cr.differentiable_type
class Line(NamedTuple):
    """Of two numbers."""

    slope: float
    offset: float


RNG = np.random.default_rng(0)
WEIGHT, BIAS, X = RNG.normal(size=(2, 2)), RNG.normal(size=2), RNG.normal(size=(4, 2))
MASK = np.array([1.0, 0.0])


def loss(net: Any, x: Any) -> Any:
    """A number of all fields."""
    layer = net.first
    return np.sum(np.tanh(x @ layer.weight + layer.bias) ** layer.power * net.mask) * net.scale


def curvature(net: Any, x: Any) -> Any:
    """The squared norm of a part of the gradient."""
    return np.sum(cr.grad(loss)(net, x).first.weight ** 2)


def test_a_declared_type_is_an_argument_of_jaxs_operators() -> None:
    jax = pytest.importorskip("jax")
    with jax.enable_x64(True) if hasattr(jax, "enable_x64") else jax.experimental.enable_x64():
        weight, bias, x = (jax.numpy.asarray(a) for a in (WEIGHT, BIAS, X))
        net, plain = Net(Layer(weight, bias), 0.7, MASK), Net(Layer(WEIGHT, BIAS), 0.7, MASK)
        f = cr.to_jax(loss)
        want = cr.grad(loss)(plain, X)
        for gradient in (jax.grad(f), jax.jit(jax.grad(f))):
            got = gradient(net, x)
            assert (type(got), type(got.first), got.first.power) == (Net, Layer, 3)
            np.testing.assert_allclose(got.first.weight, want.first.weight, rtol=1e-12)
            np.testing.assert_allclose(got.first.bias, want.first.bias, rtol=1e-12)
            np.testing.assert_allclose(got.scale, want.scale, rtol=1e-12)
        second = jax.grad(lambda n: jax.numpy.sum(jax.grad(f)(n, x).first.weight ** 2))(net)
        np.testing.assert_allclose(second.first.weight, cr.grad(curvature)(plain, X).first.weight, rtol=1e-10)


def test_a_declared_type_is_an_argument_of_torchs_operators() -> None:
    torch = pytest.importorskip("torch")
    weight, bias, x = (torch.tensor(a) for a in (WEIGHT, BIAS, X))
    scale = torch.tensor(0.7, dtype=torch.float64)
    net, plain = Net(Layer(weight, bias), scale, MASK), Net(Layer(WEIGHT, BIAS), 0.7, MASK)
    f = cr.to_torch(loss)
    got, want = torch.func.grad(f)(net, x), cr.grad(loss)(plain, X)
    assert (type(got), type(got.first), got.first.power) == (Net, Layer, 3)
    np.testing.assert_allclose(got.first.weight, want.first.weight, rtol=1e-12)
    np.testing.assert_allclose(got.scale, want.scale, rtol=1e-12)
    second = torch.func.grad(lambda n: (torch.func.grad(f)(n, x).first.weight ** 2).sum())(net)
    np.testing.assert_allclose(second.first.bias, cr.grad(curvature)(plain, X).first.bias, rtol=1e-10)


def test_what_the_user_made_known_stays() -> None:
    jax = pytest.importorskip("jax")

    @cr.differentiable_type
    @dataclass
    class Own:
        a: float
        b: float

    jax.tree_util.register_pytree_node(Own, lambda o: ((o.a,), o.b), lambda b, a: Own(a[0], b))
    cr.to_jax(loss)
    assert jax.tree_util.tree_leaves(Own(1.0, 2.0)) == [1.0]


def test_types_declared_later_are_known_from_the_next_function_on() -> None:
    jax = pytest.importorskip("jax")
    cr.to_jax(loss)

    @cr.differentiable_type
    @dataclass
    class Later:
        a: float

    cr.to_jax(loss)
    assert jax.tree_util.tree_leaves(Later(1.0)) == [1.0]


@pytest.mark.parametrize("x", [Net(Layer(WEIGHT, BIAS), 0.7, MASK), Layer(WEIGHT, BIAS, 2), Line(1.0, 2.0)])
def test_leaves_and_what_is_kept_make_the_object_again(x: Any) -> None:
    leaves, kept = leaves_of(x)
    again = like_kept(kept, leaves)
    assert type(again) is type(x)
    assert leaves_of(again)[1] == kept
    assert all(a is b for a, b in zip(leaves_of(again)[0], leaves, strict=True))
    strange = [object() for _ in leaves]
    assert leaves_of(like_kept(kept, strange))[0] == strange


def test_two_are_of_one_structure_where_what_they_keep_is_equal() -> None:
    def kept(mask: Any) -> Kept:
        return leaves_of(Net(Layer(WEIGHT, BIAS), 0.7, mask))[1]

    mask = MASK.copy()
    before = kept(mask)
    assert before == kept(MASK.copy())
    assert hash(before) == hash(kept(MASK.copy()))
    assert before != kept(MASK[::-1])
    assert before != kept(MASK.astype(np.float32))
    mask[0] = 5.0  # what a structure says does not change with the object
    assert before == kept(MASK)
    assert before != kept(mask)
    assert leaves_of(Layer(WEIGHT, BIAS, 2))[1] != leaves_of(Layer(WEIGHT, BIAS, 3))[1]
