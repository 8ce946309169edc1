"""Piecewise polynomials of several variables: `NdPPoly`, by coefficients, breakpoints and points.

Along each variable it is a `PPoly`, and its methods are those of that, one variable after another. A point
at a breakpoint belongs to the piece that begins there; outside the value is nan, with derivative zero,
where nothing is extrapolated.
"""

from __future__ import annotations

from math import perm
from typing import Any

import numpy as np
from scipy.interpolate import NdPPoly

from ....core import Array, non_differentiable
from ...written import own, written_out
from .objects import holding, show, unshared
from .piecewise import floats, power_integrals, power_slopes, power_values
from .places import inside, only, piece_of

show(NdPPoly, "c")
show(NdPPoly, "x")
_POINTS = Array | list | tuple


@written_out(NdPPoly)
def nd_ppoly(c: np.ndarray, x: tuple | list, *, extrapolate=None):
    """The object holds c and x"""
    return holding(own(NdPPoly, c, x, extrapolate), ("c", "x"), floats(c), tuple([floats(v) for v in x]))


def orders_of(nu: Any, ndim: int) -> list[int]:
    """The order of the derivative by each variable."""
    return [0] * ndim if nu is None else [int(order) for order in nu]


non_differentiable(orders_of, why="whole numbers")


def contracted(c: Any, step: Any, nu: int) -> Any:
    """Σ_j c_j s^(k−j) over the first axis, or a derivative of it"""
    k = np.shape(c)[0] - 1
    if nu > k:
        return 0.0 * c[0] * step
    y = perm(k, nu) * c[0] + 0.0 * step
    for j in range(1, k - nu + 1):
        y = y * step + perm(k - j, nu) * c[j]
    return y


def in_rows(x: Any) -> Any:
    """Points, the coordinates of each in a row: as they are given, or coordinate by coordinate."""
    if isinstance(x, tuple):
        shape = np.broadcast_shapes(*[np.shape(v) for v in x])
        return np.stack([np.broadcast_to(floats(v), shape) for v in x], axis=-1)
    at = floats(x)
    return at[:, None] if np.ndim(at) == 1 else at


@written_out(NdPPoly.__call__)
def nd_ppoly_call(self: NdPPoly, x: _POINTS, *, nu=None, extrapolate=None):
    """y = Σ_jk… c_jk… (s − x_i)^(k−j) (t − y_l)^(m−k) …"""
    own(NdPPoly.__call__, self, x, nu, extrapolate)
    at = in_rows(x)
    shape, breaks = np.shape(at)[:-1], self.x
    ndim, trailing = len(breaks), np.ndim(self.c) - 2 * len(breaks)
    at = np.reshape(at, (-1, np.shape(at)[-1]))
    pieces = [piece_of(breaks[d], at[:, d]) for d in range(ndim)]
    y, within = self.c[(slice(None),) * ndim + tuple(pieces)], True
    for d, order in enumerate(orders_of(nu, ndim)):
        step = at[:, d] - breaks[d][pieces[d]]
        y = contracted(y, np.reshape(step, (*(1,) * (ndim - d - 1), -1, *(1,) * trailing)), order)
        within = within & inside(at[:, d], breaks[d][0], breaks[d][-1])
    if not (self.extrapolate if extrapolate is None else extrapolate):
        y = only(within, y)
    return np.reshape(y, (*shape, *np.shape(y)[1:]))


def along(f: Any, c: Any, axis: int, ndim: int, *others: Any) -> Any:
    """What a function makes of the coefficients of one variable."""
    places = (axis, ndim + axis)
    return np.moveaxis(f(np.moveaxis(c, places, (0, 1)), *others), (0, 1), places)


def moved(spline: Any, nu: Any) -> Any:
    """The coefficients of a derivative, of an integral where an order is negative"""
    c, ndim = spline.c, len(spline.x)
    for axis, order in enumerate(orders_of(nu, ndim)):
        if order > 0:
            c = along(power_slopes, c, axis, ndim, order)
        for _ in range(-order):
            c = along(power_integrals, c, axis, ndim, spline.x[axis])
    return c


def negative(nu: Any) -> list[int]:
    """The orders of an integral as those of a derivative."""
    return [-int(order) for order in nu]


non_differentiable(negative, why="whole numbers")


@written_out(NdPPoly.derivative)
def nd_ppoly_derivative(self: NdPPoly, *, nu):
    """c_j (k − j)!/(k − j − ν)!, by each variable"""
    return holding(unshared(NdPPoly.derivative, self, nu), ("c", "x"), moved(self, nu), self.x)


@written_out(NdPPoly.antiderivative)
def nd_ppoly_antiderivative(self: NdPPoly, *, nu):
    """c_j/(k − j + 1), and what was integrated up to each breakpoint, by each variable"""
    made = unshared(NdPPoly.antiderivative, self, nu)
    return holding(made, ("c", "x"), moved(self, negative(nu)), self.x)


def definite(c: Any, x: Any, a: Any, b: Any, extrapolate: Any) -> Any:
    """P(b) − P(a), with P′ = p, of the coefficients of one variable in front"""
    ends = np.stack((floats(a), floats(b)))
    y = power_values(power_integrals(c, x), x, ends, 0)
    y = y if extrapolate else only(inside(ends, x[0], x[-1]), y)
    return y[1] - y[0]


@written_out(NdPPoly.integrate_1d)
def nd_ppoly_integrate_1d(self: NdPPoly, a: Array, b: Array, *, axis, extrapolate=None):
    """The integral over one variable: a polynomial in the others"""
    found = unshared(NdPPoly.integrate_1d, self, a, b, axis, extrapolate)
    ndim, beyond = len(self.x), self.extrapolate if extrapolate is None else extrapolate
    axis = axis % ndim
    c = definite(np.moveaxis(self.c, (axis, ndim + axis), (0, 1)), self.x[axis], a, b, beyond)
    if ndim == 1:
        return np.asarray(c)
    return holding(found, ("c", "x"), c, self.x[:axis] + self.x[axis + 1 :])


@written_out(NdPPoly.integrate)
def nd_ppoly_integrate(self: NdPPoly, ranges: tuple | list | np.ndarray, *, extrapolate=None):
    """The integral over a box"""
    own(NdPPoly.integrate, self, ranges, extrapolate)
    c, beyond = self.c, self.extrapolate if extrapolate is None else extrapolate
    for d, x in enumerate(self.x):
        left = len(self.x) - d
        a, b = ranges[d][0], ranges[d][1]
        c = definite(np.moveaxis(c, left, 1), x, a, b, beyond)
    return np.asarray(c)
