"""Integrals and differential equations in specialised texts, whose functions are handed on."""

import math
from typing import Any

import numpy as np
import pytest
from scipy import integrate

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after
from chainrules.engines.specialised.running.shown import text_of

from .compared import differences

P = np.array([1.5, 2.0, 0.7])


def decay(t, a, b):
    return a * np.exp(-b * t)


def predators(t, y, a, b):
    return np.array([a * y[0] - b * y[0] * y[1], y[0] * y[1] - y[1]])


def an_integral(p):
    y, _ = integrate.quad(lambda x: np.exp(-p[0] * x * x) * np.cos(p[1] * x), 0.0, p[2])
    return y


def an_integral_of_floats(p):
    return integrate.quad(lambda x: math.exp(-p[0] * x * x), 0.0, p[2])[0] * p[1]


def an_integral_by_arguments(p):
    return integrate.quad(decay, 0.0, p[2], args=(p[0], p[1]))[0] * p[1]


def an_equation(p):
    found = integrate.solve_ivp(
        predators, (0.0, 1.0), np.array([1.0, p[2]]), args=(p[0], p[1]), rtol=1e-9, atol=1e-11
    )
    return np.sum(found.y[:, -1] ** 2)


def an_equation_at_times(p):
    found = integrate.solve_ivp(
        lambda t, y: np.array([y[1], -p[0] * y[0] - p[1] * y[1]]),
        (0.0, 1.0),
        np.array([1.0, p[2]]),
        t_eval=np.linspace(0.0, 1.0, 6),
        rtol=1e-9,
        atol=1e-11,
    )
    return np.sum(found.y[0] ** 2)


def cube_root(a):
    x = 1.0
    for _ in range(60):
        x = x - (x**3 - a) / (3.0 * x * x)
    return x


def a_solution_of_ones_own(p):
    return cr.implicit.root(lambda x, a: x**3 - a, cube_root(p[0]), p[0]) * p[1]


@pytest.mark.parametrize(
    "f",
    [
        *(an_integral, an_integral_of_floats, an_integral_by_arguments),
        *(an_equation, an_equation_at_times, a_solution_of_ones_own),
    ],
    ids=lambda f: str(f.__name__),
)
def test_gradients(f: Any) -> None:
    with specialised_after(1, compared=True):
        for k in range(3):
            cr.grad(f)(P + 0.01 * k)
    with specialised_after(1):
        for _ in range(3):
            found = cr.grad(f)(P)
        assert text_of(f)
    np.testing.assert_allclose(found, differences(f, P, 1e-4), rtol=2e-3, atol=1e-4)
