"""Quasi-Monte Carlo: discrepancies by the points, scaling by the bounds, normal points by their distribution.

A discrepancy has corners where two points share a coordinate; there equal coordinates do not move apart.
The points of the unit cube that SciPy's engines give are constants.
"""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
from scipy.sparse.csgraph import minimum_spanning_tree
from scipy.spatial.distance import pdist, squareform
from scipy.stats import qmc

from ....core import non_differentiable
from ...written import own, written_out
from .agreement import agreed, as_result
from .samples_of import Samples


@written_out(qmc.scale)
def scale(sample: Samples, l_bounds: Any, u_bounds: Any, *, reverse=False):
    """a + (b − a) x, and (x − a)/(b − a)"""
    own(qmc.scale, sample, l_bounds, u_bounds, reverse=reverse)
    low, high = np.asarray(l_bounds) * 1.0, np.asarray(u_bounds) * 1.0
    return (np.asarray(sample) - low) / (high - low) if reverse else low + (high - low) * np.asarray(sample)


def apart(x: Any) -> Any:
    """|xᵢ − xⱼ| of each coordinate."""
    return np.abs(x[:, None] - x)


def centred(x: Any, n: float) -> Any:
    """CD [Hickernell 1998]"""
    off = np.abs(x - 0.5)
    first = np.sum(np.prod(1.0 + 0.5 * off - 0.5 * off * off, axis=1))
    pairs = np.prod(1.0 + 0.5 * off[:, None] + 0.5 * off - 0.5 * apart(x), axis=-1)
    return (13.0 / 12.0) ** np.shape(x)[1] - 2.0 / n * first + np.sum(pairs) / n**2


def wrapped(x: Any, n: float) -> Any:
    """WD [Hickernell 1998]"""
    d = apart(x)
    return -((4.0 / 3.0) ** np.shape(x)[1]) + np.sum(np.prod(1.5 - d * (1.0 - d), axis=-1)) / n**2


def mixed(x: Any, n: float) -> Any:
    """MD [Zhou, Fang & Ning 2013]"""
    off, d = np.abs(x - 0.5), apart(x)
    first = np.sum(np.prod(5.0 / 3.0 - 0.25 * off - 0.25 * off * off, axis=1))
    pairs = np.prod(15.0 / 8.0 - 0.25 * off[:, None] - 0.25 * off - 0.75 * d + 0.5 * d * d, axis=-1)
    return (19.0 / 12.0) ** np.shape(x)[1] - 2.0 / n * first + np.sum(pairs) / n**2


def starred(x: Any, n: float) -> Any:
    """L2-star [Warnock 1972]"""
    d = np.shape(x)[1]
    first = np.sum(np.prod(1.0 - x * x, axis=1)) * 2.0 ** (1 - d) / n
    pairs = np.sum(np.prod(1.0 - np.maximum(x[:, None], x), axis=-1)) / n**2
    return np.sqrt(3.0**-d - first + pairs)


METHODS = {"CD": centred, "WD": wrapped, "MD": mixed, "L2-star": starred}


@written_out(qmc.discrepancy)
def discrepancy(sample: Samples, *, iterative=False, method="CD", workers=1):
    """Sums over points and over pairs of points of products over the coordinates"""
    y = own(qmc.discrepancy, sample, iterative=iterative, method=method, workers=workers)
    x = np.asarray(sample) * 1.0
    return agreed(y, METHODS[method](x, len(x) + 1.0 * iterative), "scipy.stats.qmc.discrepancy")


@written_out(qmc.update_discrepancy)
def update_discrepancy(x_new: Samples, sample: Any, initial_disc: Any):
    """The centred discrepancy with one point more, from that of the others [Hickernell 1998]"""
    y = own(qmc.update_discrepancy, x_new, sample, initial_disc)
    new, rest = np.asarray(x_new) * 1.0, np.asarray(sample) * 1.0
    n = len(rest) + 1.0
    both = np.concatenate([rest, new[None]])
    return agreed(y, initial_disc + centred(both, n) - centred(rest, n), "scipy.stats.qmc.update_discrepancy")


def edges_of(distances: Any, method: str) -> Any:
    """The places of the distances that count: the least one, or those of the spanning tree."""
    if method == "mindist":
        return np.flatnonzero(distances == np.min(distances[distances.nonzero()]))
    tree = minimum_spanning_tree(squareform(distances)).tocoo()
    n = squareform(distances).shape[0]
    i, j = np.minimum(tree.row, tree.col), np.maximum(tree.row, tree.col)
    return (n * i - i * (i + 1) // 2 + j - i - 1).astype(int)


non_differentiable(edges_of, why="says which distances are taken")


@written_out(qmc.geometric_discrepancy)
def geometric_discrepancy(sample: Samples, *, method="mindist", metric="euclidean"):
    """The least distance of two points, shared by those that have it, or the mean along the shortest tree"""
    y = own(qmc.geometric_discrepancy, sample, method, metric)
    distances = pdist(np.asarray(sample) * 1.0, metric=metric)
    found = np.mean(distances[edges_of(distances, method)])
    return agreed(y, found, "scipy.stats.qmc.geometric_discrepancy")


@written_out(qmc.MultivariateNormalQMC)
def normal_points(mean: Samples, cov: Any = None, cov_root: Any = None, **options):
    """Holds the mean and the Cholesky factor of the covariance"""
    y = own(qmc.MultivariateNormalQMC, mean, cov, cov_root=cov_root, **options)
    middle = np.reshape(np.asarray(mean) * 1.0, -1)
    if cov is None and cov_root is None:
        return as_result(y, ("_mean",), middle)
    d = len(middle)
    root = np.reshape(cov_root, (d, d)) if cov is None else np.linalg.cholesky(np.reshape(cov, (d, d))).T
    title = "scipy.stats.qmc.MultivariateNormalQMC"
    return as_result(y, ("_mean", "_corr_matrix"), middle, agreed(y._corr_matrix, root, title))


def drawn(points: Any, n: Any) -> Any:
    """SciPy's points, and the standard normal ones that they are made of."""
    before = copy.deepcopy(points)
    return points.random(n), before._standard_normal_samples(n)


non_differentiable(drawn, why="draws points, which are held")


@written_out(qmc.MultivariateNormalQMC.random)
def random_points(points: qmc.MultivariateNormalQMC, *, n=1):
    """μ + z L"""
    y, z = drawn(points, n)
    moved = z + points._mean if points._corr_matrix is None else z @ points._corr_matrix + points._mean
    return agreed(y, moved, "scipy.stats.qmc.MultivariateNormalQMC.random")
