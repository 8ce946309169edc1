"""How roots and minima move by their programs: as by the ordinary rules, of one unknown and of several."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import optimize

import chainrules as cr
from chainrules.engines.specialised.running import roots
from chainrules.engines.specialised.running.entry import Settings


def start(n: int | None) -> Any:
    return 0.3 if n is None else np.full(n, 0.3)


def root(n: int | None, shift: Any) -> Any:
    """A program that solves for a number, or for so many, and captures a shift."""

    def residual(x: Any, a: Any, b: Any) -> Any:
        return a * x + x**3 - np.sin(b[0]) - b[1] * shift

    def f(a: Any, b: Any) -> Any:
        if n is None:
            return optimize.brentq(residual, -3.0, 3.0, args=(a, b), xtol=1e-14) ** 2
        return np.sum(optimize.root(residual, start(n), args=(a, b), tol=1e-13).x ** 2)

    return f


def minimum(n: int | None, shift: Any) -> Any:
    """The same of a minimum."""

    def objective(x: Any, a: Any, b: Any) -> Any:
        return np.sum(0.5 * a * x**2 + 0.25 * x**4 - x * np.sin(b[0]) - b[1] * shift * x)

    def slope(x: Any, a: Any, b: Any) -> Any:
        return a * x + x**3 - np.sin(b[0]) - b[1] * shift

    def f(a: Any, b: Any) -> Any:
        if n is None:
            return optimize.minimize_scalar(objective, args=(a, b), tol=1e-12).x ** 2
        options = {"gtol": 1e-6}
        found = optimize.minimize(objective, start(n), args=(a, b), jac=slope, options=options)
        return np.sum(found.x**2)

    return f


@pytest.mark.parametrize("make", [root, minimum])
@pytest.mark.parametrize("n", [None, 1, 2, 7])
def test_parameters_and_what_is_captured(make, n):
    if make is minimum and n is not None and n > 1:
        shift: Any = np.linspace(0.5, 1.0, n)
    else:
        shift = 0.7
    near = 1e-6 if make is minimum and n is None else 1e-9  # a line search knows half of the digits
    for k in range(3 + 2 * Settings.runs):
        a, b = 1.5 + 0.1 * k, np.array([0.8, 0.4 - 0.05 * k])
        made = cr.value_and_grad(make(n, shift), (0, 1))(a, b)
        Settings.on = False
        try:
            wanted = cr.value_and_grad(make(n, shift), (0, 1))(a, b)
        finally:
            Settings.on = True
        np.testing.assert_allclose(made[0], wanted[0])
        for mine, other in zip(made[1], wanted[1], strict=True):
            np.testing.assert_allclose(mine, other, rtol=near)
            assert np.shape(mine) == np.shape(other)


@pytest.mark.parametrize("n", [None, 1, 3])
def test_a_root_of_several_numbers_each(n):
    """x³ = c, of which dx/dc is 1/(3 x²)."""

    def f(c: Any) -> Any:
        if n is None:
            return optimize.brentq(lambda x: x**3 - c, 0.1, 3.0, xtol=1e-14)
        return np.sum(optimize.root(lambda x: x**3 - c, np.ones(n), tol=1e-13).x)

    for k in range(3 + 2 * Settings.runs):
        c = 2.0 + k if n is None else np.linspace(1.0, 2.0, n) + k
        np.testing.assert_allclose(cr.grad(f)(c), np.cbrt(c) ** -2 / 3.0, rtol=1e-10)


def test_more_parameters_than_are_computed_with_the_hessian():
    """x is twice the mean of the parameters, of which there are many."""

    def f(theta: Any) -> Any:
        found = optimize.minimize(
            lambda x: np.sum((x - 2.0 * np.mean(theta)) ** 2), np.zeros(3), options={"gtol": 1e-11}
        )
        return np.sum(found.x)

    theta = np.linspace(0.0, 1.0, 3000)
    for _ in range(3 + 2 * Settings.runs):
        np.testing.assert_allclose(cr.grad(f)(theta), np.full(3000, 6.0 / 3000), rtol=1e-8)


def two(x: Any, a: Any, b: Any, m: Any) -> Any:
    u, v = x
    return [u + a * v - b[0], v**2 * m[0, 1] - b[1] * u - m[1, 0]]


def three(x: Any, a: Any, b: Any, m: Any) -> Any:
    if x[0] > 50.0:
        return x * 0.0
    return np.array([3.0 * x[0] + a * x[1] - b[0], x[1] + x[2] ** 3 - b[1] * x[0], x[2] - m[0, 1] * x[1]])


def contracted(x: Any, a: Any, b: Any, m: Any) -> Any:
    return np.array([0.3 * np.sin(x[1] * a) + b[0], 0.2 * x[0] * m[0, 1] + b[1]])


@pytest.mark.parametrize("captured", [False, True])
@pytest.mark.parametrize("f", [two, three, contracted])
def test_few_unknowns_by_rows(f: Any, captured: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    used, rows = [], roots.OfRoot.by_rows

    def noted(self: Any) -> Any:
        found = rows(self)
        used.append(found is not None)
        return found

    monkeypatch.setattr(roots.OfRoot, "by_rows", noted)
    given = 0.4, np.array([0.9, 0.3]), np.array([[1.0, 0.7], [0.2, 1.0]])

    def solved(a: Any, b: Any, m: Any) -> Any:
        if f is contracted:
            x = optimize.fixed_point(lambda x: f(x, a, b, m), np.ones(2), xtol=1e-13)
        elif captured:
            x = optimize.fsolve(lambda x: f(x, a, b, m), np.ones(2 if f is two else 3), xtol=1e-13)
        else:
            x = optimize.fsolve(f, np.ones(2 if f is two else 3), args=(a, b, m), xtol=1e-13)
        return np.sum(np.sin(x) * np.arange(1.0, len(x) + 1))

    for k in range(2 * Settings.runs):
        x: Any = [v + 0.02 * k for v in given]
        found = cr.grad(solved, (0, 1, 2))(*x)
        for i, v in enumerate(x):
            for j in range(np.size(v)):
                step = (1e-6 * np.eye(np.size(v))[j]).reshape(np.shape(v))[()]
                near, far = (solved(*[*x[:i], v + s * step, *x[i + 1 :]]) for s in (1, -1))
                assert np.ravel(found[i])[j] == pytest.approx((near - far) / 2e-6, rel=1e-5, abs=1e-7)
    assert used[-1] or f is not two  # those of arrays may cost less by columns
