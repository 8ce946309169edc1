"""`np.piecewise` with conditions and functions that are written out."""

import numpy as np
import pytest

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after
from chainrules.engines.specialised.running.shown import text_of

from .compared import differences, hold_directions, is_right

X = np.array([-1.3, 0.4, 0.9, -0.2, 2.1, 0.05])


def squares(t):
    return t**2


def by_functions(x):
    return np.sum(np.piecewise(x, [x < -0.5, x > 0.5], [lambda t: t * t * x[0], np.sin, 0.3]) ** 2)


def one_for_each(x):
    w = x[1]

    def scaled(t):
        return t * w

    y = np.piecewise(x * 2.0, (x < 0.0, (x >= 0.0) & (x < 1.0), x >= 1.0), (scaled, squares, -1))
    return np.sum(y * x)


def overlapping(x):
    return np.sum(np.piecewise(x, [x > 0.0, x > 1.0], [np.exp, np.cos, lambda t: t * 3.0]))


def of_a_matrix(x):
    A = np.outer(x, x)
    return np.sum(np.piecewise(A, [A > 0.0], [np.sqrt, 0.0]))


@pytest.mark.parametrize("f", [by_functions, one_for_each, overlapping, of_a_matrix])
def test_pieces(f):
    assert is_right(f, X)
    hold_directions(f, X)


def least(t):
    return t - np.min(t) ** 2


def not_of_nothing(x):
    return np.sum(np.piecewise(x, [x > 1.0], [least, squares]))


def test_a_function_is_not_asked_of_nothing():
    with specialised_after(1):
        for shift in (0.0, 0.0, -3.0, 0.0, 5.0, -3.0, 0.0):
            x = X + shift
            np.testing.assert_allclose(cr.grad(not_of_nothing)(x), differences(not_of_nothing, x), rtol=1e-6)
    assert text_of(not_of_nothing)


@pytest.mark.parametrize("x", [0.4, -1.0, 2.0])
def test_of_a_number(x):
    def f(x):
        return np.piecewise(x, [x < 0.0, x > 1.0], [lambda t: t**3, np.sin, lambda t: t * 2.0]) * 1.0

    with specialised_after(1):
        for _ in range(4):
            slope = (f(x + 1e-6) - f(x - 1e-6)) / 2e-6
            np.testing.assert_allclose(cr.grad(f)(x), slope, rtol=1e-6)
