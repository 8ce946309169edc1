# ruff: noqa: B023  functions capture variables of loops
"""Functions that are defined in a loop, capture what changes in it, and are called before it does."""

from typing import Any

import numpy as np
import pytest
from scipy import optimize

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after

from .compared import differences, hold_directions, is_right

X = np.random.default_rng(9).normal(size=6)


def by_a_lambda(x):
    total = 0.0
    for k in range(4):
        w = x[k] * 2.0
        f = lambda t: w * t + k  # noqa: E731
        total = total + f(x[k + 1]) * f(1.0)
    return total


def in_branches(x):
    total, state = 0.0, x
    for k, v in enumerate(x):
        scale = np.sin(v)

        def f(t):
            return t * scale + v

        if k % 2:
            for u in x[:2]:
                total = total + f(u)
        else:
            total = total - sum(f(u) for u in x[:k]) + max([f(u) for u in x[3:]])
        state = state * f(0.3)
    return total + np.sum(state)


def of_a_solver(x):
    total = 0.0
    for k in range(3):
        a = x[k] ** 2 + 0.5
        root = optimize.brentq(lambda t: t**3 + a * t - 1.0, -3.0, 3.0)
        residual = lambda t: t**3 + a * t - x[k + 1]  # noqa: E731
        total = total + root * optimize.brentq(residual, -5.0, 5.0)
    return total


@pytest.mark.parametrize("f", [by_a_lambda, in_branches, of_a_solver])
def test_functions_of_one_turn(f):
    assert is_right(f, X)
    hold_directions(f, X)


def kept(x):
    fs = []
    for k in range(3):
        f = lambda t: t * x[k]  # noqa: E731
        fs.append(f)
    return sum(f(x[k + 3]) for k, f in enumerate(fs))


def called_later(x):
    f: Any = None
    total, w = 0.0, x[0]
    for k in range(3):
        if f is not None:
            total = total + f(x[1])
        w = w * x[k + 1]
        f = lambda t: t * w + k  # noqa: E731
    return total + f(x[2])


def changed_before_the_call(x):
    total = 0.0
    for k in range(3):
        w = x[k]
        f = lambda t: t * w  # noqa: E731
        w = w * 2.0 + x[5]
        total = total + f(x[k + 1])
    return total


def gone_through_later(x):
    total = 0.0
    for k in range(3):
        w = x[k]
        f = lambda t: t * w  # noqa: E731
        items = (f(v) for v in x[:2])
        w = x[k + 1]
        total = total + sum(items)
    return total


@pytest.mark.parametrize("f", [kept, called_later, changed_before_the_call, gone_through_later])
def test_functions_that_see_later_values_do(f):
    with specialised_after(1, compared=True):
        for k in range(4):
            x = X + 0.1 * k
            np.testing.assert_allclose(cr.grad(f)(x), differences(f, x), rtol=1e-6, atol=1e-8)
