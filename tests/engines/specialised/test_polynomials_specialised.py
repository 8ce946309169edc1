"""Objects of `numpy.polynomial`, whose methods are read as a user's are, and arrays that a class holds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.polynomial import Chebyshev, Legendre, Polynomial
from numpy.polynomial.chebyshev import chebval
from numpy.polynomial.polynomial import polyval

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after

from .test_idioms_specialised import differences, hold_specialised

X = np.array([0.3, -0.75, 1.1, 0.2, -1.43])
POINTS = np.linspace(-0.8, 0.9, 7)
OUTSIDE = Polynomial([1.0, -2.0, 0.5])


def powers(x: Any) -> Any:
    return np.sum(Polynomial(x[:4])(POINTS) ** 2) * Polynomial(x)(0.3)


def slopes(x: Any) -> Any:
    p: Any = Polynomial(x)
    return np.sum(p.deriv()(POINTS) * p.deriv(2)(POINTS)) + np.sum(p.coef**2) * len(p.coef)


def series(x: Any) -> Any:
    return np.sum(Chebyshev(x)(POINTS) * Legendre(x[1:])(POINTS))


def on_a_domain(x: Any) -> Any:
    return np.sum(Polynomial(x[:3], domain=[0.0, 2.0], window=[-1.0, 1.0])(x) ** 2)


def from_outside(x: Any) -> Any:
    return np.sum(OUTSIDE(x) * OUTSIDE.deriv()(x))


def functions(x: Any) -> Any:
    return np.sum(polyval(POINTS, x[:3]) * chebval(POINTS, x)) + polyval(x[0], [1.0, 2.0])


PROGRAMS: list[Callable[[Any], Any]] = [powers, slopes, series, on_a_domain, from_outside, functions]


@pytest.mark.parametrize("f", PROGRAMS)
def test_polynomials_are_their_coefficients(f: Any) -> None:
    hold_specialised(f, X)


@pytest.mark.parametrize("f", PROGRAMS)
def test_zeros_and_directions(f: Any) -> None:
    v = np.array([0.2, -1.0, 0.4, 0.6, -0.3])
    with specialised_after(1):
        for x in (X, X, X * (np.arange(5) != 4), np.zeros(5), X[::-1].copy()):
            expected = differences(f, x)
            np.testing.assert_allclose(cr.grad(f)(x), expected, rtol=1e-5, atol=1e-7)
            np.testing.assert_allclose(cr.jvp(f, (x,), (v,))[1], expected @ v, rtol=1e-5, atol=1e-7)
            second = (cr.grad(f)(x + 1e-5 * v) - cr.grad(f)(x - 1e-5 * v)) / 2e-5
            np.testing.assert_allclose(cr.hvp(f, x, v), second, rtol=1e-5, atol=1e-5)


class Weighted:
    weights = np.array([1.0, 2.0, 0.5, -1.0, 3.0])

    def __init__(self, x: Any) -> None:
        self.x = x

    def total(self) -> Any:
        return np.sum(self.weights * self.x**2)


def test_an_array_that_a_class_holds() -> None:
    def total(x: Any) -> Any:
        return Weighted(x).total()

    hold_specialised(total, X)
    before = Weighted.weights
    with specialised_after(1):
        for _ in range(3):
            np.testing.assert_allclose(cr.grad(total)(X), 2.0 * before * X)
        before[1] = 7.0
        np.testing.assert_allclose(cr.grad(total)(X), 2.0 * before * X)
        Weighted.weights = np.ones(5)
        for _ in range(3):
            np.testing.assert_allclose(cr.grad(total)(X), 2.0 * X)
        Weighted.weights = before


def test_an_array_that_a_class_holds_is_not_written_into() -> None:
    class Counting:
        seen = np.zeros(2)

        def __init__(self, x: Any) -> None:
            self.x = x

        def total(self) -> Any:
            self.seen[0] += 1.0
            return self.seen[0] * self.x[0]

    def total(x: Any) -> Any:
        return Counting(x).total()

    with specialised_after(1):
        for k in range(1, 5):
            assert cr.grad(total)(X)[0] == k
