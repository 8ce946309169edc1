"""Cotangents that nobody needs are not computed: in our own engines, counted where a rule computes them."""

from functools import partial
from typing import Any

import numpy as np
import pytest

import chainrules as cr

X, C = np.array([1.0, 2.0, -0.5]), np.array([3.0, 0.5, 1.0])
counts: dict[str, int] = {}


def _counted(name: str, y_bar: Any, other: Any) -> Any:
    counts[name] += 1
    return y_bar * other


def lazy(a, b):
    """A product, whose rule leaves both cotangents to be computed on demand."""
    return a * b


@cr.rrule(lazy)
def lazy_rrule(a: np.ndarray, b: np.ndarray):
    def lazy_pullback(y_bar):
        counts["pullbacks"] += 1
        return tuple(cr.Thunk(partial(_counted, n, y_bar, v)) for n, v in (("a", b), ("b", a)))

    return a * b, lazy_pullback


def asking(a, b):
    """A product, whose rule asks what is needed."""
    return a * b


@cr.rrule(asking)
def asking_rrule(a: np.ndarray, b: np.ndarray, *, needs):
    def asking_pullback(y_bar):
        counts["pullbacks"] += 1
        others = zip("ab", (b, a), needs, strict=True)
        return tuple(_counted(n, y_bar, v) if need else cr.Zero() for n, v, need in others)

    return a * b, asking_pullback


def constant(f, x, y):
    return np.sum(f(x, C))


def cut(f, x, y):
    return np.sum(f(x, cr.stop_gradient(x)))


def in_steps(f, x, y):
    return np.sum(f(x, np.floor(x))) + np.sum(f(x, np.round(x, 1)))


def ordered(f, x, y):
    return np.sum(f(x, 1.0 * np.argsort(x)))


def other_argument(f, x, y):
    return np.sum(f(x, y))


def of_two_calls(f, x, y):
    return np.sum(f(f(x, y), y))


def in_a_loop(f, x, y):
    for _ in range(2):
        x = f(x, y)
    return np.sum(x)


def unused(f, x, y):
    f(y, x)
    z = f(x, x)
    return np.sum(x * 2.0) + 0 * len(z)


CASES = {
    constant: 1,
    cut: 1,
    in_steps: 2,
    ordered: 1,
    other_argument: 1,
    of_two_calls: 2,
    in_a_loop: 2,
    unused: 0,
}


@pytest.mark.parametrize("engine", ["source", "tape"])
@pytest.mark.parametrize("f", [lazy, asking])
@pytest.mark.parametrize("program", CASES)
def test_reverse(program, f, engine):
    counts.update(pullbacks=0, a=0, b=0)
    called = f if engine == "source" else lambda *x: cr.call(f, *x)
    x_bar = cr.grad(lambda x: program(called, x, C), engine=engine)(X)
    assert counts["pullbacks"] == counts["a"] == CASES[program]
    stepped = program is in_steps and (f is asking or engine == "tape")  # seen where the rule runs
    assert counts["b"] == 2 * stepped
    wanted = cr.grad(lambda x: program(np.multiply, x, C))(X)
    np.testing.assert_allclose(x_bar, wanted)
