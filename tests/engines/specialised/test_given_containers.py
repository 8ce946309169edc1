"""Dictionaries, lists and objects that solvers are given as further arguments of their functions."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import integrate, optimize
from scipy.interpolate import CubicSpline

import chainrules as cr

from .compared import differences, refuse_solvers_the_ordinary_program

X, ELSEWHERE = np.array([1.3, 0.7]), np.array([0.9, 1.1])
V = np.array([0.3, -0.8])
SITES = np.linspace(0.0, 1.0, 5)


@dataclasses.dataclass
class Pair:
    k: Any
    m: Any


def by_name(x: Any) -> Any:
    return {"k": x[0], "m": x[1]}


def decay(t: Any, p: Any) -> Any:
    return p["k"] * np.exp(-p["m"] * t)


def cubic(z: Any, p: Any) -> Any:
    return z**3 + p["k"] * z - p["m"]


def system(z: Any, p: Any) -> Any:
    return np.array([z[0] ** 3 + p["k"] * z[1] - p["m"], z[1] - p["m"] * z[0] ** 2])


def well(z: Any, p: Any) -> Any:
    return (z[0] - p["k"]) ** 2 + (z[1] - p["m"] * z[0]) ** 2


def an_integral(x: Any) -> Any:
    return integrate.quad(decay, 0.0, 1.0, args=(by_name(x),), epsabs=1e-12)[0]


def of_a_list(x: Any) -> Any:
    return integrate.quad(lambda t, p, c: p[0] * np.exp(-p[1] * t) * c, 0.0, 1.0, args=([x[0], x[1]], x[0]))[
        0
    ]


def of_an_object(x: Any) -> Any:
    return integrate.quad(lambda t, p: p.k * np.exp(-p.m * t), 0.0, 1.0, args=(Pair(x[0], x[1]),))[0]


def of_a_spline(x: Any) -> Any:
    curve = CubicSpline(SITES, x[0] * SITES**2 + x[1])
    return integrate.quad(lambda t, c: c(t) ** 2, 0.0, 1.0, args=(curve,))[0]


def an_equation(x: Any) -> Any:
    found = integrate.solve_ivp(
        lambda t, y, p: [-p["k"] * y[0] + p["m"] * y[1], p["k"] * y[0] - 2 * p["m"] * y[1]],
        (0.0, 1.0), [1.0, 0.5], args=(by_name(x),), rtol=1e-9, atol=1e-11,
    )  # fmt: skip
    return np.sum(found.y[:, -1])


def by_odeint(x: Any) -> Any:
    times = np.linspace(0.0, 1.0, 4)
    return np.sum(
        integrate.odeint(lambda y, t, p: [-p["k"] * y[0] * p["m"]], [1.0], times, args=(by_name(x),))
    )


def a_crossing(x: Any) -> Any:
    return optimize.brentq(cubic, 0.0, 5.0, args=(by_name(x),), xtol=1e-13)


def by_root_scalar(x: Any) -> Any:
    return optimize.root_scalar(cubic, args=(by_name(x),), bracket=(0.0, 5.0), xtol=1e-13).root


def by_newton(x: Any) -> Any:
    return optimize.newton(cubic, 0.5, args=(by_name(x),), tol=1e-12)


def a_root(x: Any) -> Any:
    return np.sum(optimize.root(system, [0.5, 0.5], args=(by_name(x),), tol=1e-12).x)


def by_fsolve(x: Any) -> Any:
    return np.sum(optimize.fsolve(system, [0.5, 0.5], args=(by_name(x),), xtol=1e-12))


def a_minimum(x: Any) -> Any:
    found = optimize.minimize(well, np.array([0.5, 0.5]), args=(by_name(x),), tol=1e-8)
    return np.sum(found.x) * (1.0 + found.fun)


def with_a_hessian(x: Any) -> Any:
    def slope(z: Any, p: Any) -> Any:
        r = z[1] - p["m"] * z[0]
        return np.array([2 * (z[0] - p["k"]) - 2 * p["m"] * r, 2 * r])

    def curvature(z: Any, p: Any) -> Any:
        return np.array([[2 + 2 * p["m"] ** 2, -2 * p["m"]], [-2 * p["m"], 2.0]])

    given = {"method": "Newton-CG", "jac": slope, "hess": curvature, "tol": 1e-10}
    return np.sum(optimize.minimize(well, np.array([0.5, 0.5]), args=(by_name(x),), **given).x)


def by_squares(x: Any) -> Any:
    found = optimize.least_squares(
        lambda z, p: np.array([z[0] - p["k"], z[1] - p["m"] * z[0], 0.01 * z[0]]), np.array([0.5, 0.5]),
        args=(by_name(x),), xtol=1e-12, ftol=1e-12, gtol=1e-12,
    )  # fmt: skip
    return np.sum(found.x)


PROGRAMS: list[Callable[[Any], Any]] = [
    an_integral, of_a_list, of_an_object, of_a_spline, an_equation, by_odeint, a_crossing, by_root_scalar,
    by_newton, a_root, by_fsolve, a_minimum, with_a_hessian, by_squares,
]  # fmt: skip


@pytest.mark.parametrize("f", PROGRAMS)
def test_a_program_answers(f: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for x in (X, X, X, X, ELSEWHERE):
        assert np.allclose(cr.grad(f)(x), differences(f, x, 1e-5), rtol=5e-5, atol=5e-6)
    refuse_solvers_the_ordinary_program(monkeypatch)
    for x in (X, ELSEWHERE):
        assert np.allclose(cr.grad(f)(x), differences(f, x, 1e-5), rtol=5e-5, atol=5e-6)


@pytest.mark.parametrize("f", [an_integral, of_an_object, an_equation, a_crossing, a_root, a_minimum])
def test_derivatives_of_these_derivatives(f: Any) -> None:
    for _ in range(4):
        gradient = cr.grad(f)(X)
        assert np.allclose(cr.jvp(f, (X,), (V,))[1], gradient @ V, rtol=1e-5)
    moved = [cr.grad(f)(X + h * V) for h in (1e-3, -1e-3)]
    for _ in range(3):
        assert np.allclose(cr.hvp(f, X, V), (moved[0] - moved[1]) / 2e-3, rtol=2e-3, atol=2e-4)


def test_an_event_of_a_dictionary() -> None:
    def ends(t: Any, y: Any, p: Any) -> Any:
        return y[0] - p["m"]

    def f(x: Any) -> Any:
        found = integrate.solve_ivp(
            lambda t, y, p: [-p["k"] * y[0]], (0.0, 3.0), [1.0], args=(by_name(x),), events=ends,
            rtol=1e-9, atol=1e-11,
        )  # fmt: skip
        return found.t_events[0][0] + found.y[0, -1]

    for _ in range(4):
        assert np.allclose(cr.grad(f)(X), differences(f, X, 1e-5), rtol=1e-5)


def test_a_dictionary_that_is_changed_afterwards() -> None:
    def f(x: Any) -> Any:
        p = by_name(x)
        y = integrate.quad(decay, 0.0, 1.0, args=(p,))[0]
        p["k"] = 5.0 * x[1]
        return y * p["k"]

    for x in (X, X, X, X, ELSEWHERE, X):
        assert np.allclose(cr.grad(f)(x), differences(f, x, 1e-5), rtol=1e-5)


def test_a_dictionary_in_which_a_function_counts_is_counted_once() -> None:
    met = []

    def counted(t: Any, p: Any) -> Any:
        p["n"] += 1
        return p["k"] * t

    def f(x: Any) -> Any:
        p = {"k": x[0], "n": 0}
        y = integrate.quad(counted, 0.0, 1.0, args=(p,))[0]
        met.append(p["n"])
        return y

    f(X)
    for _ in range(5):
        assert np.allclose(cr.grad(f)(X), [0.5, 0.0])
    assert {*met} == {met[0]}
