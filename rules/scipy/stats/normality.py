"""Tests of normality and of other kinds: Shapiro and Wilk's, Anderson and Darling's.

Where Anderson and Darling's distribution is fitted, its parameters solve equations, and move as these say.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.polynomial.polynomial import polyval
from scipy import optimize, stats

from ....core import UnsupportedArgument, implicit, non_differentiable
from ...written import own, written_out
from .agreement import agreed, as_result
from .samples_of import Samples, statistic
from .tests_of_samples import BOTH

LAST = (0.0, 0.221157, -0.147981, -2.07119, 4.434685, -2.706056)
BEFORE_LAST = (0.0, 0.042981, -0.293762, -1.752461, 5.682633, -3.582633)
SMALL = ((0.5440, -0.39978, 0.025054, -6.714e-4), (1.3822, -0.77857, 0.062767, -0.0020322), (-2.273, 0.459))
LARGE = ((-1.5861, -0.31082, -0.083751, 0.0038915), (-0.4803, -0.082676, 0.0030302))
"""Royston's polynomials: of weights in 1/√n, of the p-value in n up to 11 and in log n above."""


def weights_of(n: int) -> Any:
    """The weights of sorted entries in Shapiro and Wilk's W [Royston 1995]"""
    if n == 3:
        return np.array([-np.sqrt(0.5), 0.0, np.sqrt(0.5)])
    scores = stats.norm.ppf((np.arange(1, n // 2 + 1) - 0.375) / (n + 0.25))
    square, u = 2.0 * np.sum(scores**2), 1.0 / np.sqrt(n)
    last = polyval(u, LAST) - scores[0] / np.sqrt(square)
    if n > 5:
        before = polyval(u, BEFORE_LAST) - scores[1] / np.sqrt(square)
        ends, rest = [last, before], scores[2:]
        scale = (square - 2.0 * np.sum(scores[:2] ** 2)) / (1.0 - 2.0 * (last**2 + before**2))
    else:
        ends, rest = [last], scores[1:]
        scale = (square - 2.0 * scores[0] ** 2) / (1.0 - 2.0 * last**2)
    half = np.concatenate([ends, -rest / np.sqrt(scale)])
    return np.concatenate([-half, np.zeros(n % 2), half[::-1]])


def bends_of(n: int) -> Any:
    """The mean and the spread of the normal number in the p-value, and what is taken from the logarithm."""
    if n <= 11:
        return polyval(n, SMALL[0]), np.exp(polyval(n, SMALL[1])), polyval(n, SMALL[2])
    return polyval(np.log(n), LARGE[0]), np.exp(polyval(np.log(n), LARGE[1])), None


non_differentiable(weights_of, bends_of, why="are constants")


@statistic(stats.shapiro, "x", fields=BOTH)
def shapiro(x):
    """W = (Σ a x)²/Σ (x − mean)² of sorted x [Royston 1995]"""
    n = np.shape(x)[-1]
    off = np.sort(x, axis=-1) - np.mean(x, axis=-1, keepdims=True)
    W = np.square(np.sum(weights_of(n) * off, axis=-1)) / np.sum(np.square(off), axis=-1)
    if n == 3:
        return W, np.maximum(6.0 / np.pi * (np.arcsin(np.sqrt(W)) - np.arcsin(np.sqrt(0.75))), 0.0)
    middle, spread, least = bends_of(n)
    bent = np.log1p(-W) if least is None else -np.log(least - np.log1p(-W))
    return W, stats.norm.sf((bent - middle) / spread)


def logistic_equations(ab: Any, x: Any) -> Any:
    """The likelihood's derivatives by loc and scale, which are 0, as SciPy writes them."""
    z = (x - ab[0]) / ab[1]
    falling = 1.0 / (1.0 + np.exp(z))
    return np.stack([np.sum(falling) - 0.5 * len(x), np.sum(z * np.tanh(-0.5 * z)) + len(x)])


def gumbel_equations(ab: Any, x: Any) -> Any:
    """The same for the greatest of many: Σ exp −z = n, Σ (z − z exp −z) = n."""
    z = (x - ab[0]) / ab[1]
    return np.stack([np.sum(np.exp(-z)) - len(x), np.sum(z * -np.expm1(-z)) - len(x)])


def weibull_equations(p: Any, x: Any) -> Any:
    """The same by shape m and loc, the scale being what it must."""
    off = x - p[1]
    power = off ** p[0]
    by_shape = 1.0 / p[0] - np.sum(power * np.log(off)) / np.sum(power) + np.mean(np.log(off))
    by_loc = (p[0] - 1.0) / p[0] * np.sum(1.0 / off) - len(x) * np.sum(power / off) / np.sum(power)
    return np.stack([by_shape, by_loc])


def extreme_equations(ab: Any, x: Any) -> Any:
    """The same for the least of many, which is the greatest of −x."""
    return gumbel_equations(np.stack([-ab[0], ab[1]]), -x)


EQUATIONS = {
    "logistic": logistic_equations,
    "gumbel_r": gumbel_equations,
    "gumbel_l": extreme_equations,
    "weibull_min": weibull_equations,
}


def fitted(x: Any, kind: str, found: Any) -> Any:
    """The parameters that were fitted, as they move with the sample."""
    if kind == "norm":
        return np.mean(x), np.std(x, ddof=1)
    if kind == "expon":
        return 0.0, np.mean(x)
    first, second = implicit.root(EQUATIONS[kind], found, x)
    if kind == "weibull_min":
        return first, second, np.mean((x - second) ** first) ** (1.0 / first)
    return first, second


def as_fitted(x: Any, dist: str, kind: str) -> Any:
    """The two parameters that equations say, to the last digit, and SciPy's table of p-values."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        y = stats.anderson(x, dist)
    levels = 1.0 - y.significance_level if kind == "weibull_min" else y.significance_level / 100.0
    if kind not in EQUATIONS:
        return None, (y.critical_values, levels)
    start = np.asarray(y.fit_result.params, float)[:2]
    sample = np.sort(np.asarray(x, float))
    return optimize.root(EQUATIONS[kind], start, (sample,), tol=1e-14).x, (y.critical_values, levels)


@written_out(stats.anderson)
def anderson(x: Samples, *, dist="norm", method=None):
    """A² = −n − Σ (2 i − 1)/n (log F(xᵢ) + log (1 − F(xₙ₊₁₋ᵢ))), the parameters fitted [Stephens 1974]"""
    y = own(stats.anderson, x, dist, method=method)
    kind = dist.lower()
    kind = "gumbel_l" if kind in ("extreme1", "gumbel") else kind
    values = np.sort(np.asarray(x))
    n = len(values)
    found, table = own(as_fitted, x, dist, kind)
    parameters = fitted(values, kind, found)
    law = getattr(stats, kind)
    rising, falling = law.logcdf(values, *parameters), law.logsf(values, *parameters)
    total = np.sum((2.0 * np.arange(1, n + 1) - 1.0) / n * (rising + falling[::-1]))
    A2 = agreed(y.statistic, -n - total, "scipy.stats.anderson", rtol=1e-4)
    if method is None:
        return as_result(y, ("statistic",), A2)
    if method != "interpolate":
        raise UnsupportedArgument(stats.anderson, "method", method, why="a p-value by samples is a step",
                                  next="use method='interpolate'")  # fmt: skip
    return as_result(y, BOTH, A2, agreed(y.pvalue, np.interp(A2, *table), "scipy.stats.anderson"))
