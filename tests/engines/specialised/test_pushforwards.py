"""Pushforwards as texts: names, lists in lists, named tuples, and solvers."""

from collections import namedtuple

import numpy as np
import pytest
from scipy import optimize

import chainrules as cr
from chainrules.engines.specialised.running import directions
from chainrules.engines.specialised.running.entry import specialised_after

VECTOR = np.array([0.4, -1.3, 2.2, 0.7])


def named_as_helpers(c, inside):
    c = np.exp(c * inside)
    divide = np.log(np.sum(c) + inside)
    inside = np.sqrt(divide) / c
    exp = inside[::-1] * np.array([1.0, 2.0, 3.0, 4.0])
    return np.log(np.sum(exp)) + np.sqrt(inside[1])


def test_variables_may_be_named_as_what_the_pushforward_calls():
    x, dx = (VECTOR, 1.7), (np.cos(VECTOR), 0.3)
    h = 1e-6
    ahead, behind = ([v + s * h * t for v, t in zip(x, dx, strict=True)] for s in (1.0, -1.0))
    expected = (named_as_helpers(*ahead) - named_as_helpers(*behind)) / (2.0 * h)
    with specialised_after(1, compared=True):
        for _ in range(3):
            assert np.isclose(cr.jvp(named_as_helpers, x, dx)[1], expected, rtol=1e-7)
    with specialised_after(1):
        for _ in range(3):
            cr.jvp(named_as_helpers, x, dx)
        answer = directions.pushed(named_as_helpers, "value", x, dx)
    assert answer is not None
    assert np.isclose(answer[1][0], expected, rtol=1e-7)


def held_twice(x):
    a = [1.0]
    b = [a]
    c = [b, [a]]
    c[0][0].append(x[0] * x[1])
    return a[1] * x[2] + sum(c[1][0])


def test_a_list_is_written_into_by_the_names_of_lists_that_hold_it():
    x, dx, h = VECTOR, np.cos(VECTOR), 1e-6
    expected = (held_twice(x + h * dx) - held_twice(x - h * dx)) / (2.0 * h)
    with specialised_after(1, compared=True):
        for _ in range(3):
            assert np.isclose(cr.jvp(held_twice, (x,), (dx,))[1], expected, rtol=1e-7)


Pair = namedtuple("Pair", "a b")


def of_a_minimum(p):
    """A solver that is given nothing further."""
    return optimize.minimize(lambda v: np.sum((v - p) ** 2) + v[0] ** 2, np.zeros(2)).x[0] * p


def of_named_tuples(x):
    pairs = [Pair(x[i], b=x[i + 1] * i) for i in range(3)]
    return sum(p.a * p.b for p in pairs)


@pytest.mark.parametrize(("f", "x"), [(of_a_minimum, 1.3), (of_named_tuples, VECTOR)])
def test_texts_answer_along_directions(f, x):
    dx, h = np.cos(x), 1e-5
    expected = (f(x + h * dx) - f(x - h * dx)) / (2.0 * h)
    with specialised_after(1):
        for _ in range(3):
            y = cr.jvp(f, (x,), (dx,))[1]
        assert directions.pushed(f, "value", (x,), (dx,)) is not None
    assert np.isclose(y, expected, rtol=1e-3)
