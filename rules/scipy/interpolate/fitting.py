"""B-splines through and near data: `make_interp_spline` and `make_lsq_spline`.

Each is a banded system for the coefficients, whose entries are B-splines at the sites, so that a fit has
derivatives by sites, values, weights and knots in time proportional to the number of sites. Refused by
name: the periodic spline.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import linalg
from scipy.interpolate import make_interp_spline, make_lsq_spline

from ....core import Array, UnsupportedArgument, non_differentiable
from ...written import own, written_out
from .bsplines import bases, interval
from .collocation import placed, through
from .cubic import in_front
from .objects import holding, unshared
from .piecewise import floats
from .places import spread

_VALUES = Array | list


def band(rows: Any, columns: Any, values: Any, n: int, low: int, up: int) -> Any:
    """A banded matrix in LAPACK's form from its entries."""
    at = own(band_places, rows, columns, n, up)
    return placed(np.reshape(values, -1), at=at, shape=(low + up + 1, n))


def band_places(rows: Any, columns: Any, n: int, up: int) -> Any:
    """Where entries stand in LAPACK's form, laid flat."""
    return np.ravel((up + rows - columns) * n + columns)


def solved(bands: Any, right: Any, low: int, up: int) -> Any:
    """The solution of a banded system for right-hand sides of any shape."""
    columns = np.reshape(right, (np.shape(right)[0], -1))
    y = linalg.solve_banded((low, up), bands, columns)
    return np.reshape(y, (np.shape(bands)[1], *np.shape(right)[1:]))


def chosen_knots(x: Any, k: int, ends: bool) -> Any:
    """The knots that SciPy chooses for interpolation: at sites, for even degrees between them."""
    if k == 0:
        return np.concatenate((x, x[-1:]))
    first, last = x[np.zeros(k + 1, int)], x[np.full(k + 1, -1)]
    if k == 1 or ends:
        return np.concatenate((first[:k], x, last[:k]))
    skip = (k + 1) // 2
    inner = x if k % 2 else (x[1:] + x[:-1]) / 2
    return np.concatenate((first, inner[skip:-skip], last))


def end_conditions(bc_type: Any) -> Any:
    """The orders and values of derivatives at both ends."""
    if bc_type is None or bc_type == "not-a-knot":
        return (), ()
    both = (bc_type, bc_type) if isinstance(bc_type, str) else bc_type
    return tuple([named_condition(end) for end in both])


def named_condition(end: Any) -> Any:
    """Conditions without their short names."""
    if isinstance(end, str):
        return {"clamped": ((1, 0.0),), "natural": ((2, 0.0),)}[end]
    return () if end is None else tuple(end)


def only_open(bc_type: Any) -> None:
    """Refuse the periodic spline."""
    if isinstance(bc_type, str) and bc_type == "periodic":
        raise UnsupportedArgument(
            make_interp_spline, "bc_type", bc_type, supported=["None", "not-a-knot", "clamped", "natural"]
        )


non_differentiable(only_open, end_conditions, why="checks an argument")


def interpolating(spline: Any, x: Any, y: Any, t: Any, bc_type: Any) -> Any:
    """The coefficients of the spline through values: a row for each condition"""
    left, right = end_conditions(bc_type)
    before = [np.reshape(np.asarray(value) + 0.0 * y[:1], np.shape(y[:1])) for _, value in left]
    behind = [np.reshape(np.asarray(value) + 0.0 * y[:1], np.shape(y[:1])) for _, value in right]
    wanted = np.concatenate((*before, y, *behind)) if before or behind else y
    orders = [tuple([order for order, _ in end]) for end in (left, right)]
    return through(own(coefficients_of, spline), t, x, wanted, k=spline.k, left=orders[0], right=orders[1])


def coefficients_of(spline: Any) -> Any:
    """What SciPy found."""
    return spline.c


@written_out(make_interp_spline)
def interp_spline(
    x: _VALUES,
    y: _VALUES,
    t: Array | list | None = None,
    *,
    k=3,
    bc_type=None,
    axis=0,
    check_finite=True,
):
    """Σ_j c_j B_j(x_i) = y_i, and the conditions at the ends"""
    only_open(bc_type)
    # of degrees 0 and 1 SciPy's coefficients are the values themselves, in the same memory
    spline = unshared(make_interp_spline, x, y, k, t, bc_type, axis, check_finite)
    sites = floats(x)
    if np.ndim(sites) != 1:
        raise UnsupportedArgument(make_interp_spline, "x", x, why="sites stand in a line")
    values = in_front(y, axis)
    if k == 0:
        return holding(spline, ("t", "c"), chosen_knots(sites, k, False), values)
    knots = chosen_knots(sites, k, bc_type not in (None, "not-a-knot")) if t is None else floats(t)
    if k == 1 and t is None:
        return holding(spline, ("t", "c"), knots, values)
    return holding(spline, ("t", "c"), knots, interpolating(spline, sites, values, knots, bc_type))


@written_out(make_lsq_spline)
def lsq_spline(
    x: _VALUES,
    y: _VALUES,
    t: _VALUES,
    w: Array | list | None = None,
    *,
    k=3,
    axis=0,
    check_finite=True,
    method="qr",
):
    """BᵀW²B c = BᵀW²y        B_ij = B_j(x_i)"""
    spline = unshared(made_lsq, x, y, t, k, w, axis, check_finite, method)
    sites, values, knots = floats(x), in_front(y, axis), floats(t)
    weights = np.ones(np.size(sites)) if w is None else np.square(floats(w))
    return holding(spline, ("t", "c"), knots, least_squares(sites, values, weights, knots, k))


def least_squares(x: Any, y: Any, weights: Any, t: Any, k: int) -> Any:
    """The coefficients of the spline nearest to values, with these weights of squares"""
    at = interval(t, k, x)
    some, n = bases(t, k, x, at, 0), np.size(t) - k - 1
    return solved(gram(some, at - k, weights, n, k), moments(some, at - k, weights, y, n), k, k)


def gram(some: Any, first: Any, weights: Any, n: int, width: int) -> Any:
    """Σ_i w_i b_i b_iᵀ by diagonals, of vectors b_i whose entries stand from a first place on"""
    r = len(some)
    rows = np.concatenate([first + a for a in range(r) for _ in range(r)])
    columns = np.concatenate([first + b for _ in range(r) for b in range(r)])
    parts = np.concatenate([weights * some[a] * some[b] for a in range(r) for b in range(r)])
    return band(rows, columns, parts, n, width, width)


def moments(some: Any, first: Any, weights: Any, y: Any, n: int) -> Any:
    """Σ_i w_i y_i b_i, of the same vectors"""
    flat = np.reshape(y, (np.shape(y)[0], -1))
    parts = np.concatenate([spread(weights * b, 1) * flat for b in some])
    rows = np.concatenate([first + a for a in range(len(some))])
    return np.reshape(sums(parts, rows, n), (n, *np.shape(y)[1:]))


def sums(values: Any, rows: Any, n: int) -> Any:
    """The sums of the rows of a matrix that belong to each of n."""
    width = np.shape(values)[1]
    at = own(row_places, rows, width)
    return placed(np.reshape(values, -1), at=at, shape=(n, width))


def row_places(rows: Any, width: int) -> Any:
    """Where rows stand in a matrix, laid flat."""
    return np.ravel(rows[:, None] * width + np.arange(width))


def made_lsq(x: Any, y: Any, t: Any, k: Any, w: Any, axis: Any, check_finite: Any, method: Any) -> Any:
    """The spline that SciPy fits."""
    return make_lsq_spline(x, y, t, k, w, axis, check_finite, method=method)
