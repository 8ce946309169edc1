"""Integrands and right-hand sides that captured objects: the programs are given what these hold."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import integrate, stats
from scipy.interpolate import BSpline, CubicSpline, PchipInterpolator, PPoly, interp1d, make_interp_spline

import chainrules as cr
from chainrules.rules.scipy.integrate import integral as asked_at_points

from .compared import differences

SITES = np.linspace(0.0, 1.0, 5)
X = np.array([0.9, 0.4, 1.3, 0.8, 0.6])
V = np.array([0.3, -0.2, 0.5, 0.1, 0.4])
ELSEWHERE = np.array([0.2, 1.4, 0.5, 0.9, 1.1])


class Well:
    """Has parameters, and is called."""

    def __init__(self, depth: Any, rate: Any) -> None:
        self.depth, self.rate = depth, rate

    def __call__(self, t: Any) -> Any:
        return self.depth * np.exp(-self.rate * t)

    def slope(self, t: Any) -> Any:
        return -self.rate * self(t)


@dataclasses.dataclass(frozen=True)
class Pair:
    """Holds a number and another object."""

    scale: Any
    well: Well


def area(f: Any, low: float = 0.1, high: float = 0.9) -> Any:
    return integrate.quad(f, low, high, epsabs=1e-12)[0]


def cubic(x: Any) -> Any:
    curve = CubicSpline(SITES, x)
    return area(lambda t: curve(t) ** 2 * x[0])


def pchip(x: Any) -> Any:
    curve = PchipInterpolator(SITES, np.cumsum(x))
    return area(lambda t: np.exp(-curve(t)))


def slope_of_spline(x: Any) -> Any:
    slope = CubicSpline(SITES, x).derivative()
    return area(lambda t: slope(t) ** 2)


def table(x: Any) -> Any:
    found = interp1d(SITES, x)
    return area(lambda t: found(t) * np.exp(-t * x[1]))


def table_of_splines(x: Any) -> Any:
    found = interp1d(SITES, x, kind="cubic")
    return area(lambda t: found(t) ** 2)


def as_it_is(x: Any) -> Any:
    curve = CubicSpline(SITES, x)
    return area(lambda t: curve(t))


def b_spline(x: Any) -> Any:
    curve: BSpline = make_interp_spline(SITES, x)
    return area(lambda t: curve(t) ** 2)


def frozen(x: Any) -> Any:
    law = stats.norm(loc=x[0], scale=x[1])
    return area(lambda t: law.pdf(t) * t * x[2])


def users(x: Any) -> Any:
    well = Well(x[0], x[1])
    return area(lambda t: well(t) * well.slope(t) * x[2])


def a_dataclass(x: Any) -> Any:
    pair = Pair(x[0], Well(x[1], x[2]))
    return area(lambda t: pair.scale * pair.well(t) ** 2)


def a_tuple(x: Any) -> Any:
    pair = CubicSpline(SITES, x), x[1]
    return area(lambda t: pair[0](t) * pair[1])


def two_that_are_one(x: Any) -> Any:
    curve = CubicSpline(SITES, x)
    again = curve
    return area(lambda t: curve(t) * again(t))


def forced(x: Any) -> Any:
    curve = CubicSpline(SITES, x)
    found = integrate.solve_ivp(
        lambda t, u: [-x[0] * u[0] + curve(t)], (0.0, 1.0), [x[1]], rtol=1e-8, atol=1e-10
    )
    return found.y[0, -1]


PROGRAMS: list[Callable[[Any], Any]] = [
    as_it_is, cubic, pchip, slope_of_spline, table, table_of_splines, b_spline, frozen, users, a_dataclass,
    a_tuple, two_that_are_one, forced,
]  # fmt: skip


@pytest.mark.parametrize("f", PROGRAMS)
def test_the_points_are_answered_by_a_program(f: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    gradient = cr.grad(f)
    for x in (X, X, X, ELSEWHERE):
        assert np.allclose(gradient(x), differences(f, x), rtol=2e-5, atol=2e-6)

    def asked(*given: Any) -> Any:
        raise AssertionError("each point was left to the ordinary program")

    monkeypatch.setattr(asked_at_points, "cotangents_at", asked)
    for x in (X, ELSEWHERE):
        assert np.allclose(gradient(x), differences(f, x), rtol=2e-5, atol=2e-6)


@pytest.mark.parametrize("f", [cubic, users, a_dataclass])
def test_derivatives_of_these_derivatives(f: Any) -> None:
    for _ in range(4):
        gradient = cr.grad(f)(X)
    assert np.allclose(cr.jvp(f, (X,), (V,))[1], gradient @ V, rtol=1e-6)
    moved = [cr.grad(f)(X + h * V) for h in (1e-2, -1e-2)]
    assert np.allclose(cr.hvp(f, X, V), (moved[0] - moved[1]) / 2e-2, rtol=2e-3, atol=2e-4)


def test_second_derivatives_of_an_equation() -> None:
    def loosely(x: Any) -> Any:
        curve = CubicSpline(SITES, x)
        span = (0.0, 1.0)
        return integrate.solve_ivp(lambda t, u: [-x[0] * u[0] + curve(t)], span, [x[1]], atol=1e-3).y[0, -1]

    moved = [differences(forced, X + h * V, 1e-4) for h in (1e-3, -1e-3)]
    assert np.allclose(cr.hvp(loosely, X, V), (moved[0] - moved[1]) / 2e-3, rtol=1e-2, atol=1e-3)


class Remembering:
    """Keeps what it computed last."""

    def __init__(self, k: Any) -> None:
        self.k, self.at, self.last = k, -1.0, 0.0

    def __call__(self, t: Any) -> Any:
        if t != self.at:
            self.at, self.last = t, self.k * t
        return self.k * t


def test_an_object_that_remembers_is_refused_as_ever() -> None:
    def f(k: Any) -> Any:
        held = Remembering(k)
        return area(lambda t: held(t) ** 2)

    for _ in range(5):
        with pytest.raises(cr.AliasedMutationError):
            cr.grad(f)(1.5)


def test_an_object_that_does_not_vary_is_known() -> None:
    def made(values: Any) -> Any:
        curve = CubicSpline(SITES, values)
        return lambda k: area(lambda t: curve(t) * np.exp(-k * t))

    one, two = made(X), made(ELSEWHERE)
    for _ in range(5):
        for f in (one, two):
            assert np.isclose(cr.grad(f)(0.7), (f(0.7 + 1e-5) - f(0.7 - 1e-5)) / 2e-5, rtol=1e-6)


def test_one_that_does_not_vary_and_is_made_anew_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    def f(k: Any) -> Any:
        curve, law = CubicSpline(SITES, X), interp1d(SITES, ELSEWHERE)
        return (lambda s, p: area(lambda t: s(t) * p(t) * np.exp(-k * t)))(curve, law)

    for _ in range(25):
        assert np.isclose(cr.grad(f)(0.7), (f(0.7 + 1e-5) - f(0.7 - 1e-5)) / 2e-5, rtol=1e-6)

    def asked(*given: Any) -> Any:
        raise AssertionError("each point was left to the ordinary program")

    monkeypatch.setattr(asked_at_points, "cotangents_at", asked)
    assert np.isclose(cr.grad(f)(0.7), (f(0.7 + 1e-5) - f(0.7 - 1e-5)) / 2e-5, rtol=1e-6)


def test_an_object_that_is_an_argument() -> None:
    def f(curve: Any, k: Any) -> Any:
        return area(lambda t: curve(t) * np.exp(-k * t))

    curve, e = CubicSpline(SITES, X), np.zeros((4, 4))
    e[1] = 1.0
    bent = PPoly(e, SITES)  # the integral is linear in the coefficients
    expected = integrate.quad(lambda t: bent(t) * np.exp(-0.7 * t), 0.1, 0.9, points=SITES[1:-1])[0]
    for _ in range(5):
        by_curve, by_k = cr.grad(f, argnums=(0, 1))(curve, 0.7)
        assert np.isclose(np.sum(by_curve.c * e), expected, rtol=1e-6)
        assert np.isclose(by_k, (f(curve, 0.7 + 1e-5) - f(curve, 0.7 - 1e-5)) / 2e-5, rtol=1e-6)


def called(x: Any) -> Any:
    return area(Well(x[0], x[1])) * x[2]


def a_method(x: Any) -> Any:
    return area(Well(x[0], x[1]).slope) * x[2]


def a_spline_itself(x: Any) -> Any:
    return area(CubicSpline(SITES, x)) * x[2]


@pytest.mark.parametrize("f", [called, a_method, a_spline_itself])
def test_an_object_that_is_integrated_itself(f: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    test_the_points_are_answered_by_a_program(f, monkeypatch)
    monkeypatch.undo()
    moved = [cr.grad(f)(X + h * V) for h in (1e-2, -1e-2)]
    assert np.allclose(cr.hvp(f, X, V), (moved[0] - moved[1]) / 2e-2, rtol=2e-3, atol=2e-4)
