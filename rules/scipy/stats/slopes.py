"""Lines through medians of slopes: a median moves as the entries that it is made of do."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import stats
from scipy.stats._stats_mstats_common import SiegelslopesResult, TheilslopesResult

from ....core import non_differentiable
from .samples_of import statistic


def pairs_of(x: Any) -> Any:
    """Which pairs of places (i, j) have x_i > x_j, in rows of x."""
    return np.nonzero(x[:, None] - x > 0)


def bounds_of(count: int, y: Any, x: Any, alpha: Any) -> Any:
    """The ranks of the two slopes that bound the interval [Sen 1968]"""
    n = len(y)
    tied = [np.unique(v, return_counts=True)[1] for v in (x, y)]
    ties = sum(float(np.sum(k * (k - 1) * (2 * k + 5))) for k in tied)
    sigma = np.sqrt((n * (n - 1) * (2 * n + 5) - ties) / 18.0)
    z = stats.norm.ppf(min(alpha, 1.0 - alpha) / 2.0)
    upper = min(int(np.round((count - z * sigma) / 2.0)), count - 1)
    return max(int(np.round((count + z * sigma) / 2.0)) - 1, 0), upper


def others(n: int) -> Any:
    """The places of all other entries, for each."""
    return np.stack([np.delete(np.arange(n), i) for i in range(n)])


non_differentiable(pairs_of, bounds_of, others, why="says which entries are taken")


def places_of(x: Any, y: Any) -> Any:
    """The abscissae, 0, 1, 2 … if none are given."""
    return np.arange(float(len(y))) if x is None else x * 1.0


@statistic(stats.theilslopes, "y", "x", fields=TheilslopesResult._fields, paired=True)
def theilslopes(y, x=None, *, alpha=0.95, method="separate"):
    """The median of the slopes of all pairs [Theil 1950; Sen 1968]"""
    x = places_of(x, y)
    i, j = pairs_of(x)
    slopes = np.sort((y[i] - y[j]) / (x[i] - x[j]))
    slope = np.median(slopes)
    intercept = np.median(y - slope * x) if method == "joint" else np.median(y) - slope * np.median(x)
    low, high = bounds_of(len(slopes), y, x, alpha)
    return slope, intercept, slopes[low], slopes[high]


@statistic(stats.siegelslopes, "y", "x", fields=SiegelslopesResult._fields, paired=True)
def siegelslopes(y, x=None, *, method="hierarchical"):
    """The median of each point's median slope [Siegel 1982]"""
    x = places_of(x, y)
    rest = others(len(y))
    dx, dy = x[rest] - np.expand_dims(x, -1), y[rest] - np.expand_dims(y, -1)
    slope = np.median(np.median(dy / dx, axis=-1))
    if method == "hierarchical":
        return slope, np.median(y - slope * x)
    through = (x[rest] * np.expand_dims(y, -1) - np.expand_dims(x, -1) * y[rest]) / dx
    return slope, np.median(np.median(through, axis=-1))
