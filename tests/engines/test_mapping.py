"""`vmap`: the values are those of a loop, and so are the derivatives."""

from collections import namedtuple

import numpy as np
import pytest

import chainrules as cr

rng = np.random.default_rng(0)
A, B, V = rng.normal(size=(4, 3, 2)), rng.normal(size=(2, 4)), rng.normal(size=2)
Pair = namedtuple("Pair", ["first", "second"])


def test_a_loop_along_the_first_axis():
    assert np.allclose(cr.vmap(lambda a: a.T @ a)(A), np.stack([a.T @ a for a in A]))


def test_axes_of_arguments_and_of_the_value():
    mapped = cr.vmap(lambda a, b, v: a @ (b * v), in_axes=(0, 1, None), out_axes=1)
    assert np.allclose(mapped(A, B, V), np.stack([A[i] @ (B[:, i] * V) for i in range(4)], axis=1))
    assert np.allclose(cr.vmap(np.sum, in_axes=-1)(A), A.sum(axis=(0, 1)))


@pytest.mark.parametrize("f", [np.multiply, np.arctan2, np.hypot])
def test_a_ufunc_is_called_once(f):
    x, y = rng.normal(size=(4, 3, 2)), rng.normal(size=(2, 4))
    expected = np.stack([f(x[i], y[:, i]) for i in range(4)])
    assert np.allclose(cr.vmap(f, in_axes=(0, 1))(x, y), expected)
    assert np.allclose(cr.vmap(f, in_axes=(None, 0))(3.0, y), f(3.0, y))
    calls = np.stack([f(np.ones(5), v) for v in y[0]])
    assert np.allclose(cr.vmap(f, in_axes=(None, 0))(np.ones(5), y[0]), calls)


def test_containers_are_mapped_in_every_part():
    def f(p, pair):
        return {"sum": p["a"] + np.sum(p["b"][0]), "pair": Pair(pair.second, [pair.first])}

    p, pair = {"a": B[0], "b": (B.T,)}, Pair(np.arange(4.0), B.T)
    made = cr.vmap(f)(p, pair)
    assert np.allclose(made["sum"], B[0] + B.sum(axis=0))
    assert isinstance(made["pair"], Pair)
    assert np.allclose(made["pair"].second[0], np.arange(4.0))


def test_gradients_for_each_sample():
    def loss(w, x, y):
        return np.sum((w * x - y) ** 2)

    w, x, y = rng.normal(size=3), rng.normal(size=(5, 3)), rng.normal(size=(5, 3))
    each = cr.vmap(cr.grad(loss), in_axes=(None, 0, 0))(w, x, y)
    assert np.allclose(each, 2 * (w * x - y) * x)
    gradients = cr.vmap(cr.grad(lambda p, t: p["a"] * t**2), in_axes=(None, 0))({"a": 2.0}, np.arange(3.0))
    assert np.allclose(gradients["a"], [0.0, 1.0, 4.0])


@pytest.mark.parametrize("engine", ["source", "tape"])
@pytest.mark.parametrize("f", [np.sin, lambda v: np.sin(v) * 2.0])
def test_it_is_differentiated_in_both_modes(f, engine):
    factor = 1.0 if f is np.sin else 2.0
    x = rng.normal(size=(3, 2))
    gradient = cr.grad(lambda x: np.sum(cr.vmap(f)(x) ** 2), engine=engine)(x)
    assert np.allclose(gradient, 2 * factor**2 * np.sin(x) * np.cos(x))
    _, moved = cr.jvp(cr.vmap(f), (x,), (np.ones_like(x),), engine=engine)
    assert np.allclose(moved, factor * np.cos(x))


def test_second_derivatives():
    x = rng.normal(size=3)
    h = cr.hessian(lambda x: np.sum(cr.vmap(lambda v: v**3)(x)))(x)
    assert np.allclose(h, np.diag(6 * x))


def test_what_cannot_be_mapped_is_refused():
    with pytest.raises(cr.ShapeMismatch, match="lengths 4, 2"):
        cr.vmap(lambda a, b: a)(A, B)
    for axes, x, said in (
        (None, (A,), "nothing is mapped"),
        ((0,), (A, B), "2 positional arguments"),
        (5, (A,), "no axis 5"),
        (0, (np.ones((0, 2)),), "empty"),
        (0, (1.0,), "no axis 0"),
    ):
        with pytest.raises(cr.UnsupportedArgument, match=said):
            cr.vmap(lambda *x: x[0], in_axes=axes)(*x)
