"""Minima within bounds: programs of all variables, along those that are free."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import optimize

import chainrules as cr
from chainrules.core import NotDifferentiableError
from chainrules.engines.specialised.running import sites
from chainrules.engines.specialised.running.entry import Settings

from .compared import by_ordinary

LOADS = np.array([0.3, -0.8, 0.05, 1.2])


def energy(x: Any, loads: Any, stiffness: Any) -> Any:
    return np.sum(stiffness * x**2 + x**4 / 4 - 0.3 * x * np.roll(x, 1) - loads * x)


def slope(x: Any, loads: Any, stiffness: Any) -> Any:
    return 2 * stiffness * x + x**3 - 0.3 * (np.roll(x, 1) + np.roll(x, -1)) - loads


def found(start: Any, loads: Any, stiffness: Any, bounds: Any) -> Any:
    options = {"ftol": 1e-15, "gtol": 1e-12}
    return optimize.minimize(
        lambda v: energy(v, loads, stiffness),
        start,
        jac=lambda v: slope(v, loads, stiffness),
        method="L-BFGS-B",
        bounds=bounds,
        options=options,
    ).x


def by_loads(p: Any) -> Any:
    x = found(np.zeros(len(p)), p, 1.0 + p**2, [(-0.2, 0.3)] * len(p))
    return np.sum(x**2 * np.arange(1.0, len(p) + 1)) + x[0]


def by_arguments(p: Any) -> Any:
    bounds = [(-0.2, 0.3)] * len(p)
    x = optimize.minimize(energy, 0.0 * p, (p, 1.0), jac=slope, method="TNC", bounds=bounds, tol=1e-13).x
    return np.sum(x**3)


def by_bounds(p: Any) -> Any:
    x = found(np.full(4, 0.1), p, 1.0, [(-0.1 - v**2, 0.3 + 0.1 * v) for v in p])
    return np.sum(x**3) + x[1] * x[3]


def by_whole_numbers(p: Any) -> Any:
    return np.sum(np.exp(found(np.full(len(p), 0.1), p, 1.0, [(0, 3)] * len(p))))


def of_squares(p: Any) -> Any:
    t = np.linspace(0.0, 2.0, 9)
    fit = optimize.least_squares(
        lambda q: q[0] * t + q[1] * t**2 + q[2] - np.exp(p[0] * t) * p[3],
        np.array([0.5, 0.5, 0.5]),
        bounds=([-1.0, 0.1, 0.2], [2.0, 3.0, 4.0]),
        xtol=1e-14,
        ftol=1e-14,
        gtol=1e-14,
    )
    return np.sum(fit.x**2)


def differences(f: Any, p: Any, step: float = 1e-4) -> Any:
    return np.array([(f(p + e) - f(p - e)) / (2 * step) for e in step * np.eye(len(p))])


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    noted: list[Any] = []
    call = sites.SiteWithin.__call__

    def noting(self: Any, *leaves: Any) -> Any:
        noted.append(call(self, *leaves))
        return noted[-1]

    monkeypatch.setattr(sites.SiteWithin, "__call__", noting)
    return noted


@pytest.mark.parametrize("f", [by_loads, by_arguments, by_bounds, by_whole_numbers, of_squares])
def test_a_site_answers_at_other_arguments(f: Any, answers: list[Any]) -> None:
    both = cr.value_and_grad(f)
    for _ in range(2 * Settings.runs + 4):
        both(LOADS)
    assert answers
    assert answers[-1] is not None
    held_and_free = (LOADS, LOADS[::-1] * 0.7, 0.01 * LOADS + 0.02, 5.0 * LOADS, np.full(4, 0.11))
    for p in held_and_free:
        value, gradient = both(p)
        np.testing.assert_allclose(value, f(p), rtol=1e-6)
        np.testing.assert_allclose(gradient, differences(f, p), rtol=1e-4, atol=1e-6)
        np.testing.assert_allclose(gradient, by_ordinary(f, p), rtol=1e-7, atol=1e-9)


def test_all_are_free_or_held() -> None:
    gradient = cr.grad(by_loads)
    for _ in range(2 * Settings.runs + 4):
        gradient(LOADS)
    for p in (np.full(4, 0.02), np.full(4, 9.0), np.array([9.0, 0.02, 9.0, 9.0]), np.full(4, -9.0)):
        np.testing.assert_allclose(gradient(p), differences(by_loads, p), rtol=1e-4, atol=1e-6)


def test_many_variables() -> None:
    p = np.random.default_rng(0).normal(size=260)
    gradient = cr.grad(by_loads)
    for _ in range(2 * Settings.runs + 4):
        mine = gradient(p)
    np.testing.assert_allclose(mine, by_ordinary(by_loads, p), rtol=1e-7, atol=1e-7)
    e = 1e-4 * np.cos(np.arange(260.0))
    np.testing.assert_allclose(mine @ e, (by_loads(p + e) - by_loads(p - e)) / 2, rtol=1e-3)


def test_directions_and_second_derivatives() -> None:
    v = np.array([0.4, -0.2, 0.9, 0.1])
    gradient = cr.grad(by_loads)
    for _ in range(2 * Settings.runs + 4):
        gradient(LOADS)
    np.testing.assert_allclose(
        cr.jvp(by_loads, (LOADS,), (v,))[1], differences(by_loads, LOADS) @ v, rtol=1e-4
    )
    along = [gradient(LOADS + t * v) for t in (1e-3, -1e-3)]
    np.testing.assert_allclose(cr.hvp(by_loads, LOADS, v), (along[0] - along[1]) / 2e-3, rtol=1e-2, atol=1e-3)


def test_a_multiplier_of_zero_is_refused() -> None:
    def f(p: Any) -> Any:
        return optimize.minimize(
            lambda x: np.sum((x - p) ** 2), np.full(2, 0.4), bounds=[(0.0, 1.0)] * 2, tol=1e-14
        ).x[1]

    gradient = cr.grad(f)
    for _ in range(2 * Settings.runs + 4):
        np.testing.assert_allclose(gradient(np.array([0.5, 0.7])), [0.0, 1.0], atol=1e-12)
    with pytest.raises(NotDifferentiableError, match="variable 1 of the minimum is at its bound"):
        gradient(np.array([0.5, 1.0]))
    np.testing.assert_allclose(gradient(np.array([0.5, 2.0])), [0.0, 0.0], atol=1e-12)


def test_a_hessian_that_is_given() -> None:
    def f(p: Any) -> Any:
        return optimize.minimize(
            lambda x: np.sum((x - p) ** 2 + 0.1 * x**4),
            np.full(3, 0.1),
            method="trust-constr",
            jac=lambda x: 2 * (x - p) + 0.4 * x**3,
            hess=lambda x: np.diag(2 + 1.2 * x**2),
            bounds=[(-0.5, 0.5)] * 3,
            tol=1e-12,
        ).x[0]

    gradient = cr.grad(f)
    for p in (np.array([0.1, 0.2, 0.3]), np.array([0.1, 0.2, 3.0])):
        for _ in range(2 * Settings.runs + 4):
            mine = gradient(p)
        x = f(p)
        np.testing.assert_allclose(mine, [2 / (2 + 1.2 * x**2), 0.0, 0.0], rtol=1e-5, atol=1e-9)
