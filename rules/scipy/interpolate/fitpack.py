"""Splines as tuples (t, c, k): `splev`, `splint`, `spalde`, `splder`, `splantider` and `sproot`.

Each is a program of B-splines, by points, knots and coefficients; they take a `BSpline`, too, where SciPy
does. A point on a knot belongs to the piece that begins there, the end to the last piece. Coefficients with
two axes, or a list of them, are a curve: one result for each row. Outside the spline `splev` with `ext=1`
has the derivative zero by everything, with `ext=3` that of the end, and so none by the point; SciPy ignores
`ext=3` for derivatives of the spline. What `splder` gives shares no memory with what it takes.
Refused by name: the working storage of `splint`, and knots or coefficients that are too few for their
degree, beyond which SciPy's compiled code would read.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.interpolate import BSpline, spalde, splantider, splder, splev, splint, sproot

from ....core import Array, UnsupportedArgument, implicit, non_differentiable
from ...written import own, written_out
from .bsplines import integral, slope, spline_values
from .piecewise import floats
from .places import in_a_row, inside, real_numbers, real_points

_POINTS = Array | list
_SPLINE = tuple | list


def is_curve(c: Any) -> bool:
    """Whether coefficients are those of several splines with the same knots."""
    return np.ndim(c) > 1


def only_value(f: Any, name: str, given: Any) -> None:
    """Refuse an argument that is not zero."""
    if given:
        raise UnsupportedArgument(f, name, given, supported=["0"])


def whole(f: Any, tck: Any) -> None:
    """Refuse a spline with too few knots or coefficients before SciPy reads beyond them."""
    t, c, k = tck
    n = np.size(t) - k - 1
    if np.ndim(t) != 1 or n <= k or any(np.shape(row)[:1] < (n,) for row in (c if is_curve(c) else [c])):
        raise UnsupportedArgument(
            f,
            "tck",
            tck,
            why=f"degree {k} needs {2 * k + 2} knots, and as many coefficients as knots less {k + 1}",
            next="give a tuple that splrep made",
        )


non_differentiable(is_curve, only_value, whole, why="tells the form of an argument")


def evaluated(t: Any, c: Any, k: int, at: Any, der: int, ext: int) -> Any:
    """The values of one spline at flat points."""
    start, end = t[k], t[np.size(t) - k - 1]
    if ext == 1:
        return np.where(inside(at, start, end), spline_values(t, c, k, at, der), 0.0)
    return spline_values(t, c, k, np.clip(at, start, end) if ext == 3 and der == 0 else at, der)


@written_out(splev)
def splev_tuple(x: _POINTS, tck: _SPLINE, *, der=0, ext=0):
    """y = Σ_j c_j B_j⁽ᵈ⁾(x)"""
    whole(splev, tck)
    own(splev, x, tck, der, ext)
    t, c, k = tck
    points = floats(x)
    shape, at, knots = np.shape(points), np.reshape(points, -1), floats(t)
    if is_curve(c):
        return [np.reshape(evaluated(knots, floats(row), k, at, der, ext), shape) for row in c]
    return np.reshape(evaluated(knots, floats(c), k, at, der, ext), shape)


@written_out(splev)
def splev_object(x: _POINTS, tck: BSpline, *, der=0, ext=0):
    """y = Σ_j c_j B_j⁽ᵈ⁾(x)"""
    own(splev, x, tck, der, ext)
    return tck(x, der, extrapolate=True)


def area(t: Any, c: Any, k: int, a: Any, b: Any) -> Any:
    """The integral of one spline, which is zero outside."""
    t_up, c_up = integral(t, c, k)
    ends = np.clip(np.stack((floats(a), floats(b))), t[k], t[np.size(t) - k - 1])
    y = spline_values(t_up, c_up, k + 1, ends)
    return y[1] - y[0]


@written_out(splint)
def splint_tuple(a: Array, b: Array, tck: _SPLINE, *, full_output=0):
    """y = S(b) − S(a), with S′ = s within the spline and 0 outside"""
    only_value(splint, "full_output", full_output)
    real_numbers(splint, a, b)
    whole(splint, tck)
    own(splint, a, b, tck)
    t, c, k = tck
    if is_curve(c):
        return [area(floats(t), floats(row), k, a, b) for row in c]
    return area(floats(t), floats(c), k, a, b)


@written_out(splint)
def splint_object(a: Array, b: Array, tck: BSpline, *, full_output=0):
    """y = S(b) − S(a), with S′ = s within the spline and 0 outside"""
    own(splint, a, b, tck, full_output)
    return tck.integrate(a, b, extrapolate=False)


def every_derivative(t: Any, c: Any, k: int, at: Any) -> Any:
    """A value and k derivatives, for one point or for each of several."""
    rows = np.stack([spline_values(t, c, k, at, m) for m in range(k + 1)])
    if np.size(at) == 1:
        return rows[:, 0]
    return [rows[:, i] for i in range(np.size(at))]


@written_out(spalde)
def spalde_tuple(x: _POINTS, tck: _SPLINE):
    """y_m = Σ_j c_j B_j⁽ᵐ⁾(x)        m = 0 … k"""
    real_points(spalde, x)
    in_a_row(spalde, x)
    whole(spalde, tck)
    own(spalde, x, tck)
    t, c, k = tck
    knots, at = floats(t), np.reshape(floats(x), -1)
    if is_curve(c):
        return [every_derivative(knots, floats(row), k, at) for row in c]
    return every_derivative(knots, floats(c), k, at)


def shifted(tck: Any, order: int) -> Any:
    """The derivative of an order, or the integral where that is negative."""
    t, c, k = tck
    c = c + np.zeros(1) if order else c  # in double precision, as SciPy's
    for _ in range(order):
        t, c = slope(t, c, k)
        k = k - 1
    for _ in range(-order):
        t, c = integral(t, c, k)
        k = k + 1
    return np.copy(t), np.copy(c), k


@written_out(splder)
def splder_tuple(tck: _SPLINE, *, n=1):
    """k (c_{j+1} − c_j)/(t_{j+k+1} − t_{j+1})        de Boor, ch. X (15)"""
    whole(splder, tck)
    own(splder, tck, n)
    return shifted(tck, n)


@written_out(splder)
def splder_object(tck: BSpline, *, n=1):
    """k (c_{j+1} − c_j)/(t_{j+k+1} − t_{j+1})        de Boor, ch. X (15)"""
    return tck.derivative(n)


@written_out(splantider)
def splantider_tuple(tck: _SPLINE, *, n=1):
    """Σ_{i≤j} c_i (t_{i+k+1} − t_i)/(k + 1)        de Boor, ch. X (22)"""
    whole(splantider, tck)
    own(splantider, tck, n)
    return shifted(tck, -n)


@written_out(splantider)
def splantider_object(tck: BSpline, *, n=1):
    """Σ_{i≤j} c_i (t_{i+k+1} − t_i)/(k + 1)        de Boor, ch. X (22)"""
    return tck.antiderivative(n)


def height(r: Any, t: Any, c: Any) -> Any:
    """A cubic spline at its roots."""
    return spline_values(t, c, 3, r)


@written_out(sproot)
def sproot_tuple(tck: _SPLINE, *, mest=10):
    """s(r) = 0        s′(r) ṙ = −ṡ(r)"""
    whole(sproot, tck)
    found = own(sproot, tck, mest)
    t, c, _ = tck
    if is_curve(c):
        return [implicit.root(height, r, floats(t), floats(row)) for r, row in zip(found, c, strict=True)]
    return implicit.root(height, found, floats(t), floats(c))


@written_out(sproot)
def sproot_object(tck: BSpline, *, mest=10):
    """s(r) = 0        s′(r) ṙ = −ṡ(r)"""
    return implicit.root(height, own(sproot, tck, mest), tck.t, tck.c)
