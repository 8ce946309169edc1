"""Second derivatives through roots: by programs of how the residual's derivatives move."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import optimize

import chainrules as cr
from chainrules.core import implicit
from chainrules.engines.specialised.running.entry import Settings, specialised_after
from chainrules.engines.specialised.running.moving_roots import MovingRoot

from .compared import by_ordinary

P = np.array([1.3, 0.7])
PLACES = [P, P, P, P, P, P + 0.2, np.array([0.4, 2.0]), P - 0.1]
V = np.array([0.3, -1.0])


def kepler(e: Any, m: Any, eccentricity: Any) -> Any:
    return e - eccentricity * np.sin(e) - m


def given(p: Any) -> Any:
    return optimize.brentq(kepler, -4.0, 8.0, args=(p[0], 0.3 * p[1]), xtol=1e-14)


def captured(p: Any) -> Any:
    return optimize.brentq(lambda x: x**3 + p[0] * x - p[1], 0.0, 5.0, xtol=1e-14) * p[1]


def by_newton(p: Any) -> Any:
    return optimize.newton(lambda x, a: x**3 + a[0] * x - a[1] * p[0], 1.0, args=(p,), tol=1e-14)


def whole(p: Any) -> Any:
    x = optimize.root(lambda x: x + 0.1 * x**3 - p[0] * np.arange(1.0, 6.0) - p[1], np.zeros(5), tol=1e-13).x
    return np.sum(x**2)


def coupled(p: Any) -> Any:
    def residual(x: Any, a: Any, b: Any) -> Any:
        return np.array([x[0] ** 3 + a * x[0] - b, x[1] + np.sin(x[0] * a) + p[0] * x[1] ** 3])

    return np.prod(optimize.root(residual, np.array([0.5, 0.1]), args=(p[0], p[1]), tol=1e-13).x)


def of_one(p: Any) -> Any:
    return optimize.root(lambda x: x**3 + p[0] * x - p[1], np.array([0.5]), tol=1e-12).x[0]


def steady(p: Any) -> Any:
    return optimize.fixed_point(lambda x: np.cos(p[0] * x) * 0.5 + 0.1 * p[1], 0.5, xtol=1e-13)


def one_in_another(p: Any) -> Any:
    a = optimize.brentq(lambda x: x**3 + x - p[0], 0.0, 3.0, xtol=1e-14)
    b = optimize.brentq(lambda x: np.exp(x) - a * p[1] - 2.0, -3.0, 3.0, xtol=1e-14)
    return a * b + p[1] ** 2


def in_a_loop(p: Any) -> Any:
    x = p[0]
    for k in range(3):
        x = optimize.brentq(lambda z, a, k: z**3 + z - a - k, -5.0, 5.0, args=(x * p[1], 0.1 * k), xtol=1e-14)
    return x


def chosen(p: Any) -> Any:
    if p[0] > 1.0:
        return optimize.brentq(lambda x: x**3 + p[0] * x - p[1], 0.0, 5.0, xtol=1e-14)
    return p[0] * p[1]


def own(p: Any) -> Any:
    x = np.cbrt(cr.stop_gradient(p[0] * p[1]))
    return implicit.root(lambda x, a: x**3 - a, float(x), p[0] * p[1]) ** 2


EVERY = [given, captured, by_newton, whole, coupled, of_one, steady, one_in_another, in_a_loop, chosen, own]


def along(f: Any) -> Any:
    return lambda x, v: cr.hvp(f, x, v)


@pytest.mark.parametrize("f", EVERY)
def test_second_derivatives_are_those_of_the_ordinary_program(f: Callable[[Any], Any]) -> None:
    for p in PLACES:
        expected = by_ordinary(f, p, V, of=along)
        np.testing.assert_allclose(cr.hvp(f, p, V), expected, rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(cr.hessian(f)(p) @ V, expected, rtol=1e-9, atol=1e-12)
    slope = (cr.grad(f)(P + 1e-5 * V) - cr.grad(f)(P - 1e-5 * V)) / 2e-5
    np.testing.assert_allclose(cr.hvp(f, P, V), slope, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("f", [given, captured, by_newton, whole, coupled, of_one, one_in_another])
def test_a_program_answers(f: Callable[[Any], Any], monkeypatch: Any) -> None:
    asked: list[Any] = []
    before = MovingRoot.pullback

    def noted(*args: Any) -> Any:
        asked.append(1)
        return before(*args)

    monkeypatch.setattr(MovingRoot, "pullback", noted)
    with specialised_after(1):
        for _ in range(4):
            cr.hvp(f, P, V)
        asked.clear()
        cr.hvp(f, P, V)
    assert asked
    assert Settings.on


def test_a_root_that_is_double_is_refused() -> None:
    def double(p: Any) -> Any:
        return optimize.newton(lambda x: (x - p[0]) ** 2 + p[1], p[0] + 0.1, tol=1e-12, maxiter=200)

    for _ in range(6):
        cr.hvp(double, np.array([1.0, -0.25]), V)
    for _ in range(2):
        with pytest.raises(cr.NotDifferentiableError):
            cr.hvp(double, np.array([1.0, 0.0]), V)


def test_a_counter_counts_the_calls_of_the_solver() -> None:
    counts: list[int] = []

    def counted(p: Any) -> Any:
        box = {"n": 0}

        def f(x: Any) -> Any:
            box["n"] += 1
            return x**3 + p[0] * x - p[1]

        x = optimize.brentq(f, 0.0, 5.0)
        counts.append(box["n"])
        return x

    for _ in range(6):
        cr.hvp(counted, P, V)
    assert set(counts) == {counts[0]}
