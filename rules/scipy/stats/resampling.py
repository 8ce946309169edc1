"""Bootstrap, permutation and Monte Carlo tests: the user's statistic, by the engine, on what SciPy draws.

Which entries are drawn is held, so with `rng` fixed every resampled statistic moves with the data and with
what the statistic captured. SciPy is asked which entries these are: it runs once more, on labels, with a
statistic that notes them. A p-value is a share of the resamples, a step, whose derivative is refused.
"""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import stats
from scipy.special import ndtr, ndtri

from ....core import non_differentiable
from ...written import own, written_out
from .agreement import agreed, as_result
from .ordered import quantile_along
from .samples_of import Samples
from .sensitivity import twins


class Noting:
    """A statistic that notes the labels it is called with."""

    def __init__(self) -> None:
        self.calls: list[Any] = []

    def __call__(self, *labels: Any, axis: int = -1) -> Any:
        self.calls.append(labels)
        return np.zeros(np.shape(labels[0])[:-1])

    def noted(self) -> Any:
        """The labels of each sample, one row for each resample."""
        calls = [c for c in self.calls if np.ndim(c[0]) > 1]
        return tuple([np.concatenate(rows).astype(int) for rows in zip(*calls, strict=True)])


def labels_of(sizes: Any, first: int = 0) -> Any:
    """A number of its own for each entry of each sample."""
    ends = np.cumsum([0, *sizes])
    return tuple([np.arange(a + first, b + first) * 1.0 for a, b in itertools.pairwise(ends)])


by_itself = own
"""`own` under a name that does not say that the functions are called by it alone."""


def bootstrapped(sizes: Any, rng: Any, options: Any) -> Any:
    """Which entries of all samples, put together, each resample of the bootstrap has."""
    note = Noting()
    stats.bootstrap(labels_of(sizes), note, method="percentile", vectorized=True, rng=rng, **options)
    return note.noted()


def permuted(sizes: Any, rng: Any, options: Any) -> Any:
    """The same of a permutation test, counted from 1; with a minus where the sign of an entry is changed."""
    note = Noting()
    stats.permutation_test(labels_of(sizes, 1), note, vectorized=True, rng=rng, **options)
    return note.noted()


def takes_axis(statistic: Any, vectorized: Any) -> bool:
    """Whether a statistic takes an axis."""
    if vectorized is not None:
        return bool(vectorized)
    return "axis" in inspect.signature(statistic).parameters


def rows_of(samples: Any) -> Any:
    """The shape of the rows that samples have together, and where each row is."""
    shape = np.broadcast_shapes(*[np.shape(s)[:-1] for s in samples])
    return shape, tuple(np.ndindex(shape))


def share_below(resampled: Any, value: Any) -> Any:
    """The normal number of the share of resamples that are less than the statistic."""
    value = np.asarray(value)[..., None]
    below = np.count_nonzero(resampled < value, axis=-1) + np.count_nonzero(resampled <= value, axis=-1)
    return ndtri(below / (2.0 * np.shape(resampled)[-1]))


def left_out(n: int) -> Any:
    """All entries but one, for each."""
    return np.stack([np.delete(np.arange(n), i) for i in range(n)])


for _held in (bootstrapped, permuted, takes_axis, rows_of, share_below, left_out):
    non_differentiable(_held, why="says which entries are drawn, and where they are")


def applied(statistic: Any, samples: Any, vectorized: bool) -> Any:
    """A statistic along the last axis, as SciPy calls it: with an axis, or row by row."""
    if vectorized:
        return statistic(*samples, axis=-1)
    shape, rows = rows_of(samples)
    wide = [np.broadcast_to(s, (*shape, np.shape(s)[-1])) for s in samples]
    found = np.stack([statistic(*[w[row] for w in wide]) for row in rows])
    found = np.moveaxis(found, 0, -1)
    return np.reshape(found, (*np.shape(found)[:-1], *shape))


