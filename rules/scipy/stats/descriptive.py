"""Descriptive statistics: means, moments, spreads, entropies."""

from __future__ import annotations

import numpy as np
from scipy import stats
from scipy.special import xlogy

from .samples_of import central, statistic


@statistic(stats.gmean, "a")
def gmean(a):
    """exp of the mean of log x"""
    return np.exp(np.mean(np.log(a), axis=-1))


@statistic(stats.hmean, "a")
def hmean(a):
    """1 over the mean of 1/x"""
    return 1.0 / np.mean(1.0 / a, axis=-1)


@statistic(stats.pmean, "a")
def pmean(a, *, p):
    """The p-th root of the mean of xᵖ"""
    return np.exp(np.mean(np.log(a), axis=-1)) if p == 0 else np.mean(a**p, axis=-1) ** (1.0 / p)


@statistic(stats.moment, "a")
def moment(a, *, order=1, center=None):
    """The mean of (x − c)ᵏ, c the mean"""
    return central(a, order) if center is None else np.mean((a - center) ** order, axis=-1)


@statistic(stats.skew, "a")
def skew(a, *, bias=True):
    """m₃/m₂^{3/2}, and √(n (n − 1))/(n − 2) times that without bias"""
    n = np.shape(a)[-1]
    found = central(a, 3) / central(a, 2) ** 1.5
    return found if bias else found * np.sqrt(n * (n - 1.0)) / (n - 2.0)


@statistic(stats.kurtosis, "a")
def kurtosis(a, *, fisher=True, bias=True):
    """m₄/m₂², less 3 where that is the normal distribution's 0"""
    n = np.shape(a)[-1]
    found = central(a, 4) / np.square(central(a, 2))
    if not bias:
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


@statistic(stats.entropy, "pk")
def entropy(pk, *, base=None):
    """−Σ p log p, of what is divided by its sum"""
    p = pk / np.sum(pk, axis=-1, keepdims=True)
    found = -np.sum(xlogy(p, p), axis=-1)
    return found if base is None else found / np.log(base)


@statistic(stats.zscore, "a", whole=True)
def zscore(a, *, axis=0, ddof=0):
    """(x − mean)/standard deviation"""
    a = np.asarray(a)
    spread = np.std(a, axis=axis, ddof=ddof, keepdims=True)
    return (a - np.mean(a, axis=axis, keepdims=True)) / spread


@statistic(stats.gzscore, "a", whole=True)
def gzscore(a, *, axis=0, ddof=0):
    """The z-score of log x"""
    return zscore(np.log(np.asarray(a)), axis=axis, ddof=ddof)


@statistic(stats.zmap, "scores", "compare", whole=True)
def zmap(scores, compare, *, axis=0, ddof=0):
    """(x − mean)/standard deviation, these of the other sample"""
    compare = np.asarray(compare)
    middle = np.mean(compare, axis=axis, keepdims=True)
    return (np.asarray(scores) - middle) / np.std(compare, axis=axis, ddof=ddof, keepdims=True)


@statistic(stats.tmean, "a")
def tmean(a):
    """The mean, where no limits are given"""
    return np.mean(a, axis=-1)


@statistic(stats.tvar, "a")
def tvar(a, *, ddof=1):
    """The variance, where no limits are given"""
    return np.var(a, axis=-1, ddof=ddof)


@statistic(stats.tstd, "a")
def tstd(a, *, ddof=1):
    """The standard deviation, where no limits are given"""
    return np.std(a, axis=-1, ddof=ddof)


@statistic(stats.tsem, "a")
def tsem(a, *, ddof=1):
    """The standard deviation over √n, where no limits are given"""
    return sem(a, ddof=ddof)


@statistic(stats.iqr, "x")
def iqr(x):
    """The quartiles' distance"""
    return np.percentile(x, 75.0, axis=-1) - np.percentile(x, 25.0, axis=-1)


@statistic(stats.median_abs_deviation, "x")
def median_abs_deviation(x):
    """The median of |x − median|"""
    return np.median(np.abs(x - np.median(x, axis=-1, keepdims=True)), axis=-1)
