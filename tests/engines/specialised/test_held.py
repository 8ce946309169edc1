"""Objects of SciPy that a program makes, or finds outside: their methods are the programs of their rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.interpolate import (
    Akima1DInterpolator,
    BSpline,
    CubicHermiteSpline,
    CubicSpline,
    KroghInterpolator,
    PchipInterpolator,
    PPoly,
    RBFInterpolator,
    RegularGridInterpolator,
    interp1d,
    make_interp_spline,
)

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after

from .test_idioms_specialised import differences, hold_specialised

X = np.array([0.3, -0.75, 1.1, 0.2, -1.43, 0.6])
SITES, POINTS = np.linspace(0.0, 1.0, 6), np.array([0.05, 0.31, 0.62, 0.77, 0.93])
KNOTS = np.array([0.0, 0.0, 0.0, 0.0, 0.4, 0.7, 1.0, 1.0, 1.0, 1.0])
OUTSIDE = CubicSpline(SITES, np.sin(5.0 * SITES))
TABLE = interp1d(SITES, np.cos(3.0 * SITES))


def lines(x: Any) -> Any:
    return np.sum(interp1d(SITES, x)(POINTS) ** 2)


def quadratic(x: Any) -> Any:
    return np.sum(interp1d(SITES, x, kind="quadratic")(POINTS) ** 2)


def filled(x: Any) -> Any:
    table = interp1d(SITES, x, bounds_error=False, fill_value=0.5)
    return np.sum(table(np.linspace(-0.1, 1.1, 7)) ** 2)


def slopes(x: Any) -> Any:
    spline = CubicSpline(SITES, x)
    return np.sum(spline(POINTS, 1) * spline.derivative(2)(POINTS)) + spline.integrate(0.2, 0.7) ** 2


def at_a_number(x: Any) -> Any:
    spline = CubicSpline(SITES, x)
    total = 0.0
    for s in (0.2, 0.4, 0.9):
        total += spline(s) * s
    return total * np.sum(spline(POINTS))


def columns(x: Any) -> Any:
    both = np.stack((x, x**2))
    return np.sum(CubicSpline(SITES, both, axis=1)(POINTS)[:, 2] ** 2)


def shape_keeping(x: Any) -> Any:
    return np.sum(PchipInterpolator(SITES, x)(POINTS) * Akima1DInterpolator(SITES, x)(POINTS))


def hermite(x: Any) -> Any:
    return np.sum(CubicHermiteSpline(SITES, x, x**2)(POINTS) ** 2)


def basis(x: Any) -> Any:
    return np.sum(BSpline(KNOTS, x, 3)(POINTS) * make_interp_spline(SITES, x)(POINTS))


def of_an_object(x: Any) -> Any:
    spline = CubicSpline(SITES, x)
    if not isinstance(spline, PPoly):
        return 0.0
    return np.sum(spline.c[1] ** 2) * spline.x[2] + len(spline.c) * x[0]


def grid(x: Any) -> Any:
    table = RegularGridInterpolator((np.arange(3.0), np.arange(2.0)), x.reshape(3, 2))
    return np.sum(table(np.array([[0.5, 0.2], [1.7, 0.9]])) ** 2)


def by_points(x: Any) -> Any:
    return np.sum(CubicSpline(SITES, np.sin(SITES))(0.5 + 0.2 * np.sin(x)) ** 2)


def from_outside(x: Any) -> Any:
    return np.sum(OUTSIDE(0.5 + 0.2 * np.sin(x)) * TABLE(0.5 + 0.1 * x)) * OUTSIDE(0.3, 1)


def radial(x: Any) -> Any:
    return np.sum(RBFInterpolator(SITES[:, None], x)(POINTS[:, None]) ** 2)


def polynomial(x: Any) -> Any:
    return np.sum(KroghInterpolator(SITES, x)(POINTS) ** 2)


def made(x: Any) -> Any:
    return PchipInterpolator(SITES, x)


def by_a_helper(x: Any) -> Any:
    curve = made(x * x)
    return np.sum(curve(POINTS)) * curve(0.5)


class Model:
    def __init__(self, values: Any, scale: Any) -> None:
        self.curve, self.scale = CubicSpline(SITES, values), scale

    def __call__(self, at: Any) -> Any:
        return self.curve(at) * self.scale


def in_a_field(x: Any) -> Any:
    return np.sum(Model(x, x[0])(POINTS) ** 2)


def in_a_list(x: Any) -> Any:
    curves = [CubicSpline(SITES, x * k) for k in (1.0, 2.0)]
    return np.sum(curves[0](POINTS) * curves[1](POINTS))


PROGRAMS: list[Callable[[Any], Any]] = [
    *(lines, quadratic, filled, slopes, at_a_number, columns, shape_keeping, hermite, basis, of_an_object),
    *(grid, by_points, from_outside, radial, polynomial, by_a_helper, in_a_field, in_a_list),
]


@pytest.mark.parametrize("f", PROGRAMS)
def test_objects_are_what_they_hold(f: Any) -> None:
    hold_specialised(f, X)


@pytest.mark.parametrize("f", [lines, grid, by_points, hermite, from_outside])
def test_second_derivatives(f: Any) -> None:
    v = np.array([0.2, -1.0, 0.4, 0.6, -0.3, 0.5])
    with specialised_after(1):
        for x in (X, 1.1 * X, X[::-1].copy()):
            d = 1e-5 * v
            expected = (cr.grad(f)(x + d) - cr.grad(f)(x - d)) / 2e-5
            np.testing.assert_allclose(cr.hvp(f, x, v), expected, rtol=1e-5, atol=1e-6)
            np.testing.assert_allclose(cr.jvp(f, (x,), (v,))[1], differences(f, x) @ v, rtol=1e-5)


def test_other_ties_points_and_ends_than_at_first() -> None:
    def between(x: Any, at: Any, fill: Any) -> Any:
        table = interp1d(SITES, x, bounds_error=False, fill_value=fill)
        return np.sum(PchipInterpolator(SITES, x)(at) + np.nan_to_num(table(at)) * np.arange(1.0, 6.0))

    level = np.array([0.0, 1.0, 1.0, 1.0, 2.0, 0.5])
    with specialised_after(1, compared=True):
        for x, shift, fill in ((X, 0.0, 0.5), (X, 0.5, 0.5), (level, 0.0, 2.0), (X[::-1].copy(), -0.5, 0.5)):
            for _ in range(2):
                found = cr.grad(between)(x, POINTS + shift, fill)
            if x is not level:  # where pieces are level, a slope is zero on both sides
                expected = differences(lambda v, s=shift, c=fill: between(v, POINTS + s, c), x)
                np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-7)


def test_another_object_from_outside() -> None:
    curves = {"now": OUTSIDE}

    def valued(x: Any) -> Any:
        return np.sum(curve(0.5 + 0.2 * np.sin(x)) ** 2)

    with specialised_after(1):
        for curve in (OUTSIDE, OUTSIDE, CubicSpline(SITES, SITES**2), OUTSIDE.derivative(), TABLE):
            curves["now"] = curve
            np.testing.assert_allclose(cr.grad(valued)(X), differences(valued, X), rtol=1e-6, atol=1e-8)


def test_errors_are_those_of_scipy() -> None:
    def beyond(x: Any, at: Any) -> Any:
        return np.sum(interp1d(SITES, x)(at))

    with specialised_after(1):
        for _ in range(3):
            cr.grad(beyond)(X, POINTS)
        with pytest.raises(ValueError, match="above the interpolation range"):
            cr.grad(beyond)(X, POINTS + 0.5)


def test_an_array_without_axes_that_is_changed_in_place_is_left() -> None:
    def twice_named(x: Any) -> Any:
        a = CubicSpline(SITES, x)(0.3)
        b = a
        a += x[1]
        return a * b

    def returned(x: Any) -> Any:
        return OUTSIDE(x[0])

    for f in (twice_named, returned):
        met: list[str] = []
        with specialised_after(1, compared=True, met=met):
            for _ in range(2):
                np.testing.assert_allclose(cr.grad(f)(X), differences(f, X), rtol=1e-6, atol=1e-8)
        assert met


def test_what_outside_objects_hold_is_not_written_into() -> None:
    table = PPoly(np.ones((2, 3)), np.arange(4.0))

    def changing(x: Any) -> Any:
        c = table.c
        c[0, 0] += 1.0
        return c[0, 0] * x[0]

    with specialised_after(1):
        for count in range(1, 5):
            assert cr.grad(changing)(X)[0] == 1.0 + count
