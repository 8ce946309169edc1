"""Multiple comparisons of means: Tukey's and Dunnett's.

SciPy's p-values of Dunnett's test are random; their derivatives are those of the integral that they estimate.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import stats
from scipy.special import ndtr

from ....core import non_differentiable
from ....core.types import Array
from ...written import own, written_out
from .agreement import agreed, as_result


def nodes_of(df: Any) -> Any:
    """Nodes of χ and their steps, for each number of degrees of freedom, and those of a normal number."""
    u, v = np.polynomial.legendre.leggauss(64)
    df = np.asarray(df, float)[..., None]
    low, high = stats.chi.ppf(1e-17, df), stats.chi.isf(1e-17, df)
    z, w = np.polynomial.hermite_e.hermegauss(64)
    return 0.5 * (low + high) + 0.5 * (high - low) * u, 0.5 * (high - low) * v, z, w / np.sqrt(2.0 * np.pi)


non_differentiable(nodes_of, why="are constants")


def spread_by(df: Any) -> Any:
    """Nodes of √(χ²/df) and their masses, on the last axis but one; nodes of a normal number and theirs, on
    the last."""
    chi, steps, z, masses = nodes_of(df)
    df = np.expand_dims(df, -1)
    weights = steps * stats.chi.pdf(chi, df)
    return np.expand_dims(chi / np.sqrt(df), -1), np.expand_dims(weights, -1) * masses, z


def range_tail(q: Any, k: int, df: Any) -> Any:
    """The probability that the range of k normal numbers over √(χ²/df) is greater [Tukey 1953]"""
    s, weights, z = spread_by(df)
    within = ndtr(z + np.expand_dims(q, (-2, -1)) * s) - ndtr(z)
    return 1.0 - k * np.sum(weights * within ** (k - 1), axis=(-2, -1))


@written_out(stats.tukey_hsd)
def tukey_hsd(*args: Array, equal_var=True):
    """Differences of means, by the studentized range [Tukey 1953; Games & Howell 1976]"""
    y = own(stats.tukey_hsd, *args, equal_var=equal_var)
    sizes = np.asarray([np.size(a) for a in args]) * 1.0
    means = np.stack([np.mean(a) for a in args])
    spreads = np.stack([np.var(a, ddof=1) for a in args])
    k, n = len(args), np.sum(sizes)
    df: Any = n - k
    if equal_var:
        square = np.sum(spreads * (sizes - 1.0)) / df * (1.0 / sizes + 1.0 / sizes[:, None])
    else:
        each = spreads / sizes
        square = each + each[:, None]
        shares = np.square(each) / (sizes - 1.0)
        df = np.square(square) / (shares + shares[:, None])
    apart = means[:, None] - means
    p = range_tail(np.abs(apart) / np.sqrt(0.5 * square), k, df)
    names, title = ("statistic", "pvalue", "_df", "_stand_err"), "scipy.stats.tukey_hsd"
    parts = (apart, p, df, np.sqrt(0.5 * square))
    return as_result(y, names, *[agreed(getattr(y, n), f, title) for n, f in zip(names, parts, strict=True)])


def dunnett_tail(t: Any, shares: Any, df: Any, alternative: str) -> Any:
    """The chance that any of several t numbers is greater; correlations are products [Dunnett 1955]"""
    s, weights, z = spread_by(df)
    rest = np.sqrt(1.0 - np.square(shares))[:, None, None]
    off = shares[:, None, None] * z
    size = -t if alternative == "less" else np.abs(t) if alternative == "two-sided" else t
    inside = ndtr((np.reshape(size, (-1, 1, 1, 1)) * s - off) / rest)
    if alternative == "two-sided":
        inside = inside - ndtr((-np.reshape(size, (-1, 1, 1, 1)) * s - off) / rest)
    return 1.0 - np.sum(weights * np.prod(inside, axis=1), axis=(-2, -1))


@written_out(stats.dunnett)
def dunnett(control: Array, *samples: Array, alternative="two-sided", rng=None):
    """Differences from a control's mean, and the probability of such a difference of any [Dunnett 1955]"""
    y = own(stats.dunnett, *samples, control=control, alternative=alternative, rng=rng)
    every = [control, *samples]
    sizes = np.asarray([np.size(s) for s in samples]) * 1.0
    n = np.size(control)
    df = np.sum(sizes) + n - len(samples) - 1.0
    square = sum([np.var(s) * np.size(s) for s in every]) / df
    means, middle = np.stack([np.mean(s) for s in samples]), np.mean(control)
    apart = means - middle
    spread = np.sqrt(square)
    t = apart / (spread * np.sqrt(1.0 / sizes + 1.0 / n))
    p = dunnett_tail(t, 1.0 / np.sqrt(n / sizes + 1.0), df, alternative)
    title = "scipy.stats.dunnett"
    names = ("statistic", "pvalue", "_std", "_mean_samples", "_mean_control")
    found = agreed(y.statistic, t, title), agreed(y.pvalue, p, title, 1e-2)
    return as_result(y, names, *found, spread, means, middle)
