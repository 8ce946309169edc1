"""Piecewise polynomials: `PPoly` and `BPoly`, by coefficients, breakpoints and points, and their methods.

The value belongs to the piece that begins at a breakpoint, and so does the derivative; where nothing is
extrapolated it is nan outside, with derivative zero. `roots` and `solve` follow the implicit function
theorem; refused there are jumps across the value and pieces that are constant at it.
"""

from __future__ import annotations

from math import comb, perm
from typing import Any

import numpy as np
from scipy.interpolate import BPoly, PPoly

from ....core import Array, UnsupportedArgument, implicit, non_differentiable
from ...written import own, written_out
from .objects import DELEGATES, holding, unshared
from .places import delivered, inside, only, periods, piece_of, spread, wrapped

_POINTS = Array | list


def floats(c: Any) -> Any:
    """Numbers in double precision."""
    c = np.asarray(c)
    return c if c.dtype.kind in "fc" and c.dtype.itemsize >= 8 else c.astype(float)


def leading(c: Any, axis: int) -> Any:
    """Coefficients as an object holds them, the two axes of pieces in front."""
    return c if axis == 0 else np.moveaxis(np.moveaxis(c, axis + 1, 0), axis + 1, 0)


def made(P: Any, c: Any, x: Any, extrapolate: Any, axis: Any) -> Any:
    """An object of P with coefficients and breakpoints."""
    spline = own(P, c, x, extrapolate, axis)
    return holding(spline, ("c", "x"), leading(floats(c), axis), floats(x))


@written_out(PPoly)
def ppoly(c: _POINTS, x: _POINTS, *, extrapolate=None, axis=0):
    """The object holds c and x"""
    return made(PPoly, c, x, extrapolate, axis)


@written_out(BPoly)
def bpoly(c: _POINTS, x: _POINTS, *, extrapolate=None, axis=0):
    """The object holds c and x"""
    return made(BPoly, c, x, extrapolate, axis)


@written_out(*{PPoly.construct_fast.__func__, BPoly.construct_fast.__func__})
def construct_fast(cls: type, c: np.ndarray, x: np.ndarray, *, extrapolate=None, axis=0):
    """The object holds c and x"""
    return holding(own(made_fast, cls, c, x, extrapolate, axis), ("c", "x"), c, x)


def made_fast(P: Any, c: Any, x: Any, extrapolate: Any, axis: Any) -> Any:
    """An object that SciPy does not check."""
    return P.construct_fast(c, x, extrapolate, axis)


def power_values(c: Any, x: Any, points: Any, nu: int) -> Any:
    """Σ_j c_j (s − x_i)^(k−j), or a derivative of it, at points s of the pieces i"""
    k = np.shape(c)[0] - 1
    i, trailing = piece_of(x, points), np.ndim(c) - 2
    there, step = c[:, i], spread(points - x[i], trailing)
    if nu > k:
        return 0.0 * there[0] * step
    y = perm(k, nu) * there[0]
    for j in range(1, k - nu + 1):
        y = y * step + perm(k - j, nu) * there[j]
    return y


def bernstein_values(c: Any, x: Any, points: Any, nu: int) -> Any:
    """Σ_a c_a b_a(s), or a derivative of it: de Casteljau's recursion"""
    if nu >= np.shape(c)[0]:
        c, nu = 0.0 * c, 0
    for _ in range(nu):
        c = bernstein_slopes(c, x)
    k = np.shape(c)[0] - 1
    i, trailing = piece_of(x, points), np.ndim(c) - 2
    there, s = c[:, i], spread((points - x[i]) / (x[i + 1] - x[i]), trailing)
    for _ in range(k):
        there = there[:-1] + s * (there[1:] - there[:-1])
    return there[0]


def bernstein_slopes(c: Any, x: Any) -> Any:
    """The coefficients of the derivative, of one order less"""
    if np.shape(c)[0] == 1:
        return 0.0 * c
    return (np.shape(c)[0] - 1) * np.diff(c, axis=0) / spread(np.diff(x), np.ndim(c) - 2)


def evaluated(values: Any, spline: Any, c: Any, x: Any, points: Any, nu: int, extrapolate: Any) -> Any:
    """The values of a piecewise polynomial at points of any shape."""
    extrapolate = spline.extrapolate if extrapolate is None else extrapolate
    at = floats(points)
    shape, at = np.shape(at), np.reshape(at, -1)
    if extrapolate == "periodic":
        at, extrapolate = wrapped(at, x[0], x[-1]), False
    y = values(c, x, at, nu)
    return delivered(y if extrapolate else only(inside(at, x[0], x[-1]), y), shape, spline.axis)


