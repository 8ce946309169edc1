"""Tuples made of comprehensions, lists and arrays, and methods of ufuncs, in specialised programs."""

import numpy as np
import pytest
from tests.engines.specialised.compared import hold_directions, is_right

import chainrules as cr

X = np.array([0.7, 1.3, -0.4])


def runge_kutta(x):
    def slope(y):
        return (y[1], -np.sin(y[0]) * x[0] - x[1] * y[1])

    def moved(y, k, h):
        return tuple(a + h * b for a, b in zip(y, k, strict=True))

    y = (x[2], 0.0)
    for _ in range(4):
        k = slope(y)
        k = slope(moved(y, k, 0.1))
        y = tuple(a + 0.2 * b for a, b in zip(y, k, strict=True))
    return y[0] ** 2 + y[1]


def of_an_array(x):
    a, b, c = tuple(v * v for v in x)
    whole = tuple(x)
    for _ in range(3):
        whole = tuple(map(lambda v, w: v * w + 0.1, whole, whole[1:] + whole[:1]))
    return a * b + c + sum(whole)


def of_a_list(x):
    grown = []
    for i in range(3):
        grown.append(x[i] * x[0])
    first, *rest = tuple(grown)
    y = (x[2], 0.0)
    for _ in range(3):
        a, b = y
        y = tuple([a + 0.1 * b, b - 0.1 * a])  # noqa: C409  a tuple of a list, as people write it
    return first * rest[0] + rest[1] ** 2 + y[0] * y[1]


def outer_products(x):
    apart = np.abs(np.subtract.outer(np.arange(3), np.arange(3)))
    return np.sum(apart * np.multiply.outer(x, x)) + np.sum(np.subtract.outer(x, x**2) ** 3)


def repeated(x):
    square = np.outer(x, x)
    modes, here = ("same",) * square.ndim, (slice(None),) * (square.ndim - 1) + (slice(1, None),)
    column = np.reshape(square[here], (-1,) + (1,) * (len(modes) - 1))
    return np.sum(column**2) * (2.0 if modes[-1] == "same" else 3.0)


def sliced(x):
    first, every = slice(0, len(x) - 1), slice(None, None, 2)
    made = np.zeros_like(x)
    made[first] = x[1:] * x[first]
    return np.sum(made * x) + np.prod(x[every])


def by_name(x):
    total = 0.0
    for f in (np.sin, np.cosh):
        total += np.sum(f(x)) * (2.0 if f.__name__ == "sin" else 3.0)
    return total


def reduced(x):
    running = np.maximum.accumulate(x) * x + np.add.accumulate(x) ** 2
    return np.add.reduce(x * x) * np.multiply.reduce(x) + np.sum(running)


PROGRAMS = [runge_kutta, of_an_array, of_a_list, outer_products, repeated, sliced, by_name]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_programs(f):
    assert is_right(f, X)
    hold_directions(f, X)


def test_methods_of_ufuncs_by_their_rules():
    is_right(reduced, X)
    hold_directions(reduced, X)


def test_as_many_items_as_were_seen():
    def product(x):
        a = tuple(v * v for v in x)
        return a[0] * a[-1]

    assert is_right(product, X)
    assert is_right(product, np.array([0.7, 1.3, -0.4, 2.0]))


def test_a_tuple_that_is_repeated_more_often():
    def f(x, n):
        return np.sum(x) * len(("a",) * n)

    for n in (2, 2, 2, 2, 3, 2, 0):
        np.testing.assert_allclose(cr.grad(f)(X, n), np.full(3, float(n)))
