"""Values on a grid: `RegularGridInterpolator` and `interpn`, by values, grid and points.

The methods are programs of those of one variable: lines between neighbours, the nearest value, PCHIP one
variable after the other, and splines. A spline's coefficients are those of one variable after the other;
SciPy solves for all of them at once, iteratively unless it is told otherwise, and the derivatives are those
of the exact solution. A point on the grid belongs to the cell that begins there; the nearest value has no
slope. Refused by name: a variable with a single place, the `_legacy` methods, and `splinef2d`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.interpolate import NdBSpline, RegularGridInterpolator, interpn, make_interp_spline

from ....core import Array, UnsupportedArgument, non_differentiable
from ....tangents import construct
from ...written import own, written_out
from .cubic import by_columns, hermite, pchip_slopes
from .objects import holding, show
from .piecewise import floats, power_values
from .places import piece_of, spread

_GRID = tuple | list
_POINTS = Array | list | tuple
_DEGREES = {"slinear": 1, "cubic": 3, "quintic": 5}

show(RegularGridInterpolator, "grid", "_grid")
show(RegularGridInterpolator, "values", "_values")


@construct.register(RegularGridInterpolator)
def make_grid(P: Any, values: Any, like: Any) -> Any:
    """An object with this grid, these values and this spline, as `move` makes it."""
    method = "linear" if like.method in _DEGREES else like.method
    made = P(values["_grid"], values["_values"], method, like.bounds_error, like.fill_value)
    made.method, made._spline = like.method, values.get("_spline")
    return made


def with_rule(method: Any, grid: Any) -> None:
    """Refuse what there is no rule for."""
    known = ["linear", "nearest", "pchip", *_DEGREES]
    if method not in known:
        raise UnsupportedArgument(RegularGridInterpolator, "method", method, supported=known)
    if any(len(places) < 2 for places in grid):
        raise UnsupportedArgument(
            RegularGridInterpolator, "points", "a single place", supported=["two places or more"]
        )


def splined(method: Any) -> bool:
    """Whether a method is a spline."""
    return method in _DEGREES


def reading(table: Any, method: Any) -> tuple[Any, bool]:
    """The method to read values by, and whether it is another than that of the object."""
    chosen = table.method if method is None else method
    with_rule(chosen, table._grid)
    return chosen, chosen != table.method


def turned(table: Any, axis: int) -> bool:
    """Whether the places of a variable were given descending."""
    return axis in table._descending_dimensions


non_differentiable(with_rule, splined, reading, turned, why="checks an argument")


def grid_spline(grid: Any, values: Any, k: int) -> Any:
    """The spline of all variables, fitted by one after the other"""
    knots, c = [], values
    for axis, places in enumerate(grid):
        fit = make_interp_spline(places, np.moveaxis(c, axis, 0), k)
        knots.append(fit.t)
        c = np.moveaxis(fit.c, 0, axis)
    return NdBSpline(tuple(knots), c, k)


@written_out(RegularGridInterpolator)
def regular_grid(
    points: _GRID,
    values: Array | list,
    *,
    method="linear",
    bounds_error=True,
    fill_value=np.nan,
    solver=None,
    solver_args=None,
):
    """The object holds grid, values and, where it is one, the spline"""
    with_rule(method, points)
    made = own(made_grid, points, values, method, bounds_error, fill_value, solver, solver_args)
    grid, inner = [], floats(values)
    for axis, places in enumerate(points):
        back = turned(made, axis)
        grid.append(floats(places)[::-1] if back else floats(places))
        inner = np.flip(inner, axis) if back else inner
    if splined(method):
        spline = grid_spline(grid, inner, _DEGREES[method])
        return holding(made, ("_grid", "_values", "_spline"), tuple(grid), inner, spline)
    return holding(made, ("_grid", "_values"), tuple(grid), inner)


def made_grid(
    points: Any, values: Any, method: Any, bounds_error: Any, fill_value: Any, solver: Any, args: Any
) -> Any:
    """The object that SciPy makes."""
    return RegularGridInterpolator(
        points, values, method, bounds_error, fill_value, solver=solver, solver_args=args
    )


def rows_of(xi: Any, ndim: int) -> Any:
    """The points, a variable in each place of the last axis."""
    if isinstance(xi, tuple):
        shape = np.broadcast_shapes(*[np.shape(x) for x in xi])
        return np.stack([np.broadcast_to(floats(x), shape) for x in xi], axis=-1)
    at = floats(xi)
    return np.reshape(at, (-1, ndim)) if np.ndim(at) == 1 else at


def corners(grid: Any, values: Any, at: Any) -> Any:
    """Lines between neighbours, by all variables"""
    steps, weight, there = own(steps_to_corners, len(grid)), 1.0, 0
    for d, x in enumerate(grid):
        i = piece_of(x, at[:, d])
        far = (at[:, d] - x[i]) / (x[i + 1] - x[i])
        weight = weight * np.where(steps[d], far, 1 - far)
        there = there * len(x) + i + steps[d]
    rows = np.reshape(values, (-1, *np.shape(values)[len(grid) :]))
    return np.sum(spread(weight, np.ndim(values) - len(grid)) * rows[there], axis=0)


def steps_to_corners(n: int) -> Any:
    """For each of n variables a column that says by how many places each corner of a cell is further on."""
    return np.reshape(np.indices((2,) * n), (n, 2**n, 1))


def nearest(grid: Any, at: Any) -> Any:
    """The places of the nearest values."""
    found = []
    for d, x in enumerate(grid):
        i = piece_of(x, at[:, d])
        found.append(np.where((at[:, d] - x[i]) / (x[i + 1] - x[i]) <= 0.5, i, i + 1))
    return tuple(found)


def outside(grid: Any, at: Any) -> Any:
    """Which points are outside."""
    return np.any([(at[:, d] < x[0]) | (at[:, d] > x[-1]) for d, x in enumerate(grid)], axis=0)


non_differentiable(nearest, outside, why="indices and truth values")


def one_after_the_other(grid: Any, values: Any, at: Any) -> Any:
    """PCHIP by the last variable, then by each before it"""
    last = len(grid) - 1
    y = np.moveaxis(values, last, 0)
    y = power_values(
        hermite(grid[last], y, by_columns(pchip_slopes, grid[last], y)), grid[last], at[:, last], 0
    )
    for d in range(last - 1, -1, -1):
        # an axis of points in front, and a curve for each of them
        y = np.moveaxis(y, d + 1, 0)
        c = hermite(grid[d], y, by_columns(pchip_slopes, grid[d], y))
        i = piece_of(grid[d], at[:, d])
        there = c[:, i, np.arange(np.shape(at)[0])]
        step = spread(at[:, d] - grid[d][i], np.ndim(there) - 2)
        y = ((there[0] * step + there[1]) * step + there[2]) * step + there[3]
    return y


@written_out(RegularGridInterpolator.__call__)
def regular_grid_call(self: RegularGridInterpolator, xi: _POINTS, *, method=None, nu=None):
    """y = Σ over the corners of the cell of Π w_d v, or as the method says"""
    chosen, other = reading(self, method)
    own(RegularGridInterpolator.__call__, self, xi, method, nu=nu)
    grid, values = self._grid, self._values
    rows = rows_of(xi, len(grid))
    shape = np.shape(rows)
    at = np.reshape(rows, (-1, len(grid)))
    if splined(chosen):
        spline = grid_spline(grid, values, _DEGREES[chosen]) if other else self._spline
        y = spline(at, nu=nu)
    elif chosen == "linear":
        y = corners(grid, values, at)
    elif chosen == "nearest":
        y = values[nearest(grid, at)]
    else:
        y = one_after_the_other(grid, values, at)
    trailing = np.ndim(values) - len(grid)
    if not self.bounds_error and self.fill_value is not None:
        y = np.where(spread(outside(grid, at), trailing), self.fill_value, y)
    y = np.where(spread(np.isnan(at).any(axis=1), trailing), np.nan, y)
    return np.reshape(y, (*shape[:-1], *np.shape(values)[len(grid) :]))


@written_out(interpn)
def interpn_written_out(
    points: _GRID, values: Array | list, xi: _POINTS, *, method="linear", bounds_error=True, fill_value=np.nan
):
    """RegularGridInterpolator(points, values)(xi)"""
    table = RegularGridInterpolator(points, values, method, bounds_error, fill_value)
    return table(xi)