@written_out(PPoly.__call__)
def ppoly_call(self: PPoly, x: _POINTS, *, nu=0, extrapolate=None):
    """y = Σ_j c_j (s − x_i)^(k−j)"""
    return evaluated(power_values, self, self.c, self.x, x, nu, extrapolate)


@written_out(BPoly.__call__)
def bpoly_call(self: BPoly, x: _POINTS, *, nu=0, extrapolate=None):
    """y = Σ_a c_a b_a((s − x_i)/(x_{i+1} − x_i))"""
    return evaluated(bernstein_values, self, self.c, self.x, x, nu, extrapolate)


def power_slopes(c: Any, nu: int) -> Any:
    """The coefficients of a derivative"""
    k = np.shape(c)[0] - 1
    if nu > k:
        return 0.0 * c[:1]
    factors = np.array([float(perm(k - j, nu)) for j in range(k - nu + 1)])
    return c[: k - nu + 1] * spread(factors, np.ndim(c) - 1)


def power_integrals(c: Any, x: Any) -> Any:
    """The coefficients of the integral from the first breakpoint on"""
    k = np.shape(c)[0]
    up = c / spread(np.arange(k, 0.0, -1.0), np.ndim(c) - 1)
    width, total = spread(np.diff(x), np.ndim(c) - 2), 0.0
    for j in range(k):
        total = (total + up[j]) * width
    start = np.cumsum(total, axis=0) - total
    return np.concatenate((up, start[None]))


def bernstein_integrals(c: Any, x: Any) -> Any:
    """The coefficients of the integral from the first breakpoint on"""
    up = np.cumsum(c, axis=0) / np.shape(c)[0] * spread(np.diff(x), np.ndim(c) - 2)
    start = np.cumsum(up[-1], axis=0) - up[-1]
    return np.concatenate((start[None], start + up))


def with_coefficients(spline: Any, method: Any, nu: int, c: Any) -> Any:
    """What a method made, with these coefficients and the breakpoints of the spline."""
    return holding(unshared(method, spline, nu), ("c", "x"), c, spline.x)


def power_moved(spline: Any, nu: int) -> Any:
    """The coefficients of a derivative, or of an integral where nu is negative"""
    c = spline.c
    if nu >= 0:
        return power_slopes(c, nu)
    for _ in range(-nu):
        c = power_integrals(c, spline.x)
    return c


def bernstein_moved(spline: Any, nu: int) -> Any:
    """The coefficients of a derivative, or of an integral where nu is negative"""
    c = spline.c
    for _ in range(nu):
        c = bernstein_slopes(c, spline.x)
    for _ in range(-nu):
        c = bernstein_integrals(c, spline.x)
    return c


@written_out(PPoly.derivative)
def ppoly_derivative(self: PPoly, *, nu=1):
    """c_j (k − j)!/(k − j − ν)!"""
    return with_coefficients(self, PPoly.derivative, nu, power_moved(self, nu))


@written_out(PPoly.antiderivative)
def ppoly_antiderivative(self: PPoly, *, nu=1):
    """c_j/(k − j + 1), and what was integrated up to each breakpoint"""
    return with_coefficients(self, PPoly.antiderivative, nu, power_moved(self, -nu))


@written_out(BPoly.derivative)
def bpoly_derivative(self: BPoly, *, nu=1):
    """k (c_{a+1} − c_a)/(x_{i+1} − x_i)"""
    return with_coefficients(self, BPoly.derivative, nu, bernstein_moved(self, nu))


@written_out(BPoly.antiderivative)
def bpoly_antiderivative(self: BPoly, *, nu=1):
    """Σ_{b<a} c_b (x_{i+1} − x_i)/(k + 1), and what was integrated up to each breakpoint"""
    return with_coefficients(self, BPoly.antiderivative, nu, bernstein_moved(self, -nu))


def one_shape(spline: Any, a: Any, b: Any) -> None:
    """Refuse limits of different shapes."""
    if np.shape(a) != np.shape(b):
        raise UnsupportedArgument(type(spline).integrate, "b", np.shape(b), why=f"a has shape {np.shape(a)}")


non_differentiable(one_shape, why="checks arguments")


