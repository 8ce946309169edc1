"""Objects of SciPy in functions that are handed to a solver, made by the program or standing outside."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import integrate, optimize, stats
from scipy.interpolate import CubicSpline, PchipInterpolator, interp1d

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after

X = np.array([0.9, 0.4, -0.3, -0.8, -0.6])
SITES = np.linspace(0.0, 1.0, 5)
OUTSIDE = CubicSpline(SITES, np.sin(3.0 * SITES))


def differences(f: Any, x: Any) -> Any:
    return np.array([(f(x + e) - f(x - e)) / 2e-5 for e in 1e-5 * np.eye(5)])


def root(x: Any) -> Any:
    curve = PchipInterpolator(SITES, np.cumsum(np.exp(x)))
    return optimize.brentq(lambda s: curve(s) - curve(0.5) - 0.1, 0.0, 1.0, xtol=1e-13)


def equation(x: Any) -> Any:
    curve = CubicSpline(SITES, x)
    return optimize.fsolve(lambda p: p**3 + p - curve(0.3), 1.0, xtol=1e-12)[0] * x[1]


def integral(x: Any) -> Any:
    table = interp1d(SITES, x)
    return integrate.quad(lambda s: table(s) * np.exp(-s), 0.0, 0.25, epsabs=1e-12)[0]


def nested(x: Any) -> Any:
    curve = CubicSpline(SITES, x)

    def scaled(s: Any) -> Any:
        return curve(s) * x[1]

    return integrate.quad(lambda s: scaled(s) * np.exp(-s), 0.1, 0.9, epsabs=1e-12)[0]


def forced(x: Any) -> Any:
    found = integrate.solve_ivp(
        lambda s, u: -x[0] * u + OUTSIDE(s) * x[1], (0.0, 1.0), [1.0], rtol=1e-11, atol=1e-12
    )
    return found.y[0, -1]


PROGRAMS: list[Callable[[Any], Any]] = [root, equation, integral, nested, forced]


@pytest.mark.parametrize("f", PROGRAMS)
def test_what_a_solver_is_handed_may_hold_them(f: Any) -> None:
    met: list[str] = []
    with specialised_after(1, compared=True, met=met):
        for k in range(2):
            x = X * (1.0 + 0.05 * k)
            np.testing.assert_allclose(cr.grad(f)(x), differences(f, x), rtol=1e-5, atol=1e-6)
    assert met == []
    with specialised_after(1):
        for k in range(4):
            x = X * (1.0 + 0.05 * k)
            np.testing.assert_allclose(cr.grad(f)(x), differences(f, x), rtol=1e-5, atol=1e-6)


def test_a_frozen_distribution_that_is_handed_on() -> None:
    def moment(x: Any) -> Any:
        law = stats.norm(x[0], 1.0)
        return integrate.quad(lambda s: law.pdf(s) * s**2, -8.0, 8.0)[0]

    met: list[str] = []
    with specialised_after(1, compared=True, met=met):
        for _ in range(2):
            np.testing.assert_allclose(cr.grad(moment)(X)[0], 2.0 * X[0], rtol=1e-6)
    assert not met
