"""Points and what is near them: Minkowski's distances, neighbours, Procrustes, arcs of a sphere.

Which points are neighbours is held constant; at a tie it is what SciPy chose. Distances
of coincident points have derivative zero, those of a periodic tree are to the nearest image. The points of a
cKDTree are constants, those of a KDTree not. An arc between antipodes is not unique and refused.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import linalg, spatial

from ....core import Array, NotDifferentiableError, non_differentiable
from ...written import own, written_out
from ..absolute import absolute_power
from . import metrics
from .hulls import held_property, holding
from .metrics import reals

_POINTS = np.ndarray | list | tuple


@written_out(spatial.minkowski_distance)
def minkowski_distance(x: _POINTS, y: _POINTS, p: Array = 2.0):
    """(Σ |y − x|ᵖ)^(1/p)"""
    value = own(spatial.minkowski_distance, x, y, p)
    a, b = reals(x, "minkowski_distance", value), reals(y, "minkowski_distance", value)
    return metrics.minkowski(a, b, p)


@written_out(spatial.minkowski_distance_p)
def minkowski_distance_p(x: _POINTS, y: _POINTS, p: Array = 2.0):
    """Σ |y − x|ᵖ, for p = ∞ the largest difference"""
    value = own(spatial.minkowski_distance_p, x, y, p)
    a, b = reals(x, "minkowski_distance_p", value), reals(y, "minkowski_distance_p", value)
    if p == np.inf:
        return np.max(np.abs(b - a), axis=-1)
    return np.sum(absolute_power(b - a, p), axis=-1)


@written_out(spatial.distance_matrix)
def distance_matrix(x: _POINTS, y: _POINTS, p: Array = 2.0, *, threshold=1000000):
    """d_ij = (Σ |y_j − x_i|ᵖ)^(1/p)"""
    value = own(spatial.distance_matrix, x, y, p, threshold)
    a, b = reals(x, "distance_matrix", value), reals(y, "distance_matrix", value)
    return metrics.minkowski(a[:, None], b[None], p)


for _P in (spatial.KDTree, spatial.cKDTree):
    held_property(_P, "data")


@written_out(spatial.KDTree)
def tree_of(
    data: _POINTS, *, leafsize=10, compact_nodes=True, copy_data=False, balanced_tree=True, boxsize=None
):
    """The points are held"""
    made = own(spatial.KDTree, data, leafsize, compact_nodes, copy_data, balanced_tree, boxsize)
    return holding(made, ("data",), reals(data, "KDTree"))


def to_nearest_images(tree: Any, d: Any) -> Any:
    """What brings differences of points in a periodic box to those of their nearest images, a constant."""
    box = (
        np.zeros(np.shape(d)[-1]) if tree.boxsize is None else np.broadcast_to(tree.boxsize, np.shape(d)[-1])
    )
    return np.where(box > 0, -box * np.round(d / np.where(box > 0, box, 1.0)), 0.0)


non_differentiable(to_nearest_images, why="counts periods")


def _query(tree: Any, x: Any, **options: Any) -> Any:
    found, where = own(type(tree).query, tree, x, **options)
    if np.size(found) == 0:
        return found, where
    at, points, order = reals(x, "KDTree.query"), tree.data, options.get("p", 2.0)
    missing = np.asarray(where) == len(points)
    there = points[np.where(missing, 0, where)]
    if np.ndim(where) == np.ndim(at):
        at = np.expand_dims(at, -2)
    d = metrics.minkowski(at, there + to_nearest_images(tree, there - at), order)
    return np.where(missing, np.inf, d)[()], where


@written_out(spatial.KDTree.query)
def query(self: spatial.KDTree, x: _POINTS, *, k=1, eps=0.0, p=2.0, distance_upper_bound=np.inf, workers=1):
    """d = |x − x_i|, i the neighbours"""
    return _query(self, x, k=k, eps=eps, p=p, distance_upper_bound=distance_upper_bound, workers=workers)


@written_out(
    spatial.cKDTree.query, signature="self, x, k=1, eps=0.0, p=2.0, distance_upper_bound=None, workers=1"
)
def compiled_query(
    self: spatial.cKDTree, x: _POINTS, *, k=1, eps=0.0, p=2.0, distance_upper_bound=np.inf, workers=1
):
    """d = |x − x_i|, i the neighbours"""
    return _query(self, x, k=k, eps=eps, p=p, distance_upper_bound=distance_upper_bound, workers=workers)


@written_out(spatial.procrustes)
def procrustes(data1: _POINTS, data2: _POINTS):
    """Both centred and of norm one, the second turned and stretched to the first; and Σ (a − b)²"""
    own(spatial.procrustes, data1, data2)
    a, b = reals(data1, "procrustes").astype(float), reals(data2, "procrustes").astype(float)
    a, b = a - np.mean(a, axis=0), b - np.mean(b, axis=0)
    a, b = a / np.linalg.norm(a), b / np.linalg.norm(b)
    r, s = linalg.orthogonal_procrustes(a, b)
    b = np.matmul(b, np.swapaxes(r, 0, 1)) * s
    return a, b, np.sum((a - b) ** 2)


def check_arc(start: Any, end: Any, tol: Any) -> None:
    """Refuse antipodes, which no one arc joins."""
    if abs(np.linalg.norm(start - end) - 2.0) <= abs(tol):
        raise NotDifferentiableError(
            "scipy.spatial.geometric_slerp is not unique between antipodes",
            next="give a point between them, and take two arcs",
        )


non_differentiable(check_arc, why="checks an argument")


@written_out(spatial.geometric_slerp)
def geometric_slerp(start: _POINTS, end: _POINTS, t: Array | list, *, tol=1e-7):
    """cos(tθ) a + sin(tθ) e, θ the angle from a to b, and e of length one across a in their plane"""
    own(spatial.geometric_slerp, start, end, t, tol)
    a, b, share = reals(start, "geometric_slerp"), reals(end, "geometric_slerp"), reals(t, "geometric_slerp")
    check_arc(a, b, tol)
    along = np.sum(a * b)
    across = b - along * a
    length = np.linalg.norm(across)
    share = np.expand_dims(share, -1)
    if length == 0:
        return a + share * (b - a)
    angle = np.arctan2(length, along)
    return np.cos(share * angle) * a + np.sin(share * angle) * (across / length)
