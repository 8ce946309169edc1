"""Rules in one mode only: in the other the body is followed, and where that fails the callable is named."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import chainrules as cr


def solved(x: Any) -> Any:
    """A body that a derivative cannot be taken through."""
    return np.sin(x) + 0 * x.ctypes.data


@cr.rrule(solved)
def solved_rrule(x: np.ndarray):
    """x̄ = cos x ȳ"""

    def solved_pullback(y_bar):
        return np.cos(x) * y_bar

    return solved(x), solved_pullback


def drawn(x: Any) -> Any:
    """A body that a derivative cannot be taken through."""
    return float(str(x)) ** 2


@cr.frule(drawn)
def drawn_frule(tangents, x: float):
    """ẏ = 2x ẋ"""
    return drawn(x), 2 * x * tangents[0]


X = np.array([0.3, 0.7])


def test_a_reverse_rule_alone_is_said_so_forward() -> None:
    calls: dict[str, Callable[[], Any]] = {
        "jvp": lambda: cr.jvp(solved, (X,), (X,)),
        "inside": lambda: cr.jvp(lambda x: np.sum(solved(x) ** 2), (X,), (X,)),
        "nested": lambda: cr.jvp(lambda x: cr.jvp(solved, (x,), (x,))[1], (X,), (X,)),
        "in reverse": lambda: cr.grad(lambda x: np.sum(cr.jvp(solved, (x,), (x,))[1]))(X),
        "tape": lambda: cr.jvp(lambda x: cr.call(solved, x), (X,), (X,), engine="tape"),
    }
    for name, call in calls.items():
        with pytest.raises(cr.NoRuleError, match=r"solved has only a reverse rule") as refused:
            call()
        assert "@chainrules.frule(" in str(refused.value), name
    assert np.allclose(cr.grad(lambda x: np.sum(solved(x)))(X), np.cos(X))
    assert np.allclose(cr.hessian(lambda x: np.sum(solved(x)))(X), -np.diag(np.sin(X)))


def test_a_forward_rule_alone_is_said_so_in_reverse() -> None:
    for call in (cr.grad(drawn), cr.grad(lambda x: drawn(x) * x)):
        with pytest.raises(cr.NoRuleError, match=r"drawn has only a forward rule"):
            call(0.3)
    assert cr.derivative(drawn)(0.3) == 0.6


def test_jax_says_it() -> None:
    jax = pytest.importorskip("jax")
    big = cr.to_jax(solved)
    x = jax.numpy.asarray(X, jax.numpy.float32)
    with pytest.raises(Exception, match=r"solved has only a reverse rule"):
        jax.jvp(big, (x,), (x,))
    with pytest.raises(Exception, match=r"has only a reverse rule"):
        jax.hessian(lambda x: jax.numpy.sum(big(x)))(x)
