"""Directions through solvers and integrals: by the programs of their pullbacks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import integrate, optimize
from scipy.interpolate import CubicSpline

import chainrules as cr
from chainrules.core import implicit
from chainrules.rules.scipy.integrate import along as of_integrands
from chainrules.rules.scipy.integrate.across import Across

from .compared import differences

P = np.array([1.3, 0.7])
V = np.array([0.3, 1.0])
PLACES = [P, P, P, P, P + 0.2, np.array([0.4, 2.0]), P - 0.1]


def crossing(p: Any) -> Any:
    return optimize.brentq(lambda x: x**3 + p[0] * x - p[1], 0.0, 5.0, xtol=1e-13) * p[1]


def given(p: Any) -> Any:
    return optimize.newton(lambda x, a: x**3 + a * x - p[1], 1.0, args=(p[0],), tol=1e-13)


def several(p: Any) -> Any:
    def residual(x: Any) -> Any:
        return np.array([x[0] ** 3 + p[0] * x[0] - p[1], x[1] + np.sin(x[0] * p[0])])

    return np.prod(optimize.root(residual, np.array([0.5, 0.1]), tol=1e-12).x)


def lowest(p: Any) -> Any:
    def objective(x: Any) -> Any:
        return (x[0] - p[0]) ** 4 + (x[0] - p[0]) ** 2 + (x[1] - p[1] * x[0]) ** 2

    return np.sum(optimize.minimize(objective, np.array([0.5, 0.1]), tol=1e-7).x)


def fixed(p: Any) -> Any:
    start = np.array([0.4])
    return np.sum(optimize.fixed_point(lambda x: np.cos(x * p[0]) * p[1], start, xtol=1e-12))


def captured(p: Any) -> Any:
    return integrate.quad(lambda t: np.exp(-p[0] * t) * p[1], 0.0, 1.0)[0] * p[0]


def limits(p: Any) -> Any:
    return integrate.quad(lambda t, a: np.sin(a * t), p[1], 2.0 * p[0], args=(p[0],))[0]


def of_a_spline(p: Any) -> Any:
    curve = CubicSpline([0.0, 0.4, 0.7, 1.0], np.array([0.1, p[0], 1.0, 2.0 * p[1]]))
    return optimize.brentq(lambda t: curve(t) - 0.3 * p[0], 0.0, 0.4) + area_under(curve, p)


def area_under(curve: Any, p: Any) -> Any:
    return integrate.quad(lambda t: curve(t) * np.exp(-p[0] * t), 0.0, 1.0)[0]


def of_a_still_spline(p: Any) -> Any:
    curve = CubicSpline([0.0, 0.4, 0.7, 1.0], [0.1, 0.4, 1.0, 0.2])
    return area_under(curve, p) * p[1]


PROGRAMS: list[Callable[[Any], Any]] = [crossing, given, several, lowest, fixed, captured, limits]
PROGRAMS += [of_a_spline, of_a_still_spline]


@pytest.mark.parametrize("f", PROGRAMS)
def test_directions_are_those_of_differences(f: Callable[[Any], Any]) -> None:
    for p in PLACES:
        y, dy = cr.jvp(f, (p,), (V,))
        assert y == f(p)
        assert np.isclose(dy, differences(f, p) @ V, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("f", PROGRAMS)
def test_a_direction_needs_no_pushforward(f: Callable[[Any], Any], monkeypatch: pytest.MonkeyPatch) -> None:
    for p in PLACES[:4]:
        cr.jvp(f, (p,), (V,))

    def asked(*given: Any) -> Any:
        raise AssertionError("the ordinary pushforward was asked")

    monkeypatch.setattr(implicit, "as_vectors", asked)
    monkeypatch.setattr(implicit, "as_number", asked)
    monkeypatch.setattr(of_integrands, "forward_of", asked)
    assert np.isclose(cr.jvp(f, (P,), (V,))[1], differences(f, P) @ V, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("f", [crossing, several, captured])
def test_directions_of_directions(f: Callable[[Any], Any]) -> None:
    for p in PLACES[:5]:
        second = cr.jvp(lambda x: cr.jvp(f, (x,), (V,))[1], (p,), (V,))[1]
        h = 1e-4
        moved = [cr.jvp(f, (p + s * V,), (V,))[1] for s in (h, -h)]
        assert np.isclose(second, (moved[0] - moved[1]) / (2 * h), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("f", [captured, limits, of_a_still_spline])
def test_products_with_hessians_of_integrals(
    f: Callable[[Any], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    for p in PLACES:
        h = 1e-4
        moved = [cr.grad(f)(p + s * V) for s in (h, -h)]
        assert np.allclose(cr.hvp(f, p, V), (moved[0] - moved[1]) / (2 * h), rtol=1e-5, atol=1e-6)

    def asked(*given: Any) -> Any:
        raise AssertionError("the ordinary pushforward was asked")

    before = cr.hvp(f, P, V)
    monkeypatch.setattr(of_integrands, "forward_of", asked)
    assert np.allclose(cr.hvp(f, P, V), before)


@pytest.mark.parametrize("f", [captured, limits, of_a_still_spline])
def test_hessians_of_integrals(f: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for p in PLACES:
        moved = [(cr.grad(f)(p + e) - cr.grad(f)(p - e)) / 2e-4 for e in 1e-4 * np.eye(2)]
        assert np.allclose(cr.hessian(f)(p), moved, rtol=1e-5, atol=1e-6)

    calls: list[int] = []
    call = Across.__call__

    def counted(*given: Any) -> Any:
        calls.append(1)
        return call(*given)

    monkeypatch.setattr(Across, "__call__", counted)
    cr.hessian(f)(P)
    assert len(calls) <= 10  # for structure, and at limits that move; two rows have 30 points and more


def test_a_direction_in_which_nothing_moves() -> None:
    for _ in range(5):
        assert cr.jvp(lambda p, q: crossing(p) * q, (P, 2.0), (np.zeros(2), 1.0))[1] == crossing(P)


def test_arrays_of_whole_numbers_may_move() -> None:
    def area(whole: Any, b: Any) -> Any:
        return integrate.quad(lambda t: np.sum(whole * b) * t, 0.0, 1.0)[0]

    def root(whole: Any, b: Any) -> Any:
        return optimize.brentq(lambda x: x - np.sum(whole * b), 0.0, 9.0)

    whole, b = np.array([1, 2]), np.array([1.5, 2.0])
    for _ in range(6):
        assert np.isclose(cr.jvp(area, (whole, b), (np.ones(2), np.zeros(2)))[1], 0.5 * np.sum(b))
        assert np.isclose(cr.jvp(root, (whole, b), (np.ones(2), np.zeros(2)))[1], np.sum(b))
