"""More tests: of several samples, of tables of counts, of p-values together.

The statistic and its p-value are programs, as in `tests_of_samples`. A p-value that SciPy computes with
random numbers has the derivative of what it estimates.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import stats

from ....core import UnsupportedArgument, non_differentiable
from ....core.types import Array
from ...written import own, written_out
from .agreement import agreed, as_result
from .more_statistics import POWERS, divergence
from .samples_of import Samples, statistic
from .tests_of_samples import BOTH, pearsonr, pooled, tails, welch


@statistic(stats.alexandergovern, "samples", fields=BOTH)
def alexandergovern(*samples):
    """Σ z², each mean's t as a normal number [Alexander & Govern 1994]"""
    sizes = [np.shape(s)[-1] for s in samples]
    means = np.stack([np.mean(s, axis=-1) for s in samples])
    squares = np.stack([np.var(s, axis=-1, ddof=1) / n for s, n in zip(samples, sizes, strict=True)])
    middle = np.sum(means / squares, axis=0) / np.sum(1.0 / squares, axis=0)
    free = np.reshape(np.asarray(sizes) - 1.0, (-1,) + (1,) * (np.ndim(means) - 1))
    a = free - 0.5
    b = 48.0 * np.square(a)
    c2 = a * np.log1p(np.square(means - middle) / (squares * free))
    far = (4.0 * c2**3 + 33.0 * c2**2 + 240.0 * c2 + 855.0) / (10.0 * b**2 + 8.0 * b * c2**2 + 1000.0 * b)
    found = np.sum(c2 * np.square(1.0 + (c2 + 3.0) / b - far), axis=0)
    return found, stats.chi2.sf(found, len(samples) - 1.0)


@written_out(stats.ttest_ind_from_stats)
def ttest_ind_from_stats(
    mean1: Samples, std1: Any, nobs1: Any, mean2: Any, std2: Any, nobs2: Any,
    *, equal_var=True, alternative="two-sided",
):  # fmt: skip
    """t = (μ₁ − μ₂)/s, s² pooled, or Welch's"""
    y = own(stats.ttest_ind_from_stats, mean1, std1, nobs1, mean2, std2, nobs2, equal_var, alternative)
    first, second = np.square(np.asarray(std1)), np.square(np.asarray(std2))
    square, df = (pooled if equal_var else welch)(first, nobs1, second, nobs2)
    t = (np.asarray(mean1) - np.asarray(mean2)) / np.sqrt(square)
    found = t, tails(t, stats.t, alternative, df)
    parts = [agreed(v, p, "scipy.stats.ttest_ind_from_stats") for v, p in zip(y, found, strict=True)]
    return as_result(y, BOTH, *parts)


@statistic(stats.pointbiserialr, "x", "y", fields=BOTH, whole=True)
def pointbiserialr(x, y):
    """The correlation of a truth value and a number"""
    return pearsonr(np.asarray(x) * 1.0, np.asarray(y))


@statistic(stats.epps_singleton_2samp, "x", "y", "t", numbers=("t",), fields=BOTH)
def epps_singleton_2samp(x, y, t=(0.4, 0.8)):
    """The distance of empirical characteristic functions at t, by its covariance [Epps & Singleton 1986]"""
    n, m = np.shape(x)[-1], np.shape(y)[-1]
    both = np.sort(np.concatenate([x, y], axis=-1), axis=-1)
    width = 0.5 * (np.percentile(both, 75.0, axis=-1) - np.percentile(both, 25.0, axis=-1))
    at = np.asarray(t)[:, None] / np.expand_dims(width, (-2, -1))
    g, h = circles(at * x[..., None, :]), circles(at * y[..., None, :])
    apart = np.mean(g, axis=-1) - np.mean(h, axis=-1)
    covariance = (n + m) * (spread_of(g) / n + spread_of(h) / m)
    found = (n + m) * np.sum(apart * np.linalg.solve(covariance, apart[..., None])[..., 0], axis=-1)
    if max(n, m) < 25:
        found = found / (1.0 + (n + m) ** -0.45 + 10.1 * (n**-1.7 + m**-1.7))
    return found, stats.chi2.sf(found, 2.0 * np.size(t))


def circles(angles: Any) -> Any:
    """Cosines and sines, in one axis."""
    return np.concatenate([np.cos(angles), np.sin(angles)], axis=-2)


def spread_of(g: Any) -> Any:
    """Covariances of the rows, along the last axis."""
    off = g - np.mean(g, axis=-1, keepdims=True)
    return off @ np.swapaxes(off, -1, -2) / np.shape(g)[-1]


