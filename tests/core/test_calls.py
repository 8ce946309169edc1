"""How operators call an engine: by what it has, and in one run where it can."""

import numpy as np
import pytest

import chainrules as cr
from chainrules.core.calls import forward_of, reverse_of


class Plain:
    """The two methods that an engine must have."""

    def value_and_pullback(self, f, *x, **kwargs):
        return f(*x, **kwargs), lambda y_bar: tuple(2.0 * y_bar for _ in x)

    def value_and_pushforward(self, f, *x, **kwargs):
        return f(*x, **kwargs), lambda *dx: 2.0 * dx[0]


class Fused(Plain):
    """One that can do more."""

    def reverse(self, f, x, kwargs, needs):
        return f(*x, **kwargs), lambda y_bar: needs

    def jvp(self, f, x, dx, kwargs):
        return f(*x, **kwargs), ("fused", *dx)


def square(x: float) -> float:
    return x * x


def test_reverse() -> None:
    y, pullback = reverse_of(square, (3.0,), {}, (True,), Plain())
    assert (y, pullback(1.0)) == (9.0, (2.0,))
    assert reverse_of(square, (3.0,), {}, (False,), Fused())[1](1.0) == (False,)


def test_forward() -> None:
    assert forward_of(square, (3.0,), (0.5,), {}, Plain()) == (9.0, 1.0)
    assert forward_of(square, (3.0,), (0.5,), {}, Fused()) == (9.0, ("fused", 0.5))


def test_tangents_are_brought_into_the_space_of_their_primals() -> None:
    _, (_, dx) = forward_of(np.sum, (np.ones(2, np.float32),), (np.array([1 + 1j, 2.0]),), {}, Fused())
    assert dx.dtype == np.float32
    assert dx.tolist() == [1.0, 2.0]
    assert forward_of(np.sum, (np.ones(2),), (cr.Zero(),), {}, Fused())[1][1] is cr.Zero()


def test_one_tangent_for_each_primal() -> None:
    with pytest.raises(cr.ShapeMismatch, match="1 primals and 2 tangents"):
        forward_of(square, (3.0,), (0.5, 0.5), {}, Plain())