def lengthwise(data: Any, axis: Any) -> Any:
    """Samples with the axis at the end, and with the same rows."""
    ndim = max([np.ndim(x) for x in data])
    moved = [np.moveaxis(np.reshape(x, (1,) * (ndim - np.ndim(x)) + np.shape(x)), axis, -1) for x in data]
    shape, _ = rows_of(moved)
    return [np.broadcast_to(x, (*shape, np.shape(x)[-1])) * 1.0 for x in moved]


def skewness_of(statistic: Any, samples: Any, vectorized: bool, paired: bool) -> Any:
    """The acceleration by leaving out one entry after another [Efron & Tibshirani 1993, 14.15]"""
    third, second = 0.0, 0.0
    for j in range(1 if paired else len(samples)):
        n = np.shape(samples[j])[-1]
        rest = left_out(n)
        each = [x[..., rest] if paired or i == j else x[..., None, :] for i, x in enumerate(samples)]
        shape = [np.broadcast_to(x, (*np.shape(samples[0])[:-1], n, np.shape(x)[-1])) for x in each]
        found = applied(statistic, shape, vectorized)
        off = (n - 1.0) * (np.mean(found, axis=-1, keepdims=True) - found)
        third = third + np.sum(off**3, axis=-1) / n**3
        second = second + np.sum(off**2, axis=-1) / n**2
    return third / (6.0 * second**1.5)


def interval_levels(method: str, tail: float, resampled: Any, value: Any, a: Any) -> Any:
    """The probabilities of the ends, corrected for bias and skewness [Efron & Tibshirani 1993, 14.10]"""
    if method != "bca":
        return np.array([tail, 1.0 - tail])
    z0, z = share_below(resampled, value), ndtri(tail)
    low, high = z0 + z, z0 - z
    return ndtr(np.stack([z0 + low / (1.0 - a * low), z0 + high / (1.0 - a * high)], axis=-1))


@written_out(stats.bootstrap)
def bootstrap(
    data: Samples, statistic: Any, *, n_resamples=9999, batch=None, vectorized=None, paired=False, axis=0,
    confidence_level=0.95, alternative="two-sided", method="BCa", bootstrap_result=None, rng=None,
):  # fmt: skip
    """The statistic of each resample, their deviation, and their quantiles [Efron & Tibshirani 1993]"""
    first, second = twins(rng)
    y = own(
        stats.bootstrap, data, statistic, n_resamples=n_resamples, batch=batch, vectorized=vectorized,
        paired=paired, axis=axis, confidence_level=confidence_level, alternative=alternative, method=method,
        bootstrap_result=bootstrap_result, rng=first,
    )  # fmt: skip
    samples, each = lengthwise(data, axis), takes_axis(statistic, vectorized)
    sizes = [np.shape(s)[-1] for s in samples]
    options = {"n_resamples": n_resamples, "batch": batch}
    indices = bootstrapped(sizes[:1] * len(sizes) if paired else sizes, second, {**options, "paired": paired})
    starts = np.cumsum([0, *sizes])
    drawn = [s[..., i - start] for s, i, start in zip(samples, indices, starts, strict=False)]
    found = applied(statistic, drawn, each)
    if bootstrap_result is not None:
        found = np.concatenate([bootstrap_result.bootstrap_distribution, found], axis=-1)
    tail = 1.0 - confidence_level
    tail = 0.5 * tail if alternative == "two-sided" else tail
    method = method.lower()
    value = applied(statistic, samples, each)
    a = skewness_of(statistic, samples, each, paired) if method == "bca" else 0.0
    ends = quantile_along(np.sort(found, axis=-1), interval_levels(method, tail, found, value, a), "linear")
    low, high = ends[..., 0], ends[..., 1]
    if method == "basic":
        low, high = 2.0 * value - high, 2.0 * value - low
    low = low - np.inf if alternative == "less" else low
    high = high + np.inf if alternative == "greater" else high
    title, bounds = "scipy.stats.bootstrap", y.confidence_interval
    ends = as_result(
        bounds, ("low", "high"), agreed(bounds.low, low, title), agreed(bounds.high, high, title)
    )
    spread = agreed(y.standard_error, np.std(found, axis=-1, ddof=1), title)
    names = ("confidence_interval", "bootstrap_distribution", "standard_error")
    return as_result(y, names, ends, agreed(y.bootstrap_distribution, found, title), spread)