@statistic(stats.combine_pvalues, "pvalues", "weights", fields=BOTH, paired=True)
def combine_pvalues(pvalues, weights=None, *, method="fisher"):
    """Sums of logarithms or of normal numbers, or the least [Heard & Rubin-Delanchy 2018]"""
    n = float(np.shape(pvalues)[-1])
    if method == "fisher":
        found = -2.0 * np.sum(np.log(pvalues), axis=-1)
        return found, stats.chi2.sf(found, 2.0 * n)
    if method == "pearson":
        found = 2.0 * np.sum(np.log1p(-pvalues), axis=-1)
        return found, stats.chi2.cdf(-found, 2.0 * n)
    if method == "mudholkar_george":
        found = np.sum(np.log1p(-pvalues) - np.log(pvalues), axis=-1)
        df = 5.0 * n + 4.0
        return found, stats.t.sf(found * np.sqrt(3.0 / n * df / (df - 2.0)) / np.pi, df)
    if method == "tippett":
        found = np.min(pvalues, axis=-1)
        return found, stats.beta.cdf(found, 1.0, n)
    weights = np.ones(np.shape(pvalues)) if weights is None else weights
    found = np.sum(weights * stats.norm.isf(pvalues), axis=-1) / np.sqrt(np.sum(np.square(weights), axis=-1))
    return found, stats.norm.sf(found)


def order_of(x: Any) -> Any:
    """Where sorted entries come from, and where entries go."""
    order = np.argsort(x, axis=-1)
    return order, np.argsort(order, axis=-1)


non_differentiable(order_of, why="returns indices")


@statistic(stats.false_discovery_control, "ps", whole=True)
def false_discovery_control(ps, *, axis=0, method="bh"):
    """The least of p m/i among the p-values that are greater [Benjamini & Hochberg 1995]"""
    ps = np.reshape(np.asarray(ps), -1) if axis is None else np.asarray(ps)
    axis = 0 if axis is None else axis
    if np.size(ps) <= 1 or np.shape(ps)[axis] <= 1:
        return ps
    rows = np.moveaxis(ps, axis, -1)
    i = np.arange(1.0, np.shape(rows)[-1] + 1.0)
    order, back = order_of(rows)
    factors = len(i) / i * (np.sum(1.0 / i) if method.lower() == "by" else 1.0)
    raised = np.take_along_axis(rows, order, axis=-1) * factors
    least = np.minimum.accumulate(raised[..., ::-1], axis=-1)[..., ::-1]
    return np.clip(np.moveaxis(np.take_along_axis(least, back, axis=-1), -1, axis), 0.0, 1.0)


@written_out(stats.obrientransform)
def obrientransform(*samples: Array):
    """((n − 3/2) n (x − mean)² − ½ Σ (x − mean)²)/((n − 1) (n − 2)) [O'Brien 1981]"""
    y = own(stats.obrientransform, *samples)
    moved = [transformed(np.asarray(s)) for s in samples]
    if own(np.ndim, y) > 1:
        return agreed(y, np.stack(moved), "scipy.stats.obrientransform")
    raise UnsupportedArgument(
        stats.obrientransform, "samples", samples, why="samples of several lengths make an array of objects",
        next="transform each sample on its own",
    )  # fmt: skip


def transformed(x: Any) -> Any:
    """One sample of O'Brien's transform."""
    n = len(x)
    square = np.square(x - np.mean(x))
    return ((n - 1.5) * n * square - 0.5 * np.sum(square)) / ((n - 1.0) * (n - 2.0))


@written_out(stats.chi2_contingency)
def chi2_contingency(observed: Samples, *, correction=True, lambda_=None, method=None):
    """The divergence of a table from the product of its margins, which is `expected_freq`"""
    y = own(stats.chi2_contingency, observed, correction, lambda_, method=method)
    table = np.asarray(observed) * 1.0
    expected = product_of_margins(table)
    if y.dof == 0:
        return as_result(y, ("expected_freq",), expected)
    if y.dof == 1 and correction:  # Yates
        apart = expected - table
        table = table + np.sign(apart) * np.minimum(0.5, np.abs(apart))
    power = 1.0 if lambda_ is None else POWERS.get(lambda_, lambda_)
    found = divergence(np.reshape(table, -1), np.reshape(expected, -1), power, table.size - 1 - y.dof)
    title = "scipy.stats.chi2_contingency"
    parts = [agreed(getattr(y, n), part, title) for n, part in zip(BOTH, found, strict=True)]
    return as_result(y, (*BOTH, "expected_freq"), *parts, expected)


def product_of_margins(table: Any) -> Any:
    """The frequencies of independent classes, of any number of them."""
    d = np.ndim(table)
    found = np.sum(table) ** (1.0 - d)
    for k in range(d):
        found = found * np.sum(table, axis=tuple([j for j in range(d) if j != k]), keepdims=True)
    return found


@written_out(stats.contingency.expected_freq)
def expected_freq(observed: Samples):
    """The product of the margins over the total, of d classes over its power d − 1"""
    y = own(stats.contingency.expected_freq, observed)
    return agreed(y, product_of_margins(np.asarray(observed) * 1.0), "scipy.stats.contingency.expected_freq")


@written_out(stats.contingency.margins)
def margins(a: Array):
    """Sums over all axes but one"""
    axes = range(np.ndim(a))
    return [np.sum(a, axis=tuple([j for j in axes if j != k]), keepdims=True) for k in axes]
