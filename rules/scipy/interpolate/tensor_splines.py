"""Splines of several variables: `NdBSpline`, by coefficients, knots and points.

Its fields are the coefficients and the knots as it stores them, a row for each variable. The knots as its
attribute `t` shows them are refused. A point on a knot belongs to the piece that begins there; outside the
value is nan, with derivative zero, where nothing is extrapolated.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
from scipy.interpolate import NdBSpline

from ....core import Array, non_differentiable
from ....tangents import construct
from ...written import own, written_out
from .bsplines import bases, interval
from .objects import derived, holding, show
from .piecewise import floats
from .places import inside, only, spread

show(NdBSpline, "c", "_c")
derived(NdBSpline, "t")


@construct.register(NdBSpline)
def make_tensor_spline(P: Any, values: Any, like: Any) -> Any:
    """A spline with these coefficients and knots, as `move` makes it."""
    knots = tuple(row[:n] for row, n in zip(values["_t"], like._len_t, strict=True))
    return P(knots, values["_c"], like.k, extrapolate=like.extrapolate)


@written_out(NdBSpline)
def tensor_spline(t: tuple | list, c: Array | list, *, k, extrapolate=None):
    """The object holds t and c"""
    made = own(NdBSpline, t, c, k, extrapolate=extrapolate)
    width = np.shape(made._t)[1]
    rows = np.stack([np.concatenate((floats(row), np.zeros(width - np.size(row)))) for row in t])
    return holding(made, ("_t", "_c"), rows, floats(c))


def orders_of(nu: Any, ndim: int) -> list[int]:
    """The order of the derivative by each variable."""
    return [0] * ndim if nu is None else [int(order) for order in nu]


def sizes(spline: Any) -> list[tuple[int, int]]:
    """The degree and the number of knots by each variable."""
    return [(int(k), int(n)) for k, n in zip(spline._k, spline._len_t, strict=True)]


non_differentiable(orders_of, sizes, why="whole numbers")


def tensor_values(knots: Any, c: Any, degrees: Any, at: Any, nu: Any) -> Any:
    """Σ c_jk… B_j(x) B_k(y) …, or a derivative, at points in rows"""
    trailing = np.ndim(c) - len(knots)
    places, weights, y = [], [], 0.0
    for d in range(len(degrees)):
        k = degrees[d]
        i = interval(knots[d], k, at[:, d])
        places.append(i - k)
        weights.append(bases(knots[d], k, at[:, d], i, nu[d]))
    for corner in product(*[range(k + 1) for k in degrees]):
        weight = 1.0
        for d, r in enumerate(corner):
            weight = weight * weights[d][r]
        y = y + spread(weight, trailing) * c[tuple([places[d] + r for d, r in enumerate(corner)])]
    return y


@written_out(NdBSpline.__call__)
def tensor_spline_call(self: NdBSpline, xi: Array | list | tuple, *, nu=None, extrapolate=None):
    """y = Σ c_jk… B_j(x) B_k(y) …"""
    own(NdBSpline.__call__, self, xi, nu=nu, extrapolate=extrapolate)
    at, kinds = floats(xi), sizes(self)
    shape = np.shape(at)
    at = np.reshape(at, (-1, shape[-1]))
    knots = [self._t[d, :n] for d, (_, n) in enumerate(kinds)]
    degrees = [k for k, _ in kinds]
    y = tensor_values(knots, self._c, degrees, at, orders_of(nu, len(kinds)))
    if not (self.extrapolate if extrapolate is None else extrapolate):
        within = np.ones(np.shape(at)[0], bool)
        for d, (k, n) in enumerate(kinds):
            within = within & inside(at[:, d], knots[d][k], knots[d][n - k - 1])
        y = only(within, y)
    return np.reshape(y, (*shape[:-1], *np.shape(self._c)[len(kinds) :]))
