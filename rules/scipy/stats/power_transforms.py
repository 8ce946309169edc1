"""Power transforms to normality: Box and Cox's, Yeo and Johnson's, their likelihoods and best powers.

The best power is where a derivative vanishes, and moves as that says. What an optimiser of the user's own
found is held to the same, and so is refused at a bound.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import stats
from scipy.special import boxcox as boxcox_of

from ....core import implicit, non_differentiable
from ...written import own, written_out
from .agreement import agreed
from .more_statistics import boxcox_llf
from .plots import normal_scores
from .samples_of import Samples, statistic
from .tests_of_samples import correlation


def signs(x: Any) -> Any:
    """Which numbers are not negative."""
    return np.asarray(x) >= 0.0


def yeojohnson_of(x: Any, power: Any) -> Any:
    """((1 + x)^λ − 1)/λ, and −((1 − x)^(2 − λ) − 1)/(2 − λ) where x < 0 [Yeo & Johnson 2000]"""
    up = signs(x)
    rising = boxcox_of(1.0 + np.where(up, x, 0.0), power)
    falling = boxcox_of(1.0 + np.where(up, 0.0, -x), 2.0 - power)
    return np.where(up, rising, -falling)


non_differentiable(signs, why="returns truth values")


@statistic(stats.yeojohnson_llf, "lmb", "data", numbers=("lmb",))
def yeojohnson_llf(lmb, data):
    """(λ − 1) Σ sign(x) log (1 + |x|) − ½ n log var of the transform [Yeo & Johnson 2000]"""
    logs = np.sum(np.sign(data) * np.log1p(np.abs(data)), axis=-1)
    spread = np.var(yeojohnson_of(data, lmb), axis=-1)
    return (lmb - 1.0) * logs - 0.5 * np.shape(data)[-1] * np.log(spread)


def boxcox_loss(power: Any, x: Any) -> Any:
    """What is least at the power of greatest likelihood."""
    return -boxcox_llf(power, x)


def yeojohnson_loss(power: Any, x: Any) -> Any:
    """The same for Yeo and Johnson's."""
    return -yeojohnson_llf(power, x)


def probability_loss(power: Any, x: Any) -> Any:
    """What is least where the transform's probability plot is straightest."""
    return 1.0 - correlation(normal_scores(len(x)), np.sort(boxcox_of(x, power)))


def best(loss: Any, found: Any, x: Any) -> Any:
    """The power that was found, as it moves with the sample."""
    return implicit.minimum(loss, found, x)


LOSSES = {"mle": boxcox_loss, "pearsonr": probability_loss}


@written_out(stats.boxcox_normmax)
def boxcox_normmax(x: Samples, *, brack=None, method="pearsonr", optimizer=None, **options):
    """The power at which the derivative of the likelihood, or of the plot's correlation, is 0"""
    found = own(stats.boxcox_normmax, x, brack, method, optimizer, **options)
    values = np.asarray(x) * 1.0
    if method == "all":
        return np.stack([best(LOSSES[m], found[k], values) for k, m in enumerate(("pearsonr", "mle"))])
    return best(LOSSES[method], found, values)


def excess(power: Any, x: Any, target: Any) -> Any:
    """By how much the likelihood is greater than at the end of an interval."""
    return boxcox_llf(power, x) - target


@written_out(stats.boxcox)
def boxcox(x: Samples, lmbda: Any = None, alpha: Any = None, *, optimizer=None):
    """(x^λ − 1)/λ; with the best λ, and where the likelihood fell by ½ χ²₁'s quantile [Box & Cox 1964]"""
    values = np.asarray(x) * 1.0
    if lmbda is not None:
        return boxcox_of(values, lmbda)
    y = own(stats.boxcox, x, None, alpha, optimizer)
    power = best(boxcox_loss, y[1], values)
    if alpha is None:
        return boxcox_of(values, power), power
    target = boxcox_llf(power, values) - 0.5 * stats.chi2.ppf(1.0 - alpha, 1.0)
    ends = [implicit.root(excess, end, values, target) for end in y[2]]
    return boxcox_of(values, power), power, (ends[0], ends[1])


@written_out(stats.yeojohnson_normmax)
def yeojohnson_normmax(x: Samples, *, brack=None):
    """The power at which the derivative of the likelihood is 0"""
    found = own(stats.yeojohnson_normmax, x, brack)
    return best(yeojohnson_loss, found, np.asarray(x) * 1.0)


@written_out(stats.yeojohnson)
def yeojohnson(x: Samples, lmbda: Any = None):
    """((1 + x)^λ − 1)/λ, and −((1 − x)^(2 − λ) − 1)/(2 − λ) where x < 0 [Yeo & Johnson 2000]"""
    values = np.asarray(x) * 1.0
    if lmbda is not None:
        return agreed(own(stats.yeojohnson, x, lmbda), yeojohnson_of(values, lmbda), "scipy.stats.yeojohnson")
    y = own(stats.yeojohnson, x)
    power = best(yeojohnson_loss, y[1], values)
    return yeojohnson_of(values, power), power
