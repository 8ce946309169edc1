"""Sobol' indices of the user's function, and a test of two Poisson means.

The points at which the function is called are those that SciPy draws; with distributions of its own they
move as quantiles do.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import stats

from ....core import UnsupportedArgument, non_differentiable
from ...written import own, written_out
from .agreement import agreed, as_result
from .samples_of import Samples
from .tests_of_samples import BOTH


def twins(rng: Any) -> Any:
    """A generator for SciPy and one that draws the same."""
    first = (
        rng if isinstance(rng, np.random.Generator | np.random.RandomState) else np.random.default_rng(rng)
    )
    return first, copy.deepcopy(first)


def uniform_points(n: int, d: int, rng: Any) -> Any:
    """Quasi-random points of the unit cube, for two samples of d variables."""
    return np.reshape(stats.qmc.Sobol(d=2 * d, rng=rng, bits=64).random(n).T, (2, d, n))


non_differentiable(twins, uniform_points, why="draws random numbers")


def quantiles(points: Any, dists: Any) -> Any:
    """Points of the unit cube as samples of each distribution."""
    return np.stack([dist.ppf(p) for dist, p in zip(dists, points, strict=True)])


def as_rows(y: Any) -> Any:
    """The function's values, one row for each of its outputs."""
    return np.reshape(y, (1, -1)) if np.ndim(y) < 2 else y


def values_at(func: Any, dists: Any, n: int, rng: Any) -> Any:
    """The function at both samples, and where one variable is that of the other, for each variable."""
    d = len(dists)
    points = uniform_points(n, d, rng)
    A, B = quantiles(points[0], dists), quantiles(points[1], dists)
    swapped = [np.where(np.arange(d)[:, None] == i, B, A) for i in range(d)]
    return as_rows(func(A)), as_rows(func(B)), np.stack([as_rows(func(x)) for x in swapped])


def refuse_method(method: Any) -> None:
    """Refuse another estimator of the user's own."""
    if not isinstance(method, str):
        raise UnsupportedArgument(stats.sobol_indices, "method", method, supported=["saltelli_2010"])


non_differentiable(refuse_method, why="checks an argument")


@written_out(stats.sobol_indices)
def sobol_indices(func: Callable | dict, dists: Any = None, *, n, method="saltelli_2010", rng=None):
    """Means of f_B (f_AB − f_A) and of ½ (f_A − f_AB)² over the variance [Saltelli et al. 2010]"""
    refuse_method(method)
    first, second = twins(rng)
    y = own(stats.sobol_indices, func=func, n=n, dists=dists, method=method, rng=first)
    if callable(func):
        f_A, f_B, f_AB = values_at(func, dists, n, second)
    else:
        f_A, f_B, f_AB = as_rows(func["f_A"]), as_rows(func["f_B"]), func["f_AB"]
        f_AB = np.reshape(f_AB, (-1, *np.shape(f_A)))
    middle = np.mean(np.stack([f_A, f_B]), axis=(0, 2))[:, None]
    f_A, f_B, f_AB = f_A - middle, f_B - middle, f_AB - middle
    spread = np.var(np.stack([f_A, f_B]), axis=(0, 2))
    one = np.transpose(np.mean(f_B * (f_AB - f_A), axis=-1) / spread)
    total = np.transpose(0.5 * np.mean(np.square(f_A - f_AB), axis=-1) / spread)
    names, title = ("first_order", "total_order"), "scipy.stats.sobol_indices"
    parts = [agreed(getattr(y, n), p, title) for n, p in zip(names, (one, total), strict=True)]
    return as_result(y, names, *parts)


def counts_for(one: Any, other: Any) -> Any:
    """The counts that are not too improbable, of two Poisson distributions."""
    (a, b), (c, d) = (stats.poisson.ppf([1e-10, 1.0 - 1e-16], mean) for mean in (one, other))
    return np.arange(a, b + 1.0), np.arange(c, d + 1.0)[:, None]


def extreme(x1: Any, x2: Any, n1: Any, n2: Any, diff: Any, t: Any, alternative: str) -> Any:
    """Which pairs of counts are at least as extreme."""
    with np.errstate(all="ignore"):
        each = (x1 / n1 - x2 / n2 - diff) / np.sqrt(x1 / n1**2 + x2 / n2**2)
    if alternative == "two-sided":
        return np.abs(each) >= np.abs(t)
    return each <= t if alternative == "less" else each >= t


non_differentiable(counts_for, extreme, why="returns counts, and which of them are taken")


@written_out(stats.poisson_means_test)
def poisson_means_test(k1: Samples, n1: Any, k2: Any, n2: Any, diff: Any = 0, *, alternative="two-sided"):
    """The E-test; which pairs of counts are more extreme is held [Krishnamoorthy & Thomson 2004]"""
    y = own(stats.poisson_means_test, k1, n1, k2, n2, diff=diff, alternative=alternative)
    common = (k1 + k2) / (n1 + n2) - diff * n1 / (n1 + n2)
    if common <= 0:
        return y
    t = (k1 / n1 - k2 / n2 - diff) / np.sqrt(k1 / n1**2 + k2 / n2**2)
    one, other = n1 * (common + diff), n2 * common
    x1, x2 = counts_for(one, other)
    taken = extreme(x1, x2, n1, n2, diff, y.statistic, alternative)
    p = np.sum(np.where(taken, stats.poisson.pmf(x1, one) * stats.poisson.pmf(x2, other), 0.0))
    title = "scipy.stats.poisson_means_test"
    return as_result(y, BOTH, agreed(y.statistic, t, title), agreed(y.pvalue, p, title))
