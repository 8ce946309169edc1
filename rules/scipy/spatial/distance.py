"""Distances of two vectors, of the rows of one array (pdist) and of two (cdist), and their square form.

Each metric is differentiated by both sets and by its parameters, p, w, V and VI; where V or VI is left
out it is estimated from the points, and moves with them. A metric that is a function of the caller's is
differentiated as one. Metrics of truth values do not move with the points. What happens where points coincide
is said in `metrics`. The Hausdorff distance is that of the pair that attains it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.spatial import distance

from ....core import Array, UnsupportedArgument, non_differentiable
from ...written import own, written_out
from ..results import undifferentiated
from . import metrics
from .metrics import reals

_POINTS = Array | list | tuple
_PLAIN: dict[str, tuple[Any, str]] = {
    "braycurtis": (metrics.braycurtis, "w"),
    "canberra": (metrics.canberra, "w"),
    "chebyshev": (metrics.chebyshev, "w"),
    "cityblock": (metrics.cityblock, "w"),
    "correlation": (metrics.correlation, "w"),
    "cosine": (metrics.cosine, "w"),
    "euclidean": (metrics.euclidean, "w"),
    "jensenshannon": (metrics.jensenshannon, ""),
    "minkowski": (metrics.minkowski, "pw"),
    "sqeuclidean": (metrics.sqeuclidean, "w"),
}
"""The metrics that SciPy names, and which of p and w they take."""


def canonical(metric: Any) -> Any:
    """The name of a metric, whose other names and letters SciPy allows."""
    return distance._METRIC_ALIAS[metric.lower()].canonical_name if isinstance(metric, str) else metric


def refuse_out(function: str, out: Any) -> None:
    """Refuse to write into an array of the caller's."""
    if out is not None:
        raise UnsupportedArgument(f"scipy.spatial.distance.{function}", "out", "an array", supported=["None"])


def given(**parameters: Any) -> dict[str, Any]:
    """The parameters that the caller gave."""
    return {name: value for name, value in parameters.items() if value is not None}


non_differentiable(canonical, refuse_out, why="checks an argument")


def _pairs(a: Any, b: Any, metric: str, every: Any, p: Any, w: Any, V: Any, VI: Any, value: Any) -> Any:
    """The distances of the last axes of two arrays that broadcast; `every` are all points."""
    if metric == "seuclidean":
        return metrics.euclidean(a, b, 1.0 / (np.var(every, axis=0, ddof=1) if V is None else np.asarray(V)))
    if metric == "mahalanobis":
        return metrics.mahalanobis(a, b, _inverse_covariance(every) if VI is None else np.asarray(VI))
    if metric not in _PLAIN:
        return value if w is None else undifferentiated(value, w, "by weights of a metric of truth values")
    formula, takes = _PLAIN[metric]
    rest = given(p=p if "p" in takes else None, w=None if w is None else np.asarray(w))
    return formula(a, b, **rest)


def _inverse_covariance(x: Any) -> Any:
    return np.linalg.inv(np.atleast_2d(np.cov(x.T))).T


@written_out(
    distance.cdist, signature="XA, XB, metric='euclidean', p=None, w=None, V=None, VI=None, *, out=None"
)
def cdist(
    XA: _POINTS,
    XB: _POINTS,
    metric: str | Callable = "euclidean",
    p: object = None,
    w: object = None,
    V: object = None,
    VI: object = None,
    *,
    out=None,
):
    """d_ij = d(a_i, b_j)"""
    refuse_out("cdist", out)
    if not isinstance(metric, str):
        rest = given(p=p, w=w, V=V, VI=VI)
        own(distance.cdist, XA, XB, metric, **rest)
        one, two = np.asarray(XA), np.asarray(XB)
        return np.stack([np.stack([np.asarray(metric(x, y, **rest)) * 1.0 for y in two]) for x in one])
    name = canonical(metric)
    value = own(distance.cdist, XA, XB, name, **given(p=p, w=w, V=V, VI=VI))
    one, two = reals(XA, "distance.cdist", value), reals(XB, "distance.cdist", value)
    every = np.concatenate((one, two)) if V is None and VI is None else None
    return _pairs(one[:, None], two[None], name, every, p, w, V, VI, value)


@written_out(distance.pdist, signature="X, metric='euclidean', p=None, w=None, V=None, VI=None, *, out=None")
def pdist(
    X: _POINTS,
    metric: str | Callable = "euclidean",
    p: object = None,
    w: object = None,
    V: object = None,
    VI: object = None,
    *,
    out=None,
):
    """d_k = d(x_i, x_j), i < j"""
    refuse_out("pdist", out)
    if not isinstance(metric, str):
        rest, rows = given(p=p, w=w, V=V, VI=VI), np.asarray(X)
        own(distance.pdist, X, metric, **rest)
        first, second = np.triu_indices(len(rows), 1)
        pairs = zip(first.tolist(), second.tolist(), strict=True)
        return np.stack([np.asarray(metric(rows[i], rows[j], **rest)) * 1.0 for i, j in pairs])
    name = canonical(metric)
    value = own(distance.pdist, X, name, **given(p=p, w=w, V=V, VI=VI))
    x = reals(X, "distance.pdist", value)
    first, second = np.triu_indices(len(x), 1)
    return _pairs(x[first], x[second], name, x, p, w, V, VI, value)


