"""Smooth surfaces over triangles: `CloughTocher2DInterpolator`, by points, values and the places asked for.

A cubic on each third of each triangle, given by its Bézier points [Clough & Tocher 1965; Farin 1986]. Across
an edge the slope towards the middle of the neighbour is linear along the edge. The slopes at the data points
are those that bend the edges least [Nielson 1983]; SciPy comes near them by sweeps, to `tol`, and the
derivative is that of the slopes that it comes near to. Which triangles there are is held constant; outside
there is the fill value, without a slope.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.interpolate import CloughTocher2DInterpolator
from scipy.sparse import csc_array
from scipy.sparse.linalg import spsolve
from scipy.spatial import Delaunay

from ....core import Array, NotDifferentiableError, non_differentiable
from ....tangents import construct
from ...written import own, written_out
from .collocation import placed
from .grids import rows_of
from .objects import holding
from .piecewise import floats
from .scattered import corners_of, extents, like_another, queried, shares, trailing_of

_POINTS = np.ndarray | list | tuple
_VALUES = Array | list
_NEXT, _LAST = np.array([1, 2, 0]), np.array([2, 0, 1])


@construct.register(CloughTocher2DInterpolator)
def make_clough_tocher(P: Any, values: Any, like: Any) -> Any:
    """An object of these points, values and slopes, as `move` makes it, with their triangulation."""
    made = P(values["points"], values["values"], like.fill_value, like._tol, like._maxiter)
    return like_another(made, values, like)


def edges(made: Any) -> tuple[Any, Any, Any]:
    """The edges of the triangles, both ways: where each begins, where it ends; and the points without one."""
    starts, ends = made.tri.vertex_neighbor_vertices
    counts = np.diff(starts)
    return np.repeat(np.arange(len(counts)), counts), np.asarray(ends, int), np.flatnonzero(counts == 0)


def blocks(i: Any, j: Any) -> tuple[Any, Any]:
    """Rows and columns of the 2 × 2 blocks (i, j) of a matrix, laid flat."""
    one, two = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
    return np.ravel(2 * i[:, None] + one), np.ravel(2 * j[:, None] + two)


def places(i: Any, width: int) -> Any:
    """Where two rows of each point i stand in a matrix that is so wide, laid flat."""
    return np.ravel(2 * width * i[:, None] + np.arange(2 * width))


def settled(found: Any, made: Any) -> None:
    """Refuse slopes that SciPy's sweeps have not come near to."""
    joined = np.diff(made.tri.vertex_neighbor_vertices[0]) > 0
    apart = np.max(np.abs(found - made.grad)[joined], initial=0.0)
    if not apart <= 1e4 * made._tol * max(1.0, np.max(np.abs(found), initial=0.0)):
        raise NotDifferentiableError(
            "the slopes of CloughTocher2DInterpolator did not converge", next="give a larger maxiter"
        )


def across(made: Any, at: Any) -> tuple[Any, Any]:
    """The triangles on the other side of the edges of each point's, and which edges have one."""
    beyond = made.tri.neighbors[np.maximum(made.tri.find_simplex(at), 0)]
    return made.tri.simplices[np.maximum(beyond, 0)], beyond >= 0


def opposite(shares: Any) -> tuple[Any, Any, Any]:
    """The corner whose third of the triangle each point is furthest from, and the two after it."""
    k = np.argmin(shares, axis=1)
    return k, _NEXT[k], _LAST[k]


non_differentiable(edges, blocks, places, settled, across, opposite, why="places, truth values, checks")


def slopes(made: Any, x: Any, values: Any) -> Any:
    """Σ_j [4 e (e·g_i) + 2 e (e·g_j) − 6 (f_j − f_i) e] / |e|³ = 0, e = x_j − x_i        [Nielson 1983]"""
    i, j, alone = own(edges, made)
    e = x[j] - x[i]
    weight = np.sum(e * e, axis=1) ** -1.5
    block = np.reshape(weight[:, None, None] * e[:, :, None] * e[:, None, :], -1)
    by_own, by_other, still = own(blocks, i, i), own(blocks, i, j), own(blocks, alone, alone)
    row, column = [np.concatenate(some) for some in zip(by_own, by_other, still, strict=True)]
    whole = np.concatenate((4.0 * block, 2.0 * block, np.ravel(np.outer(np.ones(len(alone)), np.eye(2)))))
    size, width = 2 * np.shape(x)[0], np.shape(values)[1]
    rise = 6.0 * weight[:, None, None] * e[:, :, None] * (values[j] - values[i])[:, None, :]
    pull = placed(np.reshape(rise, -1), at=own(places, i, width), shape=(size, width))
    g = spsolve(csc_array((whole, (row, column)), shape=(size, size)), pull)
    return np.swapaxes(np.reshape(g, (-1, 2, width)), 1, 2)


