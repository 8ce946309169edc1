"""Statistics of counts, angles and ranks' middles, and the likelihood of a power transform."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import stats
from scipy.special import boxcox, xlogy

from .limited import trim_mean
from .samples_of import central, statistic
from .tests_of_samples import BOTH, f_oneway

POWERS = {
    "pearson": 1.0,
    "log-likelihood": 0.0,
    "freeman-tukey": -0.5,
    "mod-log-likelihood": -1.0,
    "neyman": -2.0,
    "cressie-read": 2.0 / 3.0,
}


def divergence(observed: Any, expected: Any, power: Any, ddof: Any) -> Any:
    """2/(λ (λ + 1)) Σ o ((o/e)^λ − 1), by χ²(k − 1 − ddof) [Cressie & Read 1984]"""
    if expected is None:
        expected = np.mean(observed, axis=-1, keepdims=True)
    if power == 1:
        terms = np.square(observed - expected) / expected
    elif power == 0:
        terms = 2.0 * xlogy(observed, observed / expected)
    elif power == -1:
        terms = 2.0 * xlogy(expected, expected / observed)
    else:
        terms = 2.0 / (power * (power + 1.0)) * observed * ((observed / expected) ** power - 1.0)
    found = np.sum(terms, axis=-1)
    return found, stats.chi2.sf(found, np.shape(observed)[-1] - 1.0 - ddof)


@statistic(stats.chisquare, "f_obs", "f_exp", fields=BOTH, paired=True)
def chisquare(f_obs, f_exp=None, *, ddof=0):
    """Σ (o − e)²/e, by χ²(k − 1 − ddof)"""
    return divergence(f_obs, f_exp, 1.0, ddof)


@statistic(stats.power_divergence, "f_obs", "f_exp", fields=BOTH, paired=True)
def power_divergence(f_obs, f_exp=None, *, ddof=0, lambda_=None):
    """The divergence of a power, by number or name"""
    power = 1.0 if lambda_ is None else POWERS.get(lambda_, lambda_)
    return divergence(f_obs, f_exp, power, ddof)


@statistic(stats.levene, "samples", fields=BOTH)
def levene(*samples, center="median", proportiontocut=0.05):
    """The analysis of variance of |x − median|, or of |x − mean| [Brown & Forsythe 1974]"""
    if center == "trimmed":
        middles = [np.expand_dims(trim_mean(s, proportiontocut=proportiontocut), -1) for s in samples]
    else:
        middle = np.mean if center == "mean" else np.median
        middles = [middle(s, axis=-1, keepdims=True) for s in samples]
    return f_oneway(*[np.abs(s - m) for s, m in zip(samples, middles, strict=True)])


@statistic(stats.kstat, "data")
def kstat(data, *, n=2):
    """The unbiased estimate of a cumulant [Fisher 1930]"""
    size = float(np.shape(data)[-1])
    if n == 1:
        return np.mean(data, axis=-1)
    if n == 2:
        return np.var(data, axis=-1, ddof=1)
    if n == 3:
        return size**2 * central(data, 3) / ((size - 1.0) * (size - 2.0))
    fourth = (size + 1.0) * central(data, 4) - 3.0 * (size - 1.0) * np.square(central(data, 2))
    return size**2 * fourth / ((size - 1.0) * (size - 2.0) * (size - 3.0))


@statistic(stats.kstatvar, "data")
def kstatvar(data, *, n=2):
    """The unbiased estimate of the variance of `kstat`"""
    size = float(np.shape(data)[-1])
    if n == 1:
        return kstat(data, n=2) / size
    return (2.0 * size * np.square(kstat(data, n=2)) + (size - 1.0) * kstat(data, n=4)) / (
        size * (size + 1.0)
    )


def mean_direction(angles: Any, high: Any, low: Any) -> Any:
    """The means of cosine and sine, of angles of which a turn is high − low"""
    turned = (angles - low) * (2.0 * np.pi / (high - low))
    return np.mean(np.cos(turned), axis=-1), np.mean(np.sin(turned), axis=-1)


@statistic(stats.circmean, "samples")
def circmean(samples, *, high=2 * np.pi, low=0):
    """The angle of the mean direction [Mardia & Jupp 2000, 2.2]"""
    across, up = mean_direction(samples, high, low)
    turn = np.arctan2(up, across)
    return low + np.where(turn < 0, turn + 2.0 * np.pi, turn) * ((high - low) / (2.0 * np.pi))


@statistic(stats.circvar, "samples")
def circvar(samples, *, high=2 * np.pi, low=0):
    """1 − R, R the length of the mean direction"""
    across, up = mean_direction(samples, high, low)
    return 1.0 - np.hypot(across, up)


@statistic(stats.circstd, "samples")
def circstd(samples, *, high=2 * np.pi, low=0, normalize=False):
    """√(−2 log R)"""
    across, up = mean_direction(samples, high, low)
    found = np.sqrt(-2.0 * np.log(np.hypot(across, up)))
    return found if normalize else found * ((high - low) / (2.0 * np.pi))


@statistic(stats.boxcox_llf, "lmb", "data", numbers=("lmb",))
def boxcox_llf(lmb, data):
    """(λ − 1) Σ log x − ½ n log var((x^λ − 1)/λ) [Box & Cox 1964]"""
    logs = np.sum(np.log(data), axis=-1)
    return (lmb - 1.0) * logs - 0.5 * np.shape(data)[-1] * np.log(np.var(boxcox(data, lmb), axis=-1))
