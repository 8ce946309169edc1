"""Tests: the statistic and its p-value, which moves as the tails of the distribution do.

A two-sided p-value has a corner where the statistic is 0; there it does not move.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import stats

from .samples_of import central, statistic

BOTH = ("statistic", "pvalue")


def tails(value: Any, distribution: Any, alternative: str, *shapes: Any) -> Any:
    """The probability of what is more extreme than this value, in one tail or both."""
    if alternative == "less":
        return distribution.cdf(value, *shapes)
    if alternative == "greater":
        return distribution.sf(value, *shapes)
    return 2.0 * distribution.sf(np.abs(value), *shapes)


def welch(first: Any, n: Any, second: Any, m: Any) -> Any:
    """The variance of a difference of means, and its degrees of freedom [Welch 1947]"""
    first, second = first / n, second / m
    return first + second, np.square(first + second) / (
        np.square(first) / (n - 1) + np.square(second) / (m - 1)
    )


def pooled(first: Any, n: Any, second: Any, m: Any) -> Any:
    """The same where both samples have one variance"""
    df = n + m - 2.0
    return ((n - 1) * first + (m - 1) * second) / df * (1.0 / n + 1.0 / m), df


@statistic(stats.ttest_1samp, "a", "popmean", numbers=("popmean",), fields=BOTH)
def ttest_1samp(a, popmean, *, alternative="two-sided"):
    """t = (mean − μ)/(s/√n)"""
    n = np.shape(a)[-1]
    spread = np.std(a, axis=-1, ddof=1) / np.sqrt(n)
    t = (np.mean(a, axis=-1) - np.reshape(popmean, np.shape(spread) if np.size(popmean) > 1 else ())) / spread
    return t, tails(t, stats.t, alternative, n - 1.0)


def trimmed(a: Any, trim: float) -> Any:
    """The mean, the variance and the number of entries; of a trimmed sample [Yuen 1974]"""
    n = np.shape(a)[-1]
    cut = int(n * trim)
    if cut == 0:
        return np.mean(a, axis=-1), np.var(a, axis=-1, ddof=1), n
    rest = np.sort(a, axis=-1)[..., cut : n - cut]
    ends = np.repeat(rest[..., :1], cut, axis=-1), np.repeat(rest[..., -1:], cut, axis=-1)
    whole = np.concatenate([ends[0], rest, ends[1]], axis=-1)
    return np.mean(rest, axis=-1), np.var(whole, axis=-1, ddof=2 * cut + 1), n - 2 * cut


@statistic(stats.ttest_ind, "a", "b", fields=BOTH)
def ttest_ind(a, b, *, equal_var=True, alternative="two-sided", trim=0):
    """t = (mean a − mean b)/s, s² pooled, or Welch's"""
    (middle, first, n), (other, second, m) = trimmed(a, trim), trimmed(b, trim)
    square, df = (pooled if equal_var else welch)(first, n, second, m)
    t = (middle - other) / np.sqrt(square)
    return t, tails(t, stats.t, alternative, df)


@statistic(stats.ttest_rel, "a", "b", fields=BOTH, paired=True)
def ttest_rel(a, b, *, alternative="two-sided"):
    """t of the differences"""
    return ttest_1samp(a - b, 0.0, alternative=alternative)


@statistic(stats.f_oneway, "samples", fields=BOTH)
def f_oneway(*samples, equal_var=True):
    """F = (squares between the samples/(k − 1))/(squares within them/(n − k)), or Welch's [Welch 1951]"""
    if not equal_var:
        return welch_oneway(samples)
    k, n = len(samples), sum([np.shape(s)[-1] for s in samples])
    total = np.mean(np.concatenate(samples, axis=-1), axis=-1)
    between, within = 0.0, 0.0
    for s in samples:
        between = between + np.shape(s)[-1] * np.square(np.mean(s, axis=-1) - total)
        within = within + np.shape(s)[-1] * np.var(s, axis=-1)
    ratio = (between / (k - 1)) / (within / (n - k))
    return ratio, stats.f.sf(ratio, k - 1.0, n - k)


def welch_oneway(samples: Any) -> Any:
    """F of means that weigh as their variances say, and its p-value"""
    k, sizes = len(samples), [np.shape(s)[-1] for s in samples]
    means = np.stack([np.mean(s, axis=-1) for s in samples])
    weights = np.stack([n / np.var(s, axis=-1, ddof=1) for s, n in zip(samples, sizes, strict=True)])
    share = weights / np.sum(weights, axis=0)
    free = np.reshape(np.asarray(sizes) - 1.0, (-1,) + (1,) * (np.ndim(means) - 1))
    lost = np.sum(np.square(1.0 - share) / free, axis=0)
    between = np.sum(weights * np.square(means - np.sum(share * means, axis=0)), axis=0) / (k - 1)
    ratio = between / (1.0 + 2.0 * (k - 2) / (k * k - 1.0) * lost)
    return ratio, stats.f.sf(ratio, k - 1.0, (k * k - 1.0) / (3.0 * lost))


