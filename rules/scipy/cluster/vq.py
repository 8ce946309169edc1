"""Vector quantisation: which point belongs to which centroid is held constant.

So the centroids of k-means are means of their points. Where its iteration has not come to rest on such
means, its derivative is refused. A point on its centroid has distance zero with derivative zero; a column
that does not vary is divided by a constant. The points that a random start chooses do not move.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.cluster import vq as clusters

from ....core import NotDifferentiableError, non_differentiable
from ...written import own, written_out

_POINTS = np.ndarray | list


def still(deviations: Any) -> Any:
    """One for the columns that do not vary."""
    return (deviations == 0).astype(deviations.dtype)


def members(labels: Any, book: Any) -> Any:
    """For each centroid its points, a row of shares each; of an empty one nothing."""
    shares = (labels == np.arange(len(book))[:, None]).astype(book.dtype)
    return shares / np.maximum(shares.sum(axis=1, keepdims=True), 1)


def check_rest(found: Any, means: Any) -> None:
    """Refuse centroids that are not the means of their points."""
    if np.max(np.abs(found - means), initial=0.0) > 1e-6 * (1.0 + np.max(np.abs(found), initial=0.0)):
        raise NotDifferentiableError(
            "scipy.cluster.vq.kmeans stopped before its centroids were the means of their points",
            next="lower thresh, to 0.0 say",
        )


non_differentiable(still, members, why="the assignment is held constant")
non_differentiable(check_rest, why="checks an argument")


def columns(x: Any) -> Any:
    """Points as rows."""
    x = np.asarray(x) * 1.0
    return x[:, None] if np.ndim(x) == 1 else x


@written_out(clusters.whiten)
def whiten(obs: _POINTS, *, check_finite=None):
    """y = x/σ, σ the standard deviation of each column"""
    own(clusters.whiten, obs, check_finite)
    x = np.asarray(obs) * 1.0
    deviations = np.std(x, axis=0)
    return x / (deviations + still(deviations))


@written_out(clusters.vq)
def vq(obs: _POINTS, code_book: _POINTS, *, check_finite=True):
    """The nearest centroids, and d = |x − c|"""
    code, _ = own(clusters.vq, obs, code_book, check_finite)
    return code, np.linalg.norm(columns(obs) - columns(code_book)[code], axis=-1)


@written_out(clusters.kmeans2)
def kmeans2(
    data: _POINTS,
    k: object,
    *,
    iter=10,
    thresh=1e-5,
    minit="random",
    missing="warn",
    check_finite=True,
    rng=None,
    seed=None,
):
    """Each centroid is the mean of its points, an empty one stays"""
    chosen = {"rng": rng} if seed is None else {"seed": seed}
    book, label = own(clusters.kmeans2, data, k, iter, thresh, minit, missing, check_finite, **chosen)
    x = np.asarray(data) * 1.0
    shares = members(label, book)
    empty = np.sum(shares, axis=1) == 0
    return np.matmul(shares, x) + np.where(
        np.reshape(empty, (-1,) + (1,) * (np.ndim(x) - 1)), book, 0.0
    ), label


@written_out(clusters.kmeans)
def kmeans(obs: _POINTS, k_or_guess: object, *, iter=20, thresh=1e-5, check_finite=True, rng=None, seed=None):
    """Each centroid is the mean of its points; and the mean distance from them"""
    chosen = {"rng": rng} if seed is None else {"seed": seed}
    found, _ = own(clusters.kmeans, obs, k_or_guess, iter, thresh, check_finite, **chosen)
    label, _ = own(clusters.vq, obs, found)
    x = np.asarray(obs) * 1.0
    book = np.matmul(members(label, found), x)
    check_rest(found, book)
    return book, np.mean(np.linalg.norm(columns(x) - columns(book)[label], axis=-1))