def between(values: Any, spline: Any, c: Any, a: Any, b: Any, extrapolate: Any) -> Any:
    """The integral between two limits from the coefficients of the indefinite one."""
    x = spline.x
    extrapolate = spline.extrapolate if extrapolate is None else extrapolate
    one_shape(spline, a, b)
    ends = np.stack((floats(a), floats(b)))
    if extrapolate == "periodic":
        whole = values(c, x, np.stack((x[0], x[-1])), 0)
        turns = spread(periods(ends, x[0], x[-1]), np.ndim(c) - 2)
        y = values(c, x, wrapped(ends, x[0], x[-1]), 0) + turns * (whole[1] - whole[0])
    else:
        y = values(c, x, ends, 0)
        y = y if extrapolate else only(inside(ends, x[0], x[-1]), y)
    whole_array = DELEGATES or isinstance(spline, PPoly) or extrapolate == "periodic"
    return np.asarray(y[1] - y[0]) if whole_array else y[1] - y[0]


@written_out(PPoly.integrate)
def ppoly_integrate(self: PPoly, a: Array, b: Array, *, extrapolate=None):
    """y = P(b) − P(a), with P′ = p"""
    return between(power_values, self, power_integrals(self.c, self.x), a, b, extrapolate)


@written_out(BPoly.integrate)
def bpoly_integrate(self: BPoly, a: Array, b: Array, *, extrapolate=None):
    """y = P(b) − P(a), with P′ = p"""
    return between(bernstein_values, self, bernstein_integrals(self.c, self.x), a, b, extrapolate)


@written_out(PPoly.from_bernstein_basis.__func__)
def from_bernstein_basis(cls: type, bp: BPoly, *, extrapolate=None):
    """c′_{k−s} = Σ_{a≤s} (−1)^{s−a} C(k, a) C(k − a, s − a) c_a / h^s"""
    c, h = bp.c, spread(np.diff(bp.x), np.ndim(bp.c) - 2)
    k, rows = np.shape(c)[0] - 1, []
    for s in range(k, -1, -1):
        weights = np.array([float((-1) ** (s - a) * comb(k, a) * comb(k - a, s - a)) for a in range(s + 1)])
        rows.append(np.tensordot(weights, c[: s + 1], 1) / h**s)
    return holding(
        unshared(PPoly.from_bernstein_basis.__func__, cls, bp, extrapolate), ("c", "x"), np.stack(rows), bp.x
    )


@written_out(BPoly.from_power_basis.__func__)
def from_power_basis(cls: type, pp: PPoly, *, extrapolate=None):
    """c′_j = Σ_{m≤j} C(j, m)/C(k, m) h^m c_{k−m}"""
    c, h = pp.c, spread(np.diff(pp.x), np.ndim(pp.c) - 2)
    k, rows = np.shape(c)[0] - 1, []
    for j in range(k + 1):
        row = c[k]
        for m in range(1, j + 1):
            row = row + comb(j, m) / comb(k, m) * c[k - m] * h**m
        rows.append(row)
    return holding(
        unshared(BPoly.from_power_basis.__func__, cls, pp, extrapolate), ("c", "x"), np.stack(rows), pp.x
    )


def excess(r: Any, c: Any, x: Any, y: Any) -> Any:
    """By how much the polynomial exceeds a value at its roots."""
    return power_values(c, x, r, 0) - y


def one_curve(spline: Any, roots: Any) -> None:
    """Refuse the roots of several polynomials, and pieces that are constant."""
    if np.ndim(spline.c) > 2:
        raise UnsupportedArgument(
            PPoly.solve, "self.c", f"of shape {np.shape(spline.c)}", supported=["2 axes"]
        )
    if np.any(np.isnan(roots)):
        raise UnsupportedArgument(
            PPoly.solve, "y", "a value that a whole piece has", supported=["values at isolated points"]
        )


non_differentiable(one_curve, why="checks an argument")


def solved(spline: Any, y: Any, discontinuity: Any, extrapolate: Any) -> Any:
    """Where a piecewise polynomial has a value."""
    roots = own(PPoly.solve, spline, y, discontinuity, extrapolate)
    one_curve(spline, roots)
    return implicit.root(excess, roots, spline.c, spline.x, y)


@written_out(PPoly.solve)
def ppoly_solve(self: PPoly, y: Array = 0.0, *, discontinuity=True, extrapolate=None):
    """p(r) = y        p′(r) ṙ = ẏ − ṗ(r)"""
    return solved(self, y, discontinuity, extrapolate)


@written_out(PPoly.roots)
def ppoly_roots(self: PPoly, *, discontinuity=True, extrapolate=None):
    """p(r) = 0        p′(r) ṙ = −ṗ(r)"""
    return solved(self, 0.0, discontinuity, extrapolate)