@written_out(CloughTocher2DInterpolator)
def clough_tocher(
    points: _POINTS | Delaunay, values: _VALUES, *, fill_value=np.nan, tol=1e-6, maxiter=400, rescale=False
):
    """The object holds points, values and slopes"""
    made = own(CloughTocher2DInterpolator, points, values, fill_value, tol, maxiter, rescale)
    x = floats(points.points if isinstance(points, Delaunay) else rows_of(points, 1))
    inner = floats(values)
    inner = np.reshape(inner, (np.shape(inner)[0], -1))
    if not rescale:
        g = slopes(made, x, inner)
        settled(g, made)
        return holding(made, ("points", "values", "grad"), x, inner, g)
    offset, scale = np.mean(x, axis=0), extents(x)
    x = (x - offset) / scale
    g = slopes(made, x, inner)
    settled(g, made)
    return holding(made, ("points", "values", "grad", "offset", "scale"), x, inner, g, offset, scale)


def leanings(self: Any, at: Any, corners: Any) -> Any:
    """For each edge, how far along it the middle of the triangle beyond is from the middle of the edge"""
    beyond, there = own(across, self, at)
    flat = np.reshape(corners, (-1, 3))[np.repeat(np.arange(len(at)), 3)]
    c = shares(self.points[flat], np.reshape(np.mean(self.points[beyond], axis=2), (-1, 2)), np.ravel(there))
    c = np.reshape(c, (-1, 3, 3))
    each = np.arange(3)
    first, second = c[:, each, _NEXT], c[:, each, _LAST]
    below = np.where(there, 2.0 - 3.0 * (first + second), 1.0)
    return np.where(there, (2.0 * second + first - 1.0) / below, -0.5)[..., None]


def net(x: Any, f: Any, g: Any, leaning: Any) -> tuple[Any, ...]:
    """The Bézier points of the three cubics of each triangle, by its corners or its edges

    Of corner i: on the edge to the next and to the last corner, and two towards the middle. Of the edge
    opposite corner k, from k + 1 to k + 2: the one between. And the middle.
    """
    to_next = np.sum(g * (x[:, _NEXT] - x)[:, :, None, :], axis=-1) / 3.0 + f
    to_last = np.sum(g * (x[:, _LAST] - x)[:, :, None, :], axis=-1) / 3.0 + f
    inward = (f + to_next + to_last) / 3.0
    a, b, c, d = f[:, _NEXT], to_next[:, _NEXT], to_last[:, _LAST], f[:, _LAST]
    bend = leaning * (d - a + 3.0 * (b - c))
    between = (bend - a + 2.0 * b - c + inward[:, _NEXT] + inward[:, _LAST]) / 2.0
    further = (inward + between[:, _NEXT] + between[:, _LAST]) / 3.0
    return to_next, to_last, inward, between, further, np.sum(further, axis=1) / 3.0


@written_out(CloughTocher2DInterpolator.__call__)
def clough_tocher_call(self: CloughTocher2DInterpolator, *xi: _VALUES | tuple):
    """z = Σ 3!/(a! b! c!) s^a t^b u^c p_abc, in the third of the triangle that the point is in"""
    own(CloughTocher2DInterpolator.__call__, self, *xi)
    rows, at = queried(self, xi)
    corners, within = own(corners_of, self, at)
    x, f = self.points[corners], self.values[corners]
    lambdas = shares(x, at, within)
    parts = net(x, f, self.grad[corners], leanings(self, at, corners))
    to_next, to_last, inward, between, further, middle = parts
    k, i, j = own(opposite, lambdas)
    n = np.arange(np.shape(at)[0])
    least = lambdas[n, k][:, None]
    s, t, u = lambdas[n, i][:, None] - least, lambdas[n, j][:, None] - least, 3.0 * least
    z = s**3 * f[n, i] + t**3 * f[n, j] + u**3 * middle + 6.0 * s * t * u * between[n, k]
    z = z + 3.0 * s * t * (s * to_next[n, i] + t * to_last[n, j])
    z = z + 3.0 * u * (s * s * inward[n, i] + t * t * inward[n, j])
    z = z + 3.0 * u * u * (s * further[n, i] + t * further[n, j])
    z = np.where(within[:, None], z, self.fill_value)
    return np.reshape(z, (*np.shape(rows)[:-1], *trailing_of(self)))
