"""The multiscale graph correlation: of distances, near to each other in rank, at the scale that SciPy found.

Ranks and the scale are held. The p-value is a share of permutations, a step, whose derivative is refused.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import stats

from ....core import non_differentiable
from ....core.types import Array
from ...written import own, written_out
from .agreement import agreed, as_result

DEFAULT: Any = stats.multiscale_graphcorr.__kwdefaults__ or stats.multiscale_graphcorr.__defaults__


def near(distances: Any, scale: int) -> Any:
    """Which distances of each column are among so many different ones, from the least."""
    ranks = np.stack([np.unique(c, return_inverse=True)[1].reshape(-1) + 1 for c in distances.T], axis=1)
    return (ranks <= scale) * 1.0


def is_default(compute_distance: Any) -> bool:
    """Whether the distances are Euclid's, as SciPy has them if no others are asked for."""
    return compute_distance is not None and compute_distance.__module__.startswith("scipy.")


def two_samples(x: Any, y: Any, is_twosamp: bool) -> bool:
    """Whether the two are samples to be compared."""
    return bool(is_twosamp or len(x) != len(y))


non_differentiable(near, is_default, two_samples, why="says which distances are taken")


def euclidean(x: Any) -> Any:
    """Distances of all pairs, 0 of a point from itself."""
    return np.linalg.norm(x[:, None] - x, axis=-1)


def centred(distances: Any) -> Any:
    """Distances less the means of their columns, without the diagonal."""
    n = len(distances)
    return (distances - np.sum(distances, axis=0) / (n - 1.0)) * (1.0 - np.eye(n))


def covariance(a: Any, b: Any) -> Any:
    """Of two matrices, each without what is not near."""
    n = len(a)
    return np.sum(a * b) - np.sum(a) * np.sum(b) / n**2


def columns(x: Any) -> Any:
    """Points in rows."""
    return np.reshape(x, (-1, 1)) if np.ndim(x) == 1 else x


@written_out(stats.multiscale_graphcorr)
def multiscale_graphcorr(
    x: Array, y: Array, compute_distance: Any = DEFAULT[0], *, reps=1000, workers=1, is_twosamp=False,
    random_state=None,
):  # fmt: skip
    """The local correlation of two matrices of distances [Vogelstein et al. 2019]"""
    result = own(stats.multiscale_graphcorr, x, y, compute_distance, reps, workers, is_twosamp, random_state)
    u, v = columns(x) * 1.0, columns(y) * 1.0
    if two_samples(u, v, is_twosamp):
        u, v = np.concatenate([u, v]), np.concatenate([np.zeros(len(u)), np.ones(len(v))])[:, None]
    if compute_distance is not None:
        measure = euclidean if is_default(compute_distance) else compute_distance
        u, v = measure(u), measure(v)
    scale = np.reshape(result.mgc_dict["opt_scale"], -1)
    rows, cols = (scale[0], scale[-1]) if len(scale) > 1 else (len(u), len(v))
    a, b = centred(u) * near(u, rows), centred(v).T * near(v, cols).T
    c = covariance(a, b) / np.sqrt(covariance(a, a.T) * covariance(b, b.T))
    return as_result(result, ("statistic",), agreed(result.statistic, c, "scipy.stats.multiscale_graphcorr"))
