"""Trees of clusters: which clusters are joined, and in what order, is held constant; their heights move.

A height is a distance between two sets of points. Of single and complete linkage it is that of one pair; of
the means one of many, h = αᵀ D β with weights α and β of the points in either; and centroids, medians and
Ward's variances have h² = −½ (α − β)ᵀ D² (α − β), by squares of all distances [Lance & Williams 1967]. Where
pairs tie it is the first. A height of zero has derivative zero.

What reads a tree reads its heights: the third column.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.cluster import hierarchy
from scipy.spatial import distance

from ....core import Array, non_differentiable
from ...written import own, written_out
from ..spatial.metrics import length

_POINTS = np.ndarray | list
_SQUARED = ("centroid", "median", "ward")
_HALVES = ("weighted", "median")


def joined(tree: Any) -> Any:
    """For each row of a tree the points of the two clusters that it joins."""
    tree, n = np.asarray(tree), len(tree) + 1
    sets: list[list[int]] = [[i] for i in range(n)]
    pairs = []
    for one, two in tree[:, :2].astype(int):
        pairs.append((sets[one], sets[two]))
        sets.append(sets[one] + sets[two])
    return pairs


def chosen(tree: Any, square: Any, method: str) -> Any:
    """The rows and columns of the distances that are heights of single or complete linkage."""
    found = []
    for one, two in joined(tree):
        among = square[np.ix_(one, two)]
        i, j = np.unravel_index(among.argmin() if method == "single" else among.argmax(), among.shape)
        found.append((one[i], two[j]))
    return tuple(np.array(found).T)


def shares(tree: Any, method: str) -> Any:
    """The weights of the points in either cluster, a row for each two that are joined."""
    n = len(tree) + 1
    rows = [np.eye(n)[i] for i in range(n)]
    pairs = []
    for (one, two), (a, b) in zip(tree[:, :2].astype(int), joined(tree), strict=True):
        part = 0.5 if method in _HALVES else len(a) / (len(a) + len(b))
        pairs.append((rows[one], rows[two]))
        rows.append(part * rows[one] + (1 - part) * rows[two])
    return np.array(pairs).transpose(1, 0, 2)


def spread(tree: Any) -> Any:
    """Twice the sizes of the two clusters multiplied and divided by their sum, which Ward's method has."""
    return np.array([2 * len(a) * len(b) / (len(a) + len(b)) for a, b in joined(tree)])


def below(tree: Any, depth: Any) -> Any:
    """Ones where a link is at most so many links below another, or is it."""
    n = len(tree) + 1
    made = np.eye(n - 1)
    reach = np.eye(n - 1)
    children = np.zeros((n - 1, n - 1))
    for k, row in enumerate(np.asarray(tree)[:, :2].astype(int)):
        children[k, [i - n for i in row if i >= n]] = 1.0
    for _ in range(min(int(depth), n) - 1):
        reach = (reach @ children > 0).astype(float)
        made = np.maximum(made, reach)
    return made


def highest(tree: Any, values: Any) -> Any:
    """For each link the one with the largest of these values among it and all below it."""
    under = below(tree, len(tree) + 1) > 0
    return np.argmax(np.where(under, np.asarray(values), -np.inf), axis=1)


def meeting(tree: Any) -> Any:
    """For each two points, as in a condensed distance matrix, the link that joins them."""
    n = len(tree) + 1
    square = np.zeros((n, n), int)
    for k, (one, two) in enumerate(joined(tree)):
        square[np.ix_(one, two)] = k
        square[np.ix_(two, one)] = k
    return square[np.triu_indices(n, 1)]


for _of_the_tree in (joined, chosen, shares, spread, below, highest, meeting):
    non_differentiable(_of_the_tree, why="the tree is held constant")


def heights(tree: Any, square: Any, method: str) -> Any:
    """The heights of a tree, from the square form of the distances"""
    if method in ("single", "complete"):
        return square[chosen(tree, square, method)]
    one, two = shares(tree, method)
    if method not in _SQUARED:
        return np.sum(np.matmul(one, square) * two, axis=-1)
    apart = one - two
    squares = -0.5 * np.sum(np.matmul(apart, square * square) * apart, axis=-1)
    return length(squares * spread(tree) if method == "ward" else squares)


