"""What a sample says of its mean, variance and deviation: expectiles, directions, posterior distributions."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import stats

from ....core import non_differentiable
from ...written import own, written_out
from .agreement import agreed, as_result
from .samples_of import Samples


def is_below(a: Any, t: Any) -> Any:
    """Which entries are not above an expectile."""
    return a <= t


non_differentiable(is_below, why="returns truth values")


@written_out(stats.expectile)
def expectile(a: Samples, alpha: Any = 0.5, weights: Any = None):
    """The mean by weights of α above and 1 − α below, of the entries that lie there [Newey & Powell 1987]"""
    y = own(stats.expectile, a, alpha, weights=weights)
    a = np.asarray(a) * 1.0
    factors = np.where(is_below(a, y), 1.0 - alpha, alpha)
    if weights is not None:
        factors = factors * weights
    return agreed(y, np.sum(factors * a) / np.sum(factors), "scipy.stats.expectile")


@written_out(stats.directional_stats)
def directional_stats(samples: Samples, *, axis=0, normalize=True):
    """The direction of the mean of unit vectors, and its length [Mardia & Jupp 2000, 9.2]"""
    y = own(stats.directional_stats, samples, axis=axis, normalize=normalize)
    x = np.moveaxis(np.asarray(samples) * 1.0, axis, 0)
    if normalize:
        x = x / np.linalg.norm(x, axis=-1, keepdims=True)
    middle = np.mean(x, axis=0)
    length = np.linalg.norm(middle, axis=-1, keepdims=True)
    title = "scipy.stats.directional_stats"
    parts = (middle / length, np.squeeze(length, -1))
    names = ("mean_direction", "mean_resultant_length")
    return as_result(y, names, *[agreed(getattr(y, n), p, title) for n, p in zip(names, parts, strict=True)])


def posteriors(data: Any) -> Any:
    """Of a mean, a variance and a deviation, the distributions that a sample leaves [Oliphant 2006]"""
    x = np.reshape(np.asarray(data) * 1.0, -1)
    n, middle, spread = len(x), np.mean(x), np.var(x)
    if n > 1000:
        root = np.sqrt(spread)
        return (
            stats.norm(middle, root / np.sqrt(n)),
            stats.norm(spread, np.sqrt(2.0 / n) * spread),
            stats.norm(root, root / np.sqrt(2.0 * n)),
        )
    half, total = 0.5 * (n - 1.0), 0.5 * n * spread
    return (
        stats.t(n - 1.0, middle, np.sqrt(spread / (n - 1.0))),
        stats.invgamma(half, 0.0, total),
        stats.gengamma(half, -2.0, 0.0, np.sqrt(total)),
    )


@written_out(stats.mvsdist)
def mvsdist(data: Samples):
    """Student's t, the inverse gamma and the generalised gamma distribution, or normal ones beyond 1000"""
    own(stats.mvsdist, data)
    return posteriors(data)


@written_out(stats.bayes_mvs)
def bayes_mvs(data: Samples, *, alpha=0.9):
    """The means of these distributions, and intervals of equal tails"""
    y = own(stats.bayes_mvs, data, alpha)
    found = [as_interval(result, law, alpha) for result, law in zip(y, posteriors(data), strict=True)]
    return found[0], found[1], found[2]


def as_interval(result: Any, law: Any, alpha: Any) -> Any:
    """SciPy's mean and interval of one of them."""
    title = "scipy.stats.bayes_mvs"
    ends = [law.ppf(0.5 - 0.5 * alpha), law.ppf(0.5 + 0.5 * alpha)]
    low, high = [agreed(v, p, title) for v, p in zip(result.minmax, ends, strict=True)]
    return as_result(
        result, ("statistic", "minmax"), agreed(result.statistic, law.mean(), title), (low, high)
    )
