"""Values at scattered points: `LinearNDInterpolator`, `NearestNDInterpolator` and `griddata`.

Which simplex a point is in is held constant; on the border of two the derivative is that of the simplex
that Qhull finds, which is the side of one of them. The nearest value has no slope, and does not depend on
where the data points are. Outside there is the fill value, with derivative zero. The data points that an
object shows are those that it rescaled, where it was asked to. Cubics over triangles are in `triangles`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.interpolate import (
    CloughTocher2DInterpolator,
    LinearNDInterpolator,
    NearestNDInterpolator,
    griddata,
    interp1d,
)
from scipy.spatial import Delaunay, KDTree

from ....core import Array, non_differentiable
from ....tangents import construct
from ...written import own, written_out
from .grids import rows_of
from .objects import holding
from .piecewise import floats
from .places import only

_POINTS = np.ndarray | list | tuple
_VALUES = Array | list


@construct.register(LinearNDInterpolator)
def make_linear(P: Any, values: Any, like: Any) -> Any:
    """An object of these points and values, as `move` makes it, with their triangulation."""
    return like_another(P(values["points"], values["values"], like.fill_value), values, like)


@construct.register(NearestNDInterpolator)
def make_nearest(P: Any, values: Any, like: Any) -> Any:
    """An object of these points and values, as `move` makes it, with their tree."""
    made = like_another(P(values["points"], values["values"]), values, like)
    made.tree = KDTree(made.points)
    return made


def like_another(made: Any, values: Any, like: Any) -> Any:
    """An object with the shape of values and the scale of another."""
    for name, value in vars(like).items():
        if name not in ("tri", "tree", "points", "values"):
            setattr(made, name, values.get(name, value))
    return made


def extents(x: Any) -> Any:
    """By how much points differ in each variable, one where they do not"""
    width = np.max(x, axis=0) - np.min(x, axis=0)
    return np.where(width > 0, width, 1.0)


def with_points(made: Any, x: Any, values: Any, rescale: bool) -> Any:
    """The object with the derivatives of its points and values, and of what it rescales by"""
    if not rescale:
        return holding(made, ("points", "values"), x, values)
    offset, scale = np.mean(x, axis=0), extents(x)
    return holding(made, ("points", "values", "offset", "scale"), (x - offset) / scale, values, offset, scale)


@written_out(LinearNDInterpolator)
def linear(points: _POINTS | Delaunay, values: _VALUES, *, fill_value=np.nan, rescale=False):
    """The object holds points and values"""
    made = own(LinearNDInterpolator, points, values, fill_value, rescale)
    x = points.points if isinstance(points, Delaunay) else rows_of(points, 1)
    inner = floats(values)
    return with_points(made, floats(x), np.reshape(inner, (np.shape(inner)[0], -1)), rescale)


@written_out(NearestNDInterpolator)
def nearest(x: _POINTS, y: _VALUES, *, rescale=False, tree_options=None):
    """The object holds points and values"""
    made = own(NearestNDInterpolator, x, y, rescale, tree_options)
    return with_points(made, floats(rows_of(x, 1)), np.asarray(y), rescale)


def corners_of(interpolator: Any, at: Any) -> tuple[Any, Any]:
    """The corners of the simplex of each point, and which points have one."""
    found = interpolator.tri.find_simplex(at)
    return interpolator.tri.simplices[np.maximum(found, 0)], found >= 0


def nearest_of(interpolator: Any, at: Any, options: Any) -> tuple[Any, Any]:
    """Which value stands for each point, and whether one does."""
    distance, found = interpolator.tree.query(at, **options)
    within = np.isfinite(distance)
    return np.where(within, found, 0), within


def is_scaled(interpolator: Any) -> bool:
    """Whether an object rescales points."""
    return getattr(interpolator, "scale", None) is not None


def trailing_of(interpolator: Any) -> tuple[int, ...]:
    """The shape of one value."""
    return tuple(interpolator.values_shape)


non_differentiable(
    corners_of, nearest_of, is_scaled, trailing_of, why="indices, truth values and whole numbers"
)


def queried(interpolator: Any, xi: Any) -> Any:
    """The points, the variables in the last axis, as they were given and as the object scales them"""
    rows = rows_of(xi[0] if len(xi) == 1 else xi, np.shape(interpolator.points)[1])
    at = np.reshape(rows, (-1, np.shape(rows)[-1]))
    return rows, (at - interpolator.offset) / interpolator.scale if is_scaled(interpolator) else at


def shares(corners: Any, at: Any, within: Any) -> Any:
    """Barycentric coordinates: Σ b_i p_i = x, Σ b_i = 1"""
    apart = np.swapaxes(corners[:, 1:] - corners[:, :1], 1, 2)
    apart = np.where(within[:, None, None], apart, np.eye(np.shape(at)[1]))
    some = np.linalg.solve(apart, (at - corners[:, 0])[..., None])[..., 0]
    return np.concatenate((1 - np.sum(some, axis=1, keepdims=True), some), axis=1)


@written_out(LinearNDInterpolator.__call__)
def linear_call(self: LinearNDInterpolator, *xi: _VALUES | tuple):
    """z = Σ b_i v_i, over the corners of the simplex, with barycentric coordinates b"""
    own(LinearNDInterpolator.__call__, self, *xi)
    rows, at = queried(self, xi)
    corners, within = own(corners_of, self, at)
    b = shares(self.points[corners], at, within)
    z = np.sum(b[..., None] * self.values[corners], axis=1)
    z = np.where(within[:, None], z, self.fill_value)
    return np.reshape(z, (*np.shape(rows)[:-1], *trailing_of(self)))


@written_out(NearestNDInterpolator.__call__)
def nearest_call(self: NearestNDInterpolator, *xi: _VALUES | tuple, **query_options):
    """z = v of the nearest point"""
    rows, at = queried(self, xi)
    i, within = own(nearest_of, self, at, query_options)
    values = self.values
    return np.reshape(only(within, values[i] * 1.0), (*np.shape(rows)[:-1], *np.shape(values)[1:]))


def in_order(x: Any) -> Any:
    """The order of sites."""
    return np.argsort(x)


non_differentiable(in_order, why="an order")


@written_out(griddata)
def griddata_written_out(
    points: _POINTS,
    values: _VALUES,
    xi: _VALUES | tuple,
    *,
    method="linear",
    fill_value=np.nan,
    rescale=False,
):
    """The interpolator that the method names, of these points and values, at xi"""
    dtype = own(griddata, points, values, xi, method, fill_value, rescale).dtype
    x = rows_of(points, 1)
    inner = floats(values)
    if np.shape(x)[1] == 1:
        order = in_order(x[:, 0])
        fill = "extrapolate" if method == "nearest" else fill_value
        curve = interp1d(x[order, 0], inner[order], kind=method, axis=0, bounds_error=False, fill_value=fill)
        return curve(xi[0] if isinstance(xi, tuple) else xi).astype(dtype)
    if method == "nearest":
        return NearestNDInterpolator(x, inner, rescale)(xi)
    if method == "cubic":
        return CloughTocher2DInterpolator(x, inner, fill_value, rescale=rescale)(xi)
    return LinearNDInterpolator(x, inner, fill_value, rescale)(xi)