def picked(together: Any, labels: Any) -> Any:
    """The entries that labels name, one row for each resample, first; where these are negative, less them."""
    found = together[..., np.abs(labels) - 1]
    return np.moveaxis(found * np.where(labels < 0, -1.0, 1.0), -2, 0)


@written_out(stats.permutation_test)
def permutation_test(
    data: Samples, statistic: Any, *, permutation_type="independent", vectorized=None, n_resamples=9999,
    batch=None, alternative="two-sided", axis=0, rng=None,
):  # fmt: skip
    """The statistic of the data and of each permutation; the p-value is a share, a step"""
    first, second = twins(rng)
    y = own(
        stats.permutation_test, data, statistic, permutation_type=permutation_type, vectorized=vectorized,
        n_resamples=n_resamples, batch=batch, alternative=alternative, axis=axis, rng=first,
    )  # fmt: skip
    samples, each = lengthwise(data, axis), takes_axis(statistic, vectorized)
    options = {"permutation_type": permutation_type, "n_resamples": n_resamples, "batch": batch}
    labels = permuted([np.shape(s)[-1] for s in samples], second, options)
    together = np.concatenate(samples, axis=-1)
    value = applied(statistic, samples, each)
    found = applied(statistic, [picked(together, i) for i in labels], each)
    title = "scipy.stats.permutation_test"
    parts = (agreed(y.statistic, value, title), agreed(y.null_distribution, found, title))
    return as_result(y, ("statistic", "null_distribution"), *parts)


def batches(n_resamples: int, batch: Any) -> tuple[int, ...]:
    """The sizes in which resamples are drawn."""
    step = batch or n_resamples
    return tuple([min(step, n_resamples - k) for k in range(0, n_resamples, step)])


class Replay:
    """A function that gives what was drawn before, part after part."""

    def __init__(self, parts: Any) -> None:
        self.parts = list(parts)

    def __call__(self, size: Any) -> Any:
        return self.parts.pop(0)


non_differentiable(batches, Replay, why="has no part in the derivative")


def is_many(rvs: Any) -> bool:
    """Whether there are several samples."""
    return isinstance(rvs, Sequence)


non_differentiable(is_many, why="returns a truth value")


@written_out(stats.monte_carlo_test)
def monte_carlo_test(
    data: Samples, rvs: Any, statistic: Any, *, vectorized=None, n_resamples=9999, batch=None,
    alternative="two-sided", axis=0,
):  # fmt: skip
    """The statistic of the data and of samples that are drawn; the p-value is a share, a step"""
    # what draws is called here, once as the program does, and the library is given what it drew
    many = is_many(rvs)
    samples = lengthwise(data if many else (data,), axis)
    draw = rvs if many else (rvs,)
    sizes = [np.shape(s)[-1] for s in samples]
    each = takes_axis(statistic, vectorized)
    parts = [[r(size=(k, n)) for r, n in zip(draw, sizes, strict=True)] for k in batches(n_resamples, batch)]
    columns = [[part[j] for part in parts] for j in range(len(sizes))]
    again = [by_itself(Replay, c) for c in columns]
    y = by_itself(
        stats.monte_carlo_test, data, again if many else again[0], statistic, vectorized=vectorized,
        n_resamples=n_resamples, batch=batch, alternative=alternative, axis=axis,
    )  # fmt: skip
    value = applied(statistic, samples, each)
    found = applied(statistic, [np.concatenate(c) for c in columns], each)
    title = "scipy.stats.monte_carlo_test"
    moved = (agreed(y.statistic, value, title), agreed(y.null_distribution, found, title))
    return as_result(y, ("statistic", "null_distribution"), *moved)