def _of_vectors(f: Any, formula: Any) -> None:
    name = f"distance.{f.__name__}"

    def of_vectors(u: _POINTS, v: _POINTS, w: object = None):
        value = own(f, u, v, w)
        weights = None if w is None else reals(w, name, value)
        return formula(reals(u, name, value), reals(v, name, value), weights)

    of_vectors.__doc__ = formula.__doc__
    of_vectors.__name__ = of_vectors.__qualname__ = formula.__name__
    written_out(f)(of_vectors)


for _name in ("braycurtis", "canberra", "chebyshev", "cityblock", "cosine", "euclidean", "sqeuclidean"):
    _of_vectors(getattr(distance, _name), getattr(metrics, _name))


@written_out(distance.correlation)
def correlation(u: _POINTS, v: _POINTS, w: object = None, *, centered=True):
    """1 − Σ w a b / √(Σ w a² Σ w b²), a and b less their means"""
    value = own(distance.correlation, u, v, w, centered)
    formula = metrics.correlation if centered else metrics.cosine
    w = None if w is None else reals(w, "distance.correlation", value)
    return formula(reals(u, "distance.correlation", value), reals(v, "distance.correlation", value), w)


@written_out(distance.minkowski)
def minkowski(u: _POINTS, v: _POINTS, p: Array = 2, w: object = None):
    """(Σ w |u − v|ᵖ)^(1/p)"""
    value = own(distance.minkowski, u, v, p, w)
    w = None if w is None else reals(w, "distance.minkowski", value)
    return metrics.minkowski(
        reals(u, "distance.minkowski", value), reals(v, "distance.minkowski", value), p, w
    )


@written_out(distance.seuclidean)
def seuclidean(u: _POINTS, v: _POINTS, V: _POINTS):
    """√Σ (u − v)²/V"""
    value = own(distance.seuclidean, u, v, V)
    u, v = reals(u, "distance.seuclidean", value), reals(v, "distance.seuclidean", value)
    return metrics.euclidean(u, v, 1.0 / reals(V, "distance.seuclidean", value))


@written_out(distance.mahalanobis)
def mahalanobis(u: _POINTS, v: _POINTS, VI: _POINTS):
    """√(u − v)ᵀ VI (u − v)"""
    value = own(distance.mahalanobis, u, v, VI)
    u, v = reals(u, "distance.mahalanobis", value), reals(v, "distance.mahalanobis", value)
    return metrics.mahalanobis(u, v, np.atleast_2d(reals(VI, "distance.mahalanobis", value)))


@written_out(distance.jensenshannon)
def jensenshannon(p: _POINTS, q: _POINTS, base: object = None, *, axis=0, keepdims=False):
    """√(D(p, m) + D(q, m))/2, with m = (p + q)/2 and D the relative entropy"""
    own(distance.jensenshannon, p, q, base, axis=axis, keepdims=keepdims)
    p, q = reals(p, "distance.jensenshannon"), reals(q, "distance.jensenshannon")
    return metrics.jensenshannon(p, q, base, axis, keepdims)


@written_out(distance.directed_hausdorff)
def directed_hausdorff(u: _POINTS, v: _POINTS, *, rng=0, seed=0):
    """y = ‖u_i − v_j‖ of the pair that attains it, and i and j"""
    value, i, j = own(distance.directed_hausdorff, u, v, rng)
    one, two = reals(u, "distance.directed_hausdorff", value), reals(v, "distance.directed_hausdorff", value)
    return metrics.euclidean(one[i], two[j]), i, j


def places(n: int) -> Any:
    """For each entry of the square form the place of its distance; on the diagonal, 0."""
    first, second = np.triu_indices(n, 1)
    index = np.zeros((n, n), int)
    index[first, second] = index[second, first] = np.arange(len(first))
    return index


non_differentiable(places, why="returns indices")


@written_out(distance.squareform)
def squareform(X: np.ndarray | list, *, force="no", checks=True):
    """M_ij = M_ji = v_k; of a matrix, the entries above the diagonal alone are read"""
    own(distance.squareform, X, force, checks)
    x = np.atleast_1d(np.asarray(X))
    if np.ndim(x) == 2:
        return x[np.triu_indices(len(x), 1)]
    n = (1 + int(np.sqrt(1 + 8 * len(x)) + 0.5)) // 2
    return (
        np.where(np.eye(n, dtype=bool), 0 * x[:1].sum(), x[places(n)]) if n > 1 else np.zeros((1, 1), x.dtype)
    )


non_differentiable(
    distance.dice,
    distance.hamming,
    distance.jaccard,
    distance.rogerstanimoto,
    distance.russellrao,
    distance.sokalsneath,
    distance.yule,
    why="compares truth values, which do not move",
)
non_differentiable(
    distance.is_valid_dm,
    distance.is_valid_y,
    distance.num_obs_dm,
    distance.num_obs_y,
    why="returns a truth value or a count",
)
