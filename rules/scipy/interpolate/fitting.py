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
from ...linear import transpose_of
from ...written import own, written_out
from .bsplines import bases, interval
from .cubic import in_front
from .objects import holding
from .piecewise import floats
from .places import spread

_VALUES = Array | list


def placed(values: Any, *, at: Any, shape: tuple[int, int]) -> Any:
    """A matrix of zeros, to which these values are added at these places of it laid flat."""
    size = shape[0] * shape[1]
    if values.dtype.kind == "c":
        flat = np.bincount(at, values.real, size) + 1j * np.bincount(at, values.imag, size)
        return np.reshape(flat, shape)
    return np.reshape(np.bincount(at, values, size), shape)


@transpose_of(placed)
def placed_transposed(y_bar, values: np.ndarray, *, at, shape):
    """A = Σ v_i E_i        v̄_i = what Ā has there"""
    return np.reshape(y_bar, -1)[at]


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


def interpolating(x: Any, y: Any, t: Any, k: int, bc_type: Any) -> Any:
    """The coefficients of the spline through values: a row for each condition"""
    left, right = end_conditions(bc_type)
    n = np.size(t) - k - 1
    count, before = np.size(x), len(left)
    at = interval(t, k, x)
    offsets = np.arange(-k, 1)
    rows, columns, parts, wanted = [], [], [], []
    for row, (order, value) in enumerate(left):
        rows.append(np.full(k + 1, row))
        columns.append(at[0] + offsets)
        parts.append(np.concatenate(bases(t, k, x[:1], at[:1], order)))
        wanted.append(np.reshape(np.asarray(value) + 0.0 * y[:1], (1, *np.shape(y)[1:])))
    rows.append(np.repeat(np.arange(count)[None] + before, k + 1, axis=0).ravel())
    columns.append((at[None] + offsets[:, None]).ravel())
    parts.append(np.concatenate(bases(t, k, x, at, 0)))
    wanted.append(y)
    for row, (order, value) in enumerate(right):
        rows.append(np.full(k + 1, before + count + row))
        columns.append(at[-1] + offsets)
        parts.append(np.concatenate(bases(t, k, x[-1:], at[-1:], order)))
        wanted.append(np.reshape(np.asarray(value) + 0.0 * y[:1], (1, *np.shape(y)[1:])))
    i, j = np.concatenate(rows), np.concatenate(columns)
    width = k + max(before, len(right))
    matrix = band(i, j, np.concatenate(parts), n, width, width)
    return solved(matrix, np.concatenate(wanted), width, width)


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
    spline = own(make_interp_spline, x, y, k, t, bc_type, axis, check_finite)
    sites, values = floats(x), in_front(y, axis)
    if k == 0:
        return holding(spline, ("t", "c"), chosen_knots(sites, k, False), values)
    knots = chosen_knots(sites, k, bc_type not in (None, "not-a-knot")) if t is None else floats(t)
    if k == 1 and t is None:
        return holding(spline, ("t", "c"), knots, values)
    return holding(spline, ("t", "c"), knots, interpolating(sites, values, knots, k, bc_type))


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
    spline = own(made_lsq, x, y, t, k, w, axis, check_finite, method)
    sites, values, knots = floats(x), in_front(y, axis), floats(t)
    n, at = np.size(knots) - k - 1, interval(knots, k, sites)
    weights = np.ones(np.size(sites)) if w is None else np.square(floats(w))
    rows, columns, parts, moments = [], [], [], []
    some = bases(knots, k, sites, at, 0)
    for a in range(k + 1):
        for b in range(k + 1):
            rows.append(at - k + a)
            columns.append(at - k + b)
            parts.append(weights * some[a] * some[b])
        moments.append(weights * some[a])
    matrix = band(np.concatenate(rows), np.concatenate(columns), np.concatenate(parts), n, k, k)
    flat = np.reshape(values, (np.shape(values)[0], -1))
    right = sums(np.concatenate([spread(m, 1) * flat for m in moments]), np.concatenate(rows[:: k + 1]), n)
    c = solved(matrix, right, k, k)
    return holding(spline, ("t", "c"), knots, np.reshape(c, (n, *np.shape(values)[1:])))


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
