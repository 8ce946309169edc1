"""Whole programs through an engine that is not ours: right ones pass, wrong orders are found."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from chainrules.core import Engine
from chainrules.tangents import Composite, materialize
from chainrules.testing import check_grads

autograd = pytest.importorskip("autograd")
anp: Any = autograd.numpy
getval = autograd.tracer.getval
X = np.array([0.5, -1.2, 2.0])


def plain(t: Any, like: Any) -> Any:
    """A tangent as autograd has it: zeros written out, tuples plain."""
    while autograd.tracer.isbox(like):
        like = getval(like)
    t = materialize(t, like=like)
    return tuple(map(plain, t, like)) if isinstance(t, Composite) else t


class Borrowed:
    """HIPS autograd, through the protocol of an engine."""

    def value_and_pullback(self, f: Callable[..., Any], *x: Any, **kwargs: Any) -> Any:
        pullback, y = autograd.core.make_vjp(lambda args: f(*args, **kwargs), autograd.builtins.tuple(x))
        return y, lambda y_bar: pullback(plain(y_bar, y))

    def value_and_pushforward(self, f: Callable[..., Any], *x: Any, **kwargs: Any) -> Any:
        along = autograd.core.make_jvp(lambda args: f(*args, **kwargs), autograd.builtins.tuple(x))
        return f(*x, **kwargs), lambda *dx: along(autograd.builtins.tuple(map(plain, dx, x)))[1]


class Scaled(Borrowed):
    """Wrong by one part in a thousand, in the last argument."""

    def value_and_pullback(self, f: Callable[..., Any], *x: Any, **kwargs: Any) -> Any:
        y, pullback = super().value_and_pullback(f, *x, **kwargs)
        return y, lambda y_bar: (*pullback(y_bar)[:-1], 1.001 * pullback(y_bar)[-1])


@autograd.extend.primitive  # type: ignore[untyped-decorator]  # autograd publishes no types
def square(x: Any) -> Any:
    return x**2


# the value without its derivative: right at first order only
autograd.extend.defvjp(square, lambda y, x: lambda g: g * (x + getval(x)))
autograd.extend.defjvp(square, lambda g, y, x: g * 2 * x)


@pytest.mark.parametrize(
    ("f", "x"),
    [
        (lambda x: anp.sum(anp.sin(x) * x), (X,)),
        (lambda x, y: anp.exp(x) * y**2, (X, 0.5)),
        (lambda a, b: anp.dot(a, b), (np.ones((2, 3)) + X, X)),
    ],
)
def test_a_right_program_passes_to_second_order(f, x):
    assert isinstance(Borrowed(), Engine)
    check_grads(f, *x, engine=Borrowed())


def test_third_order_in_reverse():
    check_grads(lambda x: anp.sum(anp.sin(x) ** 2), X, order=3, modes=("rev",), engine=Borrowed())


def test_a_wrong_engine_is_found():
    with pytest.raises(AssertionError, match=r"reverse against differences, argument 1"):
        check_grads(lambda t, x: t + x * 2.0, 1.0, X, order=1, engine=Scaled())


def test_right_at_first_order_and_wrong_at_second():
    def f(x: Any) -> Any:
        return anp.sum(square(x))

    check_grads(f, X, order=1, engine=Borrowed())
    check_grads(f, X, order=2, modes=("fwd",), engine=Borrowed())
    with pytest.raises(AssertionError, match=r"after rev.*(against differences|adjoint)"):
        check_grads(f, X, order=2, engine=Borrowed())


def test_a_mode_that_does_not_exist():
    with pytest.raises(ValueError, match="backwards"):
        check_grads(lambda x: x, 1.0, modes=("backwards",), engine=Borrowed())
