"""What `np.vectorize` makes of functions of numbers: specialised, and right."""

import math

import numpy as np
import pytest

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after

from .compared import differences, hold_directions, is_right

X = np.array([0.3, -0.5, 0.7, 1.2])
OUTSIDE = np.vectorize(lambda v: math.sin(v) if v > 0 else v**3)


@np.vectorize
def decorated(v):
    return v * v if v > 0 else -0.5 * v


def made_inside(x):
    f = np.vectorize(lambda v: v**2 if v > 0 else -v)
    return f(x).sum()


def made_outside(x):
    return np.sum(OUTSIDE(x) * x) + decorated(x.reshape(2, 2) * x[0]).sum() + np.vectorize(math.exp)(x).sum()


def of_pairs(x):
    f = np.vectorize(lambda a, b: a * b if a > b else a - b)
    return f(x, 0.4).sum() + f(x[:, None], x).sum()


def again_and_again(x):
    k = x[0]

    def g(v):
        if v < 0:
            return k * v
        return v * v

    f = np.vectorize(g)
    y = f(x)
    for _ in range(2):
        y = f(y)
    return y.sum()


ALL = [made_inside, made_outside, of_pairs, again_and_again]


@pytest.mark.parametrize("f", ALL)
def test_gradients(f):
    assert is_right(f, X)


@pytest.mark.parametrize("f", ALL)
def test_directions(f):
    hold_directions(f, X)


def test_results_that_become_whole_numbers():
    def f(x):
        return np.vectorize(lambda v: 0 if v < 0 else v * 2.5)(x).sum()

    with specialised_after(1):
        for x in (X, X, X[::-1].copy(), np.abs(X), -np.abs(X), X):
            np.testing.assert_allclose(cr.grad(f)(x), ordinary(f, x))


def ordinary(f, x):
    with specialised_after(10**9):
        return cr.grad(f)(x)


def test_what_it_counts_is_counted_as_often():
    def f(x):
        calls = []

        def g(v):
            calls.append(v)
            return v * 2.0

        return np.vectorize(g)(x).sum() * len(calls)

    np.testing.assert_allclose(ordinary(f, X), differences(f, X), rtol=1e-6)
    is_right(f, X)


def test_infinite_entries_are_kept():
    def f(x, b):
        return np.vectorize(lambda a, b: a * 2.0 if b > 1.0 else a + b)(x, b).sum()

    with specialised_after(1):
        for b in (np.full(4, 0.5), np.full(4, 2.0), np.array([0.5, 2.0, 0.5, 2.0]), np.full(4, np.inf)):
            expected = np.where(b > 1.0, 2.0, 1.0)
            np.testing.assert_array_equal(cr.grad(f, argnums=0)(X, b), expected)


def test_whole_numbers_are_given_as_they_are():
    def f(x, b):
        return np.vectorize(lambda a, b: b * 3 if b > 1 else a * 2.5)(x, b).sum()

    with specialised_after(1):
        for b in (np.array([0, 0, 0, 0]), np.array([0, 2, 0, 2]), np.array([2, 0, 2, 0]), np.zeros(4)):
            np.testing.assert_allclose(cr.grad(f, argnums=0)(X, b), ordinary_of(f, X, b))


def ordinary_of(f, x, b):
    with specialised_after(10**9):
        return cr.grad(f, argnums=0)(x, b)
