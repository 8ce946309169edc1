"""The operators, each derivative held to differences: for programs of which it once was not known.

`rightly.grad(f)(x)` is `cr.grad(f)(x)`, once it agrees with differences of f on copies of x. A function that
changes what it captured, or a global variable, gets that back by `again`.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np

import chainrules as cr

from .fuzzing import dense


def _nothing() -> None:
    pass


def slope(f: Any, x: tuple[Any, ...], dx: Any, again: Callable[[], None], h: float = 1e-6) -> Any:
    """The differences of f in its first argument."""
    found = []
    for step in (h, -h):
        again()
        first, *rest = copy.deepcopy(x)
        found.append(np.asarray(f(first + step * dx, *rest), float))
    again()
    return (found[0] - found[1]) / (2.0 * h)


def _ones(x: Any) -> Any:
    return np.ones_like(x) if isinstance(x, np.ndarray) else 1.0


def grad(f: Any, again: Callable[[], None] = _nothing) -> Any:
    """`cr.grad(f)`, along ones."""

    def checked(*x: Any) -> Any:
        at = copy.deepcopy(x)
        expected = slope(f, at, _ones(at[0]), again)
        found = cr.grad(f)(*x)
        again()
        np.testing.assert_allclose(np.sum(dense(found, at[0])), expected, rtol=1e-5, atol=1e-6)
        return found

    return checked


def derivative(f: Any, again: Callable[[], None] = _nothing) -> Any:
    """`cr.derivative(f)`."""

    def checked(x: Any) -> Any:
        return jvp(f, (x,), (1.0,), again)[1]

    return checked


def jvp(f: Any, x: Any, dx: Any, again: Callable[[], None] = _nothing) -> Any:
    """`cr.jvp(f, x, dx)`, where the first argument alone moves."""
    expected = slope(f, x, dx[0], again)
    y, dy = cr.jvp(f, x, dx)
    again()
    np.testing.assert_allclose(dense(dy, expected), expected, rtol=1e-5, atol=1e-6)
    return y, dy


def hvp(f: Any, x: Any, v: Any, again: Callable[[], None] = _nothing) -> Any:
    """`cr.hvp(f, x, v)`, held to differences of the gradient."""
    expected = slope(lambda x: dense(cr.grad(f)(x), x), (x,), v, again, 1e-5)
    found = cr.hvp(f, x, v)
    again()
    np.testing.assert_allclose(dense(found, x), expected, rtol=1e-4, atol=1e-5)
    return found


def hessian(f: Any, again: Callable[[], None] = _nothing) -> Any:
    """`cr.hessian(f)`, along ones."""

    def checked(x: Any, *rest: Any) -> Any:
        given = copy.deepcopy(rest)
        expected = slope(lambda x, *r: dense(cr.grad(f)(x, *r), x), (x, *given), _ones(x), again, 1e-5)
        found = cr.hessian(f)(x, *rest)
        again()
        np.testing.assert_allclose(found @ _ones(x), expected, rtol=1e-4, atol=1e-5)
        return found

    return checked


def or_refused(run: Callable[[], Any]) -> None:
    """A derivative that is right, or refused with what to do next."""
    try:
        run()
    except cr.ChainRulesError as error:
        assert "next: " in str(error)  # noqa: PT017  a refusal is one of two answers
