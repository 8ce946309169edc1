"""Calls of rules that are given several lists."""

import math

import numpy as np
import pytest
from scipy import integrate

from .compared import hold_directions, is_right

X = np.array([1.1, 0.5, 0.7, 0.3])


def distances(x):
    return math.dist([x[0], 1.0, x[1]], [0.0, x[2] * x[2], x[3]]) + math.dist([x[0], x[1]], [1.0, 2.0])


def the_same_twice(x):
    p = [x[0], x[1] * 2.0]
    q = [x[2], 1.0]
    return np.sum(np.cross([x[0], x[1], 1.0], [x[2], x[3], x[0]]) ** 2) + np.dot(p, p) * np.dot(p, q)


def an_equation(x):
    s = integrate.solve_ivp(
        lambda t, y: [x[0] * y[0] - x[1] * y[0] * y[1], -y[1] + 0.5 * y[0] * y[1]],
        (0.0, 2.0),
        [1.0, x[2]],
        rtol=1e-10,
        atol=1e-10,
        t_eval=[0.5, 1.0, 2.0],
    )
    return s.y[0] @ s.y[1] * x[3]


@pytest.mark.parametrize("f", [distances, the_same_twice])
def test_several_lists(f):
    assert is_right(f, X)
    hold_directions(f, X)


def test_an_equation_with_lists_for_its_start_and_times():
    assert is_right(an_equation, X, rtol=1e-5)
