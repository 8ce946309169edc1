"""`interp1d`: a table of values, read between its sites in each of its kinds.

An object holds its sites and values, those that stand for points outside, and of the kinds that are splines
the spline; these are its fields. The sites are sorted as SciPy does it. Kinds that choose one value have no
slope by points and sites; a point on a site belongs to the line that begins there. `fill_value` is an
option: a derivative by what it holds is refused.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.interpolate import interp1d, make_interp_spline

from ....core import Array, non_differentiable
from ...written import own, written_out
from .cubic import in_front
from .objects import holding
from .piecewise import floats
from .places import delivered, spread

_VALUES = Array | list


def is_spline(table: Any) -> bool:
    """Whether a table is read by a spline."""
    return bool(table._kind == "spline")


def reads_one_dimension(table: Any) -> bool:
    """Whether SciPy reads a table by `numpy.interp`."""
    return bool(table._call.__name__ == "_call_linear_np")


def ascending(x: Any, assume_sorted: Any) -> Any:
    """The order of the sites."""
    return np.arange(np.size(x)) if assume_sorted else np.argsort(np.asarray(x), kind="mergesort")


def beyond(table: Any, fill_value: Any) -> tuple[bool, bool]:
    """Whether values of the table stand for points below and above it."""
    extended = isinstance(fill_value, str) and not table._extrapolate
    return extended and table._kind == "next", extended and table._kind == "previous"


def chosen(table: Any, at: Any) -> Any:
    """Which value stands for each point, of the kinds that choose one."""
    if table._kind in ("previous", "next"):
        i = np.searchsorted(table._x_shift, at, side=table._side)
        return np.clip(i, 1 - table._ind, len(table.x) - table._ind) + table._ind - 1
    return np.clip(np.searchsorted(table.x_bds, at, side=table._side), 0, len(table.x) - 1)


def outside(table: Any, at: Any) -> tuple[Any, Any]:
    """Which points are below and above the table, where it has values of its own for them."""
    if table._extrapolate:
        return np.zeros(np.shape(at), bool), np.zeros(np.shape(at), bool)
    return at < table.x[0], at > table.x[-1]


non_differentiable(
    is_spline, reads_one_dimension, ascending, beyond, chosen, outside, why="indices and truth values"
)


@written_out(interp1d)
def table(
    x: _VALUES,
    y: _VALUES,
    *,
    kind="linear",
    axis=-1,
    copy=True,
    bounds_error=None,
    fill_value=np.nan,
    assume_sorted=False,
):
    """The object holds x, y and what it reads them by"""
    made = own(interp1d, x, y, kind, axis, copy, bounds_error, fill_value, assume_sorted)
    order = ascending(x, assume_sorted)
    sites = floats(x)[order]
    front = in_front(y, axis)[order]
    values = np.moveaxis(front, 0, axis)
    rows = np.reshape(front, (np.shape(front)[0], -1))
    if is_spline(made):
        spline = make_interp_spline(sites, rows, made._spline.k, check_finite=False)
        return holding(made, ("x", "y", "_y", "_spline"), sites, values, rows, spline)
    below, above = beyond(made, fill_value)
    if below:
        return holding(made, ("x", "y", "_y", "_fill_value_below"), sites, values, rows, rows[0])
    if above:
        return holding(made, ("x", "y", "_y", "_fill_value_above"), sites, values, rows, rows[-1])
    return holding(made, ("x", "y", "_y"), sites, values, rows)


def line(x: Any, y: Any, at: Any) -> Any:
    """The line between two sites, the outer ones further on"""
    i = own(pieces, x, at)
    slope = (y[i + 1] - y[i]) / spread(x[i + 1] - x[i], 1)
    return y[i] + slope * spread(at - x[i], 1)


def pieces(x: Any, at: Any) -> Any:
    """The site on the left of each point."""
    return np.clip(np.searchsorted(x, at, side="right") - 1, 0, len(x) - 2)


@written_out(interp1d.__call__)
def table_call(self: interp1d, x: _VALUES):
    """y = y_i + (y_{i+1} − y_i)/(x_{i+1} − x_i) (s − x_i), or as the kind says"""
    own(interp1d.__call__, self, x)
    at = floats(x)
    shape = np.shape(at)
    at = np.reshape(at, -1)
    if is_spline(self):
        y = self._spline(at)
    elif self._kind == "linear":
        values = np.reshape(self.y, (-1, 1)) if reads_one_dimension(self) else self._y
        y = line(self.x, values, at)
    else:
        y = self._y[chosen(self, at)]
    below, above = outside(self, at)
    if np.any(below):
        y = np.where(spread(below, 1), self._fill_value_below, y)
    if np.any(above):
        y = np.where(spread(above, 1), self._fill_value_above, y)
    y = np.reshape(y, (np.size(at), *self._y_extra_shape))
    return delivered(y, shape, self._y_axis if shape else 0)
