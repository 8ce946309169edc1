"""Probability plots: sorted samples against quantiles, and their correlation by a shape or a power.

What SciPy draws with `plot` it draws; the numbers have derivatives.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import stats
from scipy.special import boxcox as boxcox_of

from ....core import implicit, non_differentiable
from ...written import own, written_out
from .agreement import agreed
from .samples_of import Samples
from .tests_of_samples import correlation


def medians_of(n: int) -> Any:
    """Filliben's estimate of the medians of n sorted uniform numbers [Filliben 1975]"""
    v = (np.arange(1, n + 1) - 0.3175) / (n + 0.365)
    v[-1] = 0.5 ** (1.0 / n)
    v[0] = 1.0 - v[-1]
    return v


def normal_scores(n: int) -> Any:
    """The same of normal numbers."""
    return stats.norm.ppf(medians_of(n))


def distribution(dist: Any) -> Any:
    """A distribution, by name or as it is."""
    return getattr(stats, dist) if isinstance(dist, str) else dist


non_differentiable(medians_of, normal_scores, distribution, why="are constants")


def as_shapes(sparams: Any) -> Any:
    """Shapes as a tuple, which may be one, or none."""
    if sparams is None:
        return ()
    return (sparams,) if np.ndim(sparams) == 0 else tuple(sparams)


@written_out(stats.probplot)
def probplot(x: Samples, sparams: Any = (), *, dist="norm", fit=True, plot=None, rvalue=False):
    """Sorted values against quantiles, and the line through them by least squares"""
    y = own(stats.probplot, x, sparams, dist, fit, plot, rvalue)
    values = np.sort(np.asarray(x) * 1.0)
    quantiles = distribution(dist).ppf(medians_of(len(values)), *as_shapes(sparams))
    if not fit:
        return quantiles, values
    off = quantiles - np.mean(quantiles)
    slope = np.sum(off * values) / np.sum(np.square(off))
    line = slope, np.mean(values) - slope * np.mean(quantiles), correlation(quantiles, values)
    moved = [agreed(v, part, "scipy.stats.probplot") for v, part in zip(y[1], line, strict=True)]
    return (quantiles, values), (moved[0], moved[1], moved[2])


def straightness(x: Any, shapes: Any, dist: Any) -> Any:
    """The correlation of a probability plot."""
    return correlation(dist.ppf(medians_of(len(x)), *shapes), np.sort(x))


@written_out(stats.ppcc_plot)
def ppcc_plot(x: Samples, a: Any, b: Any, *, dist="tukeylambda", plot=None, N=80):
    """The correlation of the probability plot, by a shape between two others"""
    y = own(stats.ppcc_plot, x, a, b, dist, plot, N)
    values, shapes, law = np.asarray(x) * 1.0, np.linspace(a, b, N), distribution(dist)
    found = np.stack([straightness(values, (s,), law) for s in shapes])
    return shapes, agreed(y[1], found, "scipy.stats.ppcc_plot")


class Bend:
    """What is least where a probability plot is straightest: 1 less its correlation."""

    def __init__(self, dist: Any) -> None:
        self.dist = dist

    def __call__(self, shape: Any, x: Any) -> Any:
        return 1.0 - straightness(x, (shape,), self.dist)


@written_out(stats.ppcc_max)
def ppcc_max(x: Samples, *, brack=(0.0, 1.0), dist="tukeylambda"):
    """The shape at which the derivative of the plot's correlation is 0"""
    found = own(stats.ppcc_max, x, brack, dist)
    return implicit.minimum(Bend(distribution(dist)), found, np.asarray(x) * 1.0)


def by_power(x: Any, la: Any, lb: Any, N: int, transform: Any) -> Any:
    """Powers, and the correlation of each one's probability plot."""
    powers, values = np.linspace(la, lb, N), np.asarray(x) * 1.0
    scores = normal_scores(len(values))
    return powers, np.stack([correlation(scores, np.sort(transform(values, p))) for p in powers])


@written_out(stats.boxcox_normplot)
def boxcox_normplot(x: Samples, la: Any, lb: Any, *, plot=None, N=80):
    """The correlation of the probability plot, by the power of Box and Cox's transform"""
    y = own(stats.boxcox_normplot, x, la, lb, plot, N)
    powers, found = by_power(x, la, lb, N, boxcox_of)
    return powers, agreed(y[1], found, "scipy.stats.boxcox_normplot")


@written_out(stats.yeojohnson_normplot)
def yeojohnson_normplot(x: Samples, la: Any, lb: Any, *, plot=None, N=80):
    """The same by the power of Yeo and Johnson's"""
    y = own(stats.yeojohnson_normplot, x, la, lb, plot, N)
    powers, found = by_power(x, la, lb, N, stats.yeojohnson)
    return powers, agreed(y[1], found, "scipy.stats.yeojohnson_normplot")
