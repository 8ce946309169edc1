"""Descriptive statistics: means, moments, entropies, standard scores.

Weights are data, as samples are. What lies on a limit stays inside or outside.
"""

from __future__ import annotations

import numpy as np
from scipy import stats
from scipy.special import rel_entr, xlogy

from .samples_of import central, statistic


def weighted(x, weights):
    """The mean, or that by weights"""
    if weights is None:
        return np.mean(x, axis=-1)
    return np.sum(weights * x, axis=-1) / np.sum(weights + 0.0 * x, axis=-1)


@statistic(stats.gmean, "a", "weights", paired=True)
def gmean(a, weights=None):
    """exp of the mean of log x"""
    return np.exp(weighted(np.log(a), weights))


@statistic(stats.hmean, "a", "weights", paired=True)
def hmean(a, weights=None):
    """1 over the mean of 1/x"""
    return 1.0 / weighted(1.0 / a, weights)


@statistic(stats.pmean, "a", "p", "weights", numbers=("p",), paired=True)
def pmean(a, p, weights=None):
    """The p-th root of the mean of xᵖ; by p, where that is 0, half the variance of log x, times the mean"""
    if p != 0:
        return weighted(a**p, weights) ** (1.0 / p)
    logs = np.log(a)
    middle = weighted(logs, weights)
    spread = weighted(np.square(logs), weights) - np.square(middle)
    return np.exp(middle + 0.5 * p * spread)


@statistic(stats.moment, "a", "center", numbers=("center",))
def moment(a, center=None, *, order=1):
    """The mean of (x − c)ᵏ, c the mean"""
    if np.ndim(order):
        return np.stack([moment(a, center, order=k) for k in order])
    return central(a, order) if center is None else np.mean((a - center) ** order, axis=-1)


@statistic(stats.skew, "a")
def skew(a, *, bias=True):
    """m₃/m₂^{3/2}, and √(n (n − 1))/(n − 2) times that without bias"""
    n = np.shape(a)[-1]
    found = central(a, 3) / central(a, 2) ** 1.5
    return found if bias or n < 3 else found * np.sqrt(n * (n - 1.0)) / (n - 2.0)


@statistic(stats.kurtosis, "a")
def kurtosis(a, *, fisher=True, bias=True):
    """m₄/m₂², less 3 where that is the normal distribution's 0"""
    n = np.shape(a)[-1]
    found = central(a, 4) / np.square(central(a, 2))
    if not bias and n > 3:
        found = ((n * n - 1.0) * found - 3.0 * (n - 1.0) ** 2) / ((n - 2.0) * (n - 3.0)) + 3.0
    return found - 3.0 if fisher else found


@statistic(stats.variation, "a")
def variation(a, *, ddof=0):
    """The standard deviation over the mean"""
    return np.std(a, axis=-1, ddof=ddof) / np.mean(a, axis=-1)


@statistic(stats.sem, "a")
def sem(a, *, ddof=1):
    """The standard deviation over √n"""
    return np.std(a, axis=-1, ddof=ddof) / np.sqrt(np.shape(a)[-1])


@statistic(stats.gstd, "a")
def gstd(a, *, ddof=1):
    """exp of the standard deviation of log x"""
    return np.exp(np.std(np.log(a), axis=-1, ddof=ddof))


@statistic(stats.entropy, "pk", "qk", paired=True)
def entropy(pk, qk=None, *, base=None):
    """−Σ p log p, of what is divided by its sum, and Σ p log (p/q) beside another distribution"""
    p = pk / np.sum(pk, axis=-1, keepdims=True)
    terms = -xlogy(p, p) if qk is None else rel_entr(p, qk / np.sum(qk, axis=-1, keepdims=True))
    found = np.sum(terms, axis=-1)
    return found if base is None else found / np.log(base)


def middle_and_spread(a, axis, ddof, nan_policy):
    """The mean and the standard deviation, of what is no number or with it"""
    if nan_policy == "omit":
        return np.nanmean(a, axis=axis, keepdims=True), np.nanstd(a, axis=axis, ddof=ddof, keepdims=True)
    return np.mean(a, axis=axis, keepdims=True), np.std(a, axis=axis, ddof=ddof, keepdims=True)


@statistic(stats.zmap, "scores", "compare", whole=True)
def zmap(scores, compare, *, axis=0, ddof=0, nan_policy="propagate"):
    """(x − mean)/standard deviation, these of the other sample"""
    middle, spread = middle_and_spread(np.asarray(compare), axis, ddof, nan_policy)
    return (np.asarray(scores) - middle) / spread


@statistic(stats.zscore, "a", whole=True)
def zscore(a, *, axis=0, ddof=0, nan_policy="propagate"):
    """(x − mean)/standard deviation"""
    return zmap(a, a, axis=axis, ddof=ddof, nan_policy=nan_policy)


@statistic(stats.gzscore, "a", whole=True)
def gzscore(a, *, axis=0, ddof=0, nan_policy="propagate"):
    """The z-score of log x"""
    return zscore(np.log(np.asarray(a)), axis=axis, ddof=ddof, nan_policy=nan_policy)


@statistic(stats.describe, "a", fields=("minmax", "mean", "variance", "skewness", "kurtosis"))
def describe(a, *, ddof=1, bias=True):
    """Extremes, mean, variance, skewness and kurtosis, each as its own function gives it"""
    ends = np.min(a, axis=-1), np.max(a, axis=-1)
    spread = np.var(a, axis=-1, ddof=ddof)
    return ends, np.mean(a, axis=-1), spread, skew(a, bias=bias), kurtosis(a, bias=bias)
