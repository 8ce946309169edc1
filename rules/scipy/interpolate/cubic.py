"""Cubic interpolation: splines, PCHIP, Akima and Hermite, by sites, values and slopes.

Each is made of slopes at its sites, and these are programs: a tridiagonal system for `CubicSpline` (de
Boor, A Practical Guide to Splines, 1978, ch. IV), weighted harmonic means for PCHIP (Fritsch & Butland,
SIAM J. Sci. Stat. Comput. 5, 300 (1984)), weighted means for Akima (J. ACM 17, 589 (1970)).

Where PCHIP makes a slope zero, because the data turn or are level there, its derivative is zero. Where
Akima's weights vanish together the slope is the mean of the two that SciPy takes, and so is the derivative.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import interpolate, linalg
from scipy.interpolate import Akima1DInterpolator, CubicHermiteSpline, CubicSpline, PchipInterpolator

from ....core import Array, frule, non_differentiable, rrule
from ....core.calls import forward_of, reverse_of
from ....tangents import ZERO
from ...linearity import linear_in
from ...written import own, written_out
from ..linalg.bands import adjoint_band
from .objects import holding
from .piecewise import floats
from .places import spread

_VALUES = Array | list


def hermite(x: Any, y: Any, slopes: Any) -> Any:
    """The coefficients of the cubics with these values and slopes at the sites"""
    h = spread(np.diff(x), np.ndim(y) - 1)
    secant = np.diff(y, axis=0) / h
    bend = (slopes[:-1] + slopes[1:] - 2 * secant) / h
    return np.stack((bend / h, (secant - slopes[:-1]) / h - bend, slopes[:-1], y[:-1]))


def with_slopes(spline: Any, x: Any, y: Any, slopes: Any) -> Any:
    """The object that SciPy made, of the cubics with these slopes."""
    return holding(spline, ("c", "x"), hermite(x, y, slopes), x)


def by_columns(program: Any, x: Any, y: Any, *how: Any) -> Any:
    """Slopes by a program for values with two axes."""
    return np.reshape(program(x, np.reshape(y, (np.shape(y)[0], -1)), *how), np.shape(y))


def in_front(y: Any, axis: int) -> Any:
    """Values in double precision, the axis of the sites first."""
    return np.moveaxis(floats(y), axis, 0)


@written_out(CubicHermiteSpline)
def cubic_hermite(x: _VALUES, y: _VALUES, dydx: _VALUES, *, axis=0, extrapolate=None):
    """The cubics that have the values y and the slopes dydx at the sites x"""
    spline = own(CubicHermiteSpline, x, y, dydx, axis, extrapolate)
    return with_slopes(spline, floats(x), in_front(y, axis), in_front(dydx, axis))


def ends_of(bc_type: Any) -> Any:
    """The condition at either end: "not-a-knot", "periodic", or an order and a value."""
    both = (bc_type, bc_type) if isinstance(bc_type, str) else bc_type
    return tuple([named_end(end) for end in both])


def named_end(end: Any) -> Any:
    """A condition without its short name."""
    if isinstance(end, str):
        return {"clamped": (1, 0.0), "natural": (2, 0.0)}.get(end, end)
    return end


def end_bands(end: Any, h: Any) -> tuple[Any, Any]:
    """The diagonal, and the entry beside it, of an end; h from that end inwards."""
    if isinstance(end, str):
        return h[1], h[0] + h[1]
    return (1.0 + 0.0 * h[0], 0.0 * h[0]) if end[0] == 1 else (2.0 * h[0], h[0])


def end_row(end: Any, h: Any, wide: Any, secant: Any, y: Any, sign: float) -> Any:
    """The right-hand side of an end; h, … from that end inwards."""
    if isinstance(end, str):
        d = h[0] + h[1]
        return ((h[0] + 2 * d) * h[1] * secant[0] + h[0] ** 2 * secant[1]) / d
    order, value = end
    value = np.reshape(value, -1) + 0.0 * y[0]
    if order == 1:
        return value
    return -0.5 * sign * value * h[0] ** 2 + 3.0 * sign * (y[1] - y[0])


def cubic_slopes(x: Any, y: Any, bc_type: Any) -> Any:
    """The slopes of the twice differentiable cubic spline"""
    n, h = np.shape(x)[0], np.diff(x)
    wide = spread(h, np.ndim(y) - 1)
    secant = np.diff(y, axis=0) / wide
    start, end = ends_of(bc_type)
    if n == 2:
        start, end = [(1, secant[0]) if isinstance(e, str) else e for e in (start, end)]
    if start == "periodic":
        return periodic_slopes(h, wide, secant)
    if n == 3 and isinstance(start, str) and isinstance(end, str):
        left = (2 * wide[0] + wide[1]) * secant[0] - wide[0] * secant[1]
        right = (2 * wide[1] + wide[0]) * secant[1] - wide[1] * secant[0]
        middle = wide[1] * secant[0] + wide[0] * secant[1]
        return np.stack((left, middle, right)) / (wide[0] + wide[1])
    begin = end_row(start, h, wide, secant, y, 1.0)
    close = end_row(end, h[::-1], wide[::-1], secant[::-1], y[::-1], -1.0)
    inner = 3 * (wide[1:] * secant[:-1] + wide[:-1] * secant[1:])
    right = np.concatenate((begin[None], inner, close[None]))
    return banded(slope_bands(h, start, end), right)


def slope_bands(h: Any, start: Any, end: Any) -> Any:
    """The tridiagonal matrix of the system of the slopes, stored by diagonals"""
    first, beside_first = end_bands(start, h)
    last, beside_last = end_bands(end, h[::-1])
    none = np.zeros(1)
    upper = np.concatenate((none, np.reshape(beside_first, 1), h[:-1]))
    middle = np.concatenate((np.reshape(first, 1), 2 * (h[:-1] + h[1:]), np.reshape(last, 1)))
    lower = np.concatenate((h[1:], np.reshape(beside_last, 1), none))
    return np.stack((upper, middle, lower))


def banded(bands: Any, right: Any) -> Any:
    """The solution of a tridiagonal system for right-hand sides of any shape."""
    columns = np.reshape(right, (np.shape(right)[0], -1))
    return np.reshape(linalg.solve_banded((1, 1), bands, columns), np.shape(right))


def periodic_slopes(h: Any, wide: Any, secant: Any) -> Any:
    """The slopes of the periodic spline: a tridiagonal system, and a correction for its corners"""
    n = np.shape(h)[0]
    if n == 2:
        slope = np.sum(secant / wide, axis=0) / np.sum(1 / wide, axis=0)
        return np.stack((slope, slope, slope))
    before, wide_before = np.roll(h, 1), np.roll(wide, 1, axis=0)
    right = 3 * (wide * np.roll(secant, 1, axis=0) + wide_before * secant)
    # rows: h_i s_{i−1} + 2(h_{i−1} + h_i) s_i + h_{i−1} s_{i+1}; the last unknown is eliminated
    none = np.zeros(1)
    middle = 2 * (before + h)
    bands = np.stack(
        (
            np.concatenate((none, before[: n - 2])),
            middle[: n - 1],
            np.concatenate((h[1 : n - 1], none)),
        )
    )
    column = np.concatenate((-h[:1], np.zeros(n - 3), -before[n - 2 : n - 1])) if n > 2 else -h[:1]
    trailing = np.ndim(secant) - 1
    one = banded(bands, right[: n - 1])
    two = banded(bands, column)
    above, below = h[n - 1], before[n - 1]
    top = right[n - 1] - below * one[0] - above * one[n - 2]
    last = top / (middle[n - 1] + below * two[0] + above * two[n - 2])
    first = one + spread(two, trailing) * last
    return np.concatenate((first, last[None], first[:1]))


@written_out(CubicSpline)
def cubic_spline(x: _VALUES, y: _VALUES, *, axis=0, bc_type="not-a-knot", extrapolate=None):
    """h_i s_{i−1} + 2(h_{i−1} + h_i) s_i + h_{i−1} s_{i+1} = 3(h_i d_{i−1} + h_{i−1} d_i)"""
    spline = own(CubicSpline, x, y, axis, bc_type, extrapolate)
    at, values = floats(x), in_front(y, axis)
    return holding(spline, ("c", "x"), cubics(at, values, bc_type), at)


def cubics(x: Any, y: Any, bc_type: Any) -> Any:
    """The coefficients of the twice differentiable cubic spline"""
    return hermite(x, y, by_columns(cubic_slopes, x, y, bc_type))


@frule(cubics)
def cubics_frule(tangents, x: np.ndarray, y: np.ndarray, bc_type: object, *, engine):
    """Of the program; by y alone it is the spline of ẏ, whose ends are held"""
    dx, dy, _ = tangents
    if dx is ZERO:
        return cubics(x, y, bc_type), cubics(x, dy, held_ends(bc_type))
    return forward_of(of_cubics(bc_type), (x, y), (dx, dy), {}, engine)


@linear_in(1)
@rrule(cubics)
def cubics_rrule(x: np.ndarray, y: np.ndarray, bc_type: object, *, needs, engine):
    """Of the program; by y alone it is the transpose of a linear map"""
    if needs[0] or not is_banded(x, bc_type):
        c, back = reverse_of(of_cubics(bc_type), (x, y), {}, needs[:2], engine)

        def program_pullback(c_bar):
            return (*back(c_bar), ZERO)

        return c, program_pullback

    def cubics_pullback(c_bar):
        return ZERO, transposed_cubics(x, c_bar, bc_type), ZERO

    return cubics(x, y, bc_type), cubics_pullback


def of_cubics(bc_type: Any) -> Any:
    """The program, with conditions at the ends that do not move."""

    def cubics_of(x, y):
        return hermite(x, y, by_columns(cubic_slopes, x, y, bc_type))

    return cubics_of


def held_ends(bc_type: Any) -> Any:
    """The conditions at the ends for a tangent: the same, of value zero."""
    both = ends_of(bc_type)
    return both[0] if both[0] == "periodic" else tuple(e if isinstance(e, str) else (e[0], 0.0) for e in both)


def is_banded(x: Any, bc_type: Any) -> bool:
    """Whether the slopes are the solution of one tridiagonal system."""
    return np.shape(x)[0] > 3 and "periodic" not in [e for e in ends_of(bc_type) if isinstance(e, str)]


non_differentiable(held_ends, is_banded, of_cubics, why="has to do with how a spline ends")


def transposed_cubics(x: Any, c_bar: Any, bc_type: Any) -> Any:
    """ȳ for the cotangent of the coefficients: `hermite` and `cubic_slopes` backwards, the sites held"""
    h = np.diff(x)
    wide = spread(h, np.ndim(c_bar) - 2)
    bend = c_bar[0] / wide - c_bar[1]
    slope = c_bar[1] / wide
    none = np.zeros_like(bend[:1])
    slopes = np.concatenate((c_bar[2] - slope + bend / wide, none)) + np.concatenate((none, bend / wide))
    start, end = ends_of(bc_type)
    r = banded(adjoint_band(slope_bands(h, start, end), 1, 1), slopes)
    secant = slope - 2 * bend / wide
    inner = np.concatenate((3 * wide[1:] * r[1:-1], none)) + np.concatenate((none, 3 * wide[:-1] * r[1:-1]))
    left, y_left = end_back(start, h, r[:1], 1.0)
    right, y_right = end_back(end, h[::-1], r[-1:], -1.0)
    still = np.zeros_like(bend[2:])
    secant = secant + inner + np.concatenate((left, still)) + np.concatenate((still, right[::-1]))
    step = secant / wide
    moved = np.concatenate((c_bar[3] - step, none)) + np.concatenate((none, step))
    still = np.zeros_like(bend[1:])
    return moved + np.concatenate((y_left, still)) + np.concatenate((still, y_right[::-1]))


def end_back(end: Any, h: Any, r: Any, sign: float) -> tuple[Any, Any]:
    """Of the right-hand side of an end: the cotangents of two secants and values, from there inwards"""
    none = np.zeros_like(r)
    if isinstance(end, str):
        d = h[0] + h[1]
        return np.concatenate(((h[0] + 2 * d) * h[1] / d * r, h[0] ** 2 / d * r)), np.concatenate(
            (none, none)
        )
    nothing = np.concatenate((none, none))
    return nothing, np.concatenate((-3.0 * sign * r, 3.0 * sign * r)) if end[0] == 2 else nothing


def pchip_end(h0: Any, h1: Any, d0: Any, d1: Any) -> Any:
    """The slope at an end, of three points, and limited so that the shape is kept"""
    slope = ((2 * h0 + h1) * d0 - h0 * d1) / (h0 + h1)
    limited = np.where((np.sign(d0) != np.sign(d1)) & (np.abs(slope) > 3 * np.abs(d0)), 3 * d0, slope)
    return np.where(np.sign(slope) != np.sign(d0), 0.0, limited)


def pchip_slopes(x: Any, y: Any) -> Any:
    """Weighted harmonic means of the slopes on both sides"""
    h = spread(np.diff(x), np.ndim(y) - 1)
    secant = np.diff(y, axis=0) / h
    if np.shape(y)[0] == 2:
        return np.concatenate((secant, secant))
    left, right = secant[:-1], secant[1:]
    turns = (np.sign(left) != np.sign(right)) | (left == 0) | (right == 0)
    a, b = 2 * h[1:] + h[:-1], h[1:] + 2 * h[:-1]
    mean = (a + b) / (a / np.where(turns, 1.0, left) + b / np.where(turns, 1.0, right))
    inner = np.where(turns, 0.0, mean)
    first = pchip_end(h[0], h[1], secant[0], secant[1])
    last = pchip_end(h[-1], h[-2], secant[-1], secant[-2])
    return np.concatenate((first[None], inner, last[None]))


@written_out(PchipInterpolator)
def pchip(x: _VALUES, y: _VALUES, *, axis=0, extrapolate=None):
    """s = (w₁ + w₂)/(w₁/d₁ + w₂/d₂), and 0 where the data turn"""
    spline = own(PchipInterpolator, x, y, axis, extrapolate)
    at, values = floats(x), in_front(y, axis)
    return with_slopes(spline, at, values, by_columns(pchip_slopes, at, values))


def selected(der: Any) -> bool:
    """Whether one order of derivatives is asked for."""
    return np.ndim(der) == 0


non_differentiable(selected, why="tells the form of an argument")


@written_out(interpolate.pchip_interpolate)
def pchip_interpolate(xi: _VALUES, yi: _VALUES, x: _VALUES, *, der=0, axis=0):
    """PchipInterpolator(xi, yi)(x), or its derivatives"""
    spline = PchipInterpolator(xi, yi, axis)
    if selected(der):
        return spline(x, der)
    return [spline(x, nu) for nu in der]


def akima_slopes(x: Any, y: Any, method: str) -> Any:
    """Means of the slopes on both sides, weighted by how the slopes change beyond"""
    h = spread(np.diff(x), np.ndim(y) - 1)
    d = np.diff(y, axis=0) / h
    if np.shape(y)[0] == 2:
        return np.concatenate((d, d))
    before, after = 2 * d[0] - d[1], 2 * d[-1] - d[-2]
    far_before, far_after = 2 * before - d[0], 2 * after - d[-1]
    m = np.concatenate((far_before[None], before[None], d, after[None], far_after[None]))
    change = np.abs(np.diff(m, axis=0))
    ahead, behind = change[2:], change[:-2]
    if method == "makima":
        size = np.abs(m[1:] + m[:-1])
        ahead, behind = ahead + 0.5 * size[2:], behind + 0.5 * size[:-2]
    total = ahead + behind
    counts = total > 1e-9 * np.max(total)
    share = behind / np.where(counts, total, 1.0)
    mean = m[1:-2] + share * (m[2:-1] - m[1:-2])
    return np.where(counts, mean, 0.5 * (m[3:] + m[:-3]))


@written_out(Akima1DInterpolator)
def akima(x: _VALUES, y: _VALUES, *, axis=0, method="akima", extrapolate=None):
    """s = (|d₃ − d₂| d₁ + |d₁ − d₀| d₂)/(|d₃ − d₂| + |d₁ − d₀|)"""
    spline = own(made_akima, x, y, axis, method, extrapolate)
    at, values = floats(x), in_front(y, axis)
    return with_slopes(spline, at, values, by_columns(akima_slopes, at, values, method))


def made_akima(x: Any, y: Any, axis: Any, method: Any, extrapolate: Any) -> Any:
    """The object that SciPy makes."""
    return Akima1DInterpolator(x, y, axis, method=method, extrapolate=extrapolate)