@statistic(stats.skewtest, "a", fields=BOTH)
def skewtest(a, *, alternative="two-sided"):
    """The skewness as a normal number [D'Agostino 1970]"""
    n = float(np.shape(a)[-1])
    y = central(a, 3) / central(a, 2) ** 1.5 * np.sqrt((n + 1) * (n + 3) / (6.0 * (n - 2)))
    beta = 3.0 * (n * n + 27 * n - 70) * (n + 1) * (n + 3) / ((n - 2.0) * (n + 5) * (n + 7) * (n + 9))
    w2 = -1.0 + np.sqrt(2.0 * (beta - 1.0))
    z = np.arcsinh(y / np.sqrt(2.0 / (w2 - 1.0))) / np.sqrt(0.5 * np.log(w2))
    return z, tails(z, stats.norm, alternative)


@statistic(stats.kurtosistest, "a", fields=BOTH)
def kurtosistest(a, *, alternative="two-sided"):
    """The kurtosis as a normal number [Anscombe & Glynn 1983]"""
    n = float(np.shape(a)[-1])
    spread = 24.0 * n * (n - 2) * (n - 3) / ((n + 1) ** 2 * (n + 3) * (n + 5))
    x = (central(a, 4) / np.square(central(a, 2)) - 3.0 * (n - 1) / (n + 1)) / np.sqrt(spread)
    lopsided = 6.0 * (n * n - 5 * n + 2) / ((n + 7) * (n + 9))
    lopsided = lopsided * np.sqrt(6.0 * (n + 3) * (n + 5) / (n * (n - 2) * (n - 3)))
    c = 6.0 + 8.0 / lopsided * (2.0 / lopsided + np.sqrt(1.0 + 4.0 / lopsided**2))
    z = (1.0 - 2.0 / (9.0 * c) - np.cbrt((1.0 - 2.0 / c) / (1.0 + x * np.sqrt(2.0 / (c - 4.0))))) / np.sqrt(
        2.0 / (9.0 * c)
    )
    return z, tails(z, stats.norm, alternative)


@statistic(stats.normaltest, "a", fields=BOTH)
def normaltest(a):
    """The sum of both squares, by χ²(2) [D'Agostino & Pearson 1973]"""
    found = np.square(skewtest(a)[0]) + np.square(kurtosistest(a)[0])
    return found, stats.chi2.sf(found, 2.0)


@statistic(stats.jarque_bera, "x", fields=BOTH)
def jarque_bera(x):
    """n/6 (skewness² + ¼ kurtosis²), by χ²(2) [Jarque & Bera 1980]"""
    lopsided = central(x, 3) / central(x, 2) ** 1.5
    found = (
        np.shape(x)[-1]
        / 6.0
        * (np.square(lopsided) + 0.25 * np.square(central(x, 4) / np.square(central(x, 2)) - 3.0))
    )
    return found, stats.chi2.sf(found, 2.0)


@statistic(stats.bartlett, "samples", fields=BOTH)
def bartlett(*samples):
    """((n − k) log pooled s² − Σ (nᵢ − 1) log sᵢ²)/c, by χ²(k − 1) [Bartlett 1937]"""
    free = [np.shape(s)[-1] - 1.0 for s in samples]
    k, n = len(samples), sum(free)
    pooled, logs = 0.0, 0.0
    for s, each in zip(samples, free, strict=True):
        spread = np.var(s, axis=-1, ddof=1)
        pooled, logs = pooled + each * spread / n, logs + each * np.log(spread)
    found = (n * np.log(pooled) - logs) / (
        1.0 + (sum([1.0 / each for each in free]) - 1.0 / n) / (3.0 * (k - 1))
    )
    return found, stats.chi2.sf(found, k - 1.0)


def correlation(x: Any, y: Any) -> Any:
    """The correlation of two samples"""
    x, y = x - np.mean(x, axis=-1, keepdims=True), y - np.mean(y, axis=-1, keepdims=True)
    return np.sum(x * y, axis=-1) / np.sqrt(np.sum(np.square(x), axis=-1) * np.sum(np.square(y), axis=-1))


@statistic(stats.pearsonr, "x", "y", fields=BOTH, paired=True)
def pearsonr(x, y, *, alternative="two-sided"):
    """The correlation, by a beta distribution on (−1, 1) of ½ n − 1"""
    r, half = correlation(x, y), 0.5 * np.shape(x)[-1] - 1.0
    return r, tails(r, stats.beta, alternative, half, half, -1.0, 2.0)


@statistic(stats.linregress, "x", "y", fields=("slope", "intercept", "rvalue", "pvalue", "stderr"))
def linregress(x, y, *, alternative="two-sided"):
    """y ≈ a + b x by least squares, with the standard error of b and the p-value of b = 0"""
    n, middle = np.shape(x)[-1], np.mean(x, axis=-1)
    u, v = x - np.mean(x, axis=-1, keepdims=True), y - np.mean(y, axis=-1, keepdims=True)
    xx, xy, yy = np.mean(u * u, axis=-1), np.mean(u * v, axis=-1), np.mean(v * v, axis=-1)
    slope, r = xy / xx, xy / np.sqrt(xx * yy)
    error = np.sqrt((1.0 - np.square(r)) * yy / xx / (n - 2.0))
    t = slope / error
    p = tails(t, stats.t, alternative, n - 2.0)
    return slope, np.mean(y, axis=-1) - slope * middle, r, p, error