def moving(tree: Any, y: Any, method: str, metric: Any) -> Any:
    """The tree whose heights move with points or with distances"""
    y = np.asarray(y) * 1.0
    square = distance.squareform(y if np.ndim(y) == 1 else distance.pdist(y, metric), checks=False)
    return with_heights(tree, heights(tree, square, method))


@written_out(hierarchy.linkage)
def linkage(y: _POINTS, *, method="single", metric="euclidean", optimal_ordering=False):
    """h = the distance of the clusters joined"""
    tree = own(hierarchy.linkage, y, method, metric, optimal_ordering)
    return moving(tree, y, method, metric)


def _by_method(f: Any) -> None:
    def by_method(y: _POINTS):
        """h = the distance of the clusters joined"""
        return moving(own(f, y), y, f.__name__, "euclidean")

    by_method.__name__ = by_method.__qualname__ = f.__name__
    written_out(f)(by_method)


for _name in ("single", "complete", "average", "weighted", "centroid", "median", "ward"):
    _by_method(getattr(hierarchy, _name))


def with_heights(tree: Any, h: Any) -> Any:
    """A tree with these heights; of three columns or four"""
    return np.concatenate((tree[:, :2], np.expand_dims(h, -1), tree[:, 3:]), axis=1)


@written_out(hierarchy.optimal_leaf_ordering)
def optimal_leaf_ordering(Z: _POINTS, y: object, *, metric="euclidean"):
    """The same heights"""
    return with_heights(
        own(hierarchy.optimal_leaf_ordering, np.array(Z), y, metric), (np.asarray(Z) * 1.0)[:, 2]
    )


@written_out(hierarchy.from_mlab_linkage)
def from_mlab_linkage(Z: _POINTS):
    """The same heights"""
    return with_heights(own(hierarchy.from_mlab_linkage, np.array(Z)), (np.asarray(Z) * 1.0)[:, 2])


@written_out(hierarchy.to_mlab_linkage)
def to_mlab_linkage(Z: _POINTS):
    """The same heights"""
    return with_heights(own(hierarchy.to_mlab_linkage, np.array(Z)), (np.asarray(Z) * 1.0)[:, 2])


@written_out(hierarchy.cophenet)
def cophenet(Z: _POINTS, Y: object = None):
    """d_ij = the height at which i and j are joined; and the correlation with other distances"""
    own(hierarchy.cophenet, Z, Y)
    tree = np.asarray(Z) * 1.0
    d = tree[:, 2][meeting(tree)]
    if Y is None:
        return d
    other = np.asarray(Y) * 1.0
    a, b = other - np.mean(other), d - np.mean(d)
    return np.sum(a * b) / np.sqrt(np.sum(a * a) * np.sum(b * b)), d


@written_out(hierarchy.inconsistent)
def inconsistent(Z: _POINTS, *, d=2):
    """Of the heights of the links near below: mean, deviation, their number, (h − mean)/deviation"""
    own(hierarchy.inconsistent, np.array(Z), d)
    h = (np.asarray(Z) * 1.0)[:, 2]
    near = below(Z, d)
    count = np.sum(near, axis=1)
    mean = np.matmul(near, h) / count
    rest = (h - np.expand_dims(mean, -1)) * near
    deviation = length(np.sum(rest * rest, axis=1) / np.maximum(count - 1, 1))
    still = deviation == 0
    excess = np.where(still, 0.0, (h - mean) / np.where(still, 1.0, deviation))
    return np.stack((mean, deviation, count, excess), axis=1)


@written_out(hierarchy.maxdists)
def maxdists(Z: _POINTS):
    """The largest height among a link and all below it"""
    own(hierarchy.maxdists, np.array(Z))
    h = (np.asarray(Z) * 1.0)[:, 2]
    return h[highest(Z, h)]


@written_out(hierarchy.maxRstat)
def largest_of_column(Z: _POINTS, R: Array, *, i):
    """The largest of a column of R among a link and all below it"""
    own(hierarchy.maxRstat, np.array(Z), np.array(R), i)
    column = np.asarray(R)[:, i].astype(float)
    return column[highest(Z, column)]


@written_out(hierarchy.maxinconsts)
def maxinconsts(Z: _POINTS, R: Array):
    """The largest inconsistency among a link and all below it"""
    own(hierarchy.maxinconsts, np.array(Z), np.array(R))
    column = np.asarray(R)[:, 3].astype(float)
    return column[highest(Z, column)]
