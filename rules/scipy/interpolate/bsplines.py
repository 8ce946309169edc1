"""B-splines: `BSpline` by coefficients, knots and points, and its methods.

The bases that are not zero in a piece follow Cox and de Boor's recursion (de Boor, A Practical Guide to
Splines, 1978, ch. X), whose divisors within a piece are never zero. A point on a knot belongs to the piece
that begins there; so does the derivative by the point and by the knots, where that is a jump. Where
nothing is extrapolated the value is nan outside, with derivative zero.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.interpolate import BSpline, PPoly

from ....core import Array, UnsupportedArgument, non_differentiable
from ...written import own, written_out
from .objects import holding, unshared
from .piecewise import floats
from .places import delivered, inside, only, periods, real_points, spread, wrapped

_POINTS = Array | list


def interval(t: Any, k: int, points: Any) -> Any:
    """The knot on the left of each point, within the base interval."""
    return np.clip(np.searchsorted(t, points, side="right") - 1, k, len(t) - k - 2)


non_differentiable(interval, why="returns indices")


def bases(t: Any, k: int, points: Any, i: Any, nu: int) -> list[Any]:
    """The k + 1 B-splines that are not zero between knots i and i + 1, or a derivative of them."""
    if nu > k:
        return [0.0 * points] * (k + 1)
    around = t[i + np.arange(1 - k, k + 1)[:, None]] if k else t[:0]
    b = [np.ones_like(points)]
    for p in range(1, k + 1):
        b = one_degree_up(b, around[k - p : k], around[k : k + p], p, points, p > k - nu)
    return b


def one_degree_up(b: Any, low: Any, high: Any, p: int, points: Any, slopes: bool) -> Any:
    """The p + 1 B-splines of degree p, or their slopes, from those of one degree less"""
    shares = [b[s] / (high[s] - low[s]) for s in range(p)]
    if slopes:
        falling, rising = [-p * share for share in shares], [p * share for share in shares]
    else:
        falling = [(high[s] - points) * shares[s] for s in range(p)]
        rising = [(points - low[s]) * shares[s] for s in range(p)]
    return [falling[0], *[rising[s - 1] + falling[s] for s in range(1, p)], rising[p - 1]]


def spline_values(t: Any, c: Any, k: int, points: Any, nu: int = 0) -> Any:
    """Σ_j c_j B_j(s), or a derivative of it"""
    i = interval(t, k, points)
    trailing, y = np.ndim(c) - 1, 0.0
    for r, b in enumerate(bases(t, k, points, i, nu)):
        y = y + spread(b, trailing) * c[i + (r - k)]
    return y


@written_out(BSpline)
def bspline(t: _POINTS, c: _POINTS, *, k, extrapolate=True, axis=0):
    """The object holds t and c"""
    spline = own(BSpline, t, c, k, extrapolate, axis)
    return holding(spline, ("t", "c"), floats(t), np.moveaxis(floats(c), spline.axis, 0))


@written_out(BSpline.construct_fast.__func__)
def construct_fast(cls: type, t: np.ndarray, c: np.ndarray, *, k, extrapolate=True, axis=0):
    """The object holds t and c"""
    spline = unshared(BSpline.construct_fast.__func__, cls, t, c, k, extrapolate, axis)
    return holding(spline, ("t", "c"), t, c)


@written_out(BSpline.basis_element.__func__)
def basis_element(cls: type, t: _POINTS, *, extrapolate=True):
    """The object holds the knots, the first and the last k times more"""
    knots = floats(t)
    k = np.size(knots) - 2
    if k < 0:
        raise UnsupportedArgument(BSpline.basis_element, "t", t, why="two knots at least have a degree")
    spline = own(BSpline.basis_element.__func__, cls, t, extrapolate)
    places = np.concatenate((np.zeros(k, int), np.arange(k + 2), np.full(k, k + 1)))
    return holding(spline, ("t",), knots[places])


@written_out(BSpline.__call__)
def bspline_call(self: BSpline, x: _POINTS, *, nu=0, extrapolate=None):
    """y = Σ_j c_j B_j(s)"""
    t, c, k = self.t, self.c, self.k
    n = np.size(t) - k - 1
    extrapolate = self.extrapolate if extrapolate is None else extrapolate
    at = floats(x)
    shape, at = np.shape(at), np.reshape(at, -1)
    if extrapolate == "periodic":
        at, extrapolate = wrapped(at, t[k], t[n]), False
    y = spline_values(t, c, k, at, nu)
    return delivered(y if extrapolate else only(inside(at, t[k], t[n]), y), shape, self.axis)


def padded(c: Any, n: int) -> Any:
    """Coefficients with n zeros behind them"""
    return np.concatenate((c, np.zeros((n, *np.shape(c)[1:]), c.dtype)))


def slope(t: Any, c: Any, k: int) -> Any:
    """Knots and coefficients of the derivative"""
    n = np.size(t) - k - 1
    width = spread(t[k + 1 : n + k] - t[1:n], np.ndim(c) - 1)
    return t[1:-1], padded(k * (c[1:n] - c[: n - 1]) / width, k)


def integral(t: Any, c: Any, k: int) -> Any:
    """Knots and coefficients of the integral from the first knot on"""
    n = np.size(t) - k - 1
    width = spread(t[k + 1 :] - t[:n], np.ndim(c) - 1)
    up = np.cumsum(c[:n] * width, axis=0) / (k + 1)
    ends = np.broadcast_to(up[-1:], (k + 2, *np.shape(c)[1:]))
    every = np.concatenate((np.zeros((1, *np.shape(c)[1:])), up, ends))
    return np.concatenate((t[:1], t, t[-1:])), every


def moved(spline: Any, method: Any, nu: int, order: int) -> Any:
    """What a method made, an order of derivatives on."""
    t, c, k = spline.t, spline.c, spline.k
    for _ in range(order):
        t, c = slope(t, c, k)
        k = k - 1
    for _ in range(-order):
        t, c = integral(t, c, k)
        k = k + 1
    return holding(unshared(method, spline, nu), ("t", "c"), t, c)


@written_out(BSpline.derivative)
def bspline_derivative(self: BSpline, *, nu=1):
    """k (c_{j+1} − c_j)/(t_{j+k+1} − t_{j+1})        de Boor, ch. X (15)"""
    return moved(self, BSpline.derivative, nu, nu)


@written_out(BSpline.antiderivative)
def bspline_antiderivative(self: BSpline, *, nu=1):
    """Σ_{i≤j} c_i (t_{i+k+1} − t_i)/(k + 1)        de Boor, ch. X (22)"""
    return moved(self, BSpline.antiderivative, nu, -nu)


@written_out(BSpline.integrate)
def bspline_integrate(self: BSpline, a: Array, b: Array, *, extrapolate=None):
    """y = S(b) − S(a), with S′ = s; without extrapolation the spline is zero outside"""
    real_points(BSpline.integrate, a, b)
    t, c, k = self.t, self.c, self.k
    start, end = t[k], t[np.size(t) - k - 1]
    extrapolate = self.extrapolate if extrapolate is None else extrapolate
    t_up, c_up = integral(t, c, k)
    ends = np.stack((floats(a), floats(b)))
    if extrapolate == "periodic":
        whole = spline_values(t_up, c_up, k + 1, np.stack((start, end)))
        turns = spread(periods(ends, start, end), np.ndim(c) - 1)
        y = spline_values(t_up, c_up, k + 1, wrapped(ends, start, end)) + turns * (whole[1] - whole[0])
    else:
        y = spline_values(t_up, c_up, k + 1, ends if extrapolate else np.clip(ends, start, end))
    return np.asarray(y[1] - y[0])


@written_out(PPoly.from_spline.__func__)
def from_spline(cls: type, tck: BSpline, *, extrapolate=None):
    """c_m,i = s^(k−m)(t_i)/(k − m)!"""
    return holding(
        unshared(PPoly.from_spline.__func__, cls, tck, extrapolate),
        ("c", "x"),
        taylor(tck.t, tck.c, tck.k),
        tck.t,
    )


@written_out(PPoly.from_spline.__func__)
def from_tck(cls: type, tck: tuple | list, *, extrapolate=None):
    """c_m,i = s^(k−m)(t_i)/(k − m)!"""
    t, c, k = tck
    return holding(
        unshared(PPoly.from_spline.__func__, cls, tck, extrapolate), ("c", "x"), taylor(t, c, k), t
    )


def taylor(t: Any, c: Any, k: int) -> Any:
    """The coefficients of the powers in each piece between knots"""
    rows, scale = [], 1.0
    for m in range(k + 1):
        scale = scale * max(m, 1)
        rows.append(spline_values(t, c, k, t[:-1], m) / scale)
    return np.stack(rows[::-1])
