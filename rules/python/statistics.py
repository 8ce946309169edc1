"""Functions of `statistics`, written out in NumPy's; medians share as those of NumPy do.

Each asks the function itself first, for its errors. A mean that is given (`mu=`, `xbar=`) is a constant. A
standard deviation of zero has derivative zero. Quantiles, `median_grouped` and the methods of `NormalDist`
are Python and need no rule, but for the function in C behind `inv_cdf`. Absent: data that are no floats.
"""

from __future__ import annotations

import math
import statistics
from typing import Any

import numpy as np

from ...core import non_differentiable, scalar_rule
from ..written import own, written_out

Sequence = tuple | list | np.ndarray


def as_data(y: Any, data: Any) -> Any:
    """A result as `statistics` gives it: of NumPy's numbers NumPy's, of Python's Python's."""
    return y if isinstance(data[0], np.generic) else y.item()


@written_out(statistics.mean)
def mean(data: Sequence):
    """y = Σ x / n"""
    own(statistics.mean, data)
    y = math.fsum(data) / len(data)
    return type(data[0])(y) if isinstance(data[0], np.generic) else y


@written_out(statistics.fmean)
def fmean(data: Sequence, weights: Sequence | None = None):
    """y = Σ w x / Σ w"""
    own(statistics.fmean, data, weights)
    if weights is None:
        return math.fsum(data) / len(data)
    return math.fsum(np.asarray(data) * np.asarray(weights)) / math.fsum(weights)


@written_out(statistics.geometric_mean)
def geometric_mean(data: Sequence):
    """y = exp(Σ log x / n)"""
    own(statistics.geometric_mean, data)
    return np.exp(np.mean(np.log(np.asarray(data)))).item()


@written_out(statistics.harmonic_mean)
def harmonic_mean(data: Sequence, weights: Sequence | None = None):
    """y = Σ w / Σ w / x"""
    own(statistics.harmonic_mean, data, weights)
    x = np.asarray(data)
    w = np.ones(len(data), x.dtype) if weights is None else np.asarray(weights)
    return as_data(np.sum(w) / np.sum(w / x), data)


@written_out(statistics.median)
def median(data: Sequence):
    """The middle value, or the mean of the two in the middle"""
    own(statistics.median, data)
    return as_data(np.median(np.asarray(data)), data)


@written_out(statistics.median_low)
def median_low(data: Sequence):
    """The middle value, or the lesser of the two"""
    own(statistics.median_low, data)
    return sorted(data)[(len(data) - 1) // 2]


@written_out(statistics.median_high)
def median_high(data: Sequence):
    """The middle value, or the greater of the two"""
    own(statistics.median_high, data)
    return sorted(data)[len(data) // 2]


@written_out(statistics.pvariance)
def pvariance(data: Sequence, *, mu=None):
    """y = Σ (x − μ)² / n"""
    own(statistics.pvariance, data, mu=mu)
    return as_data(np.var(np.asarray(data), mean=mu), data)


@written_out(statistics.variance)
def variance(data: Sequence, *, xbar=None):
    """y = Σ (x − μ)² / (n − 1)"""
    own(statistics.variance, data, xbar=xbar)
    return as_data(np.var(np.asarray(data), ddof=1, mean=xbar), data)


@written_out(statistics.pstdev)
def pstdev(data: Sequence, *, mu=None):
    """y = √(Σ (x − μ)² / n)"""
    own(statistics.pstdev, data, mu=mu)
    return np.std(np.asarray(data), mean=mu).item()


@written_out(statistics.stdev)
def stdev(data: Sequence, *, xbar=None):
    """y = √(Σ (x − μ)² / (n − 1))"""
    own(statistics.stdev, data, xbar=xbar)
    return np.std(np.asarray(data), ddof=1, mean=xbar).item()


@written_out(statistics.covariance)
def covariance(x: Sequence, y: Sequence):
    """c = Σ (x − x̄) (y − ȳ) / (n − 1)"""
    own(statistics.covariance, x, y)
    a, b = np.asarray(x), np.asarray(y)
    return (np.sum((a - np.mean(a)) * (b - np.mean(b))) / (len(a) - 1)).item()


@written_out(statistics.correlation)
def correlation(x: Sequence, y: Sequence):
    """r = Σ (x − x̄) (y − ȳ) / √(Σ (x − x̄)² Σ (y − ȳ)²)"""
    own(statistics.correlation, x, y)
    a, b = np.asarray(x), np.asarray(y)
    a, b = a - np.mean(a), b - np.mean(b)
    return (np.sum(a * b) / np.sqrt(np.sum(a * a) * np.sum(b * b))).item()


@written_out(statistics.linear_regression)
def linear_regression(x: Sequence, y: Sequence, *, proportional=False):
    """slope = Σ (x − x̄) (y − ȳ) / Σ (x − x̄)², intercept = ȳ − slope x̄; both from zero where proportional"""
    own(statistics.linear_regression, x, y, proportional=proportional)
    a, b = np.asarray(x), np.asarray(y)
    x_mean, y_mean = (0.0, 0.0) if proportional else (np.mean(a), np.mean(b))
    slope = np.sum((a - x_mean) * (b - y_mean)) / np.sum((a - x_mean) ** 2)
    intercept = 0.0 if proportional else (y_mean - slope * x_mean).item()
    return statistics.LinearRegression(slope.item(), intercept)


def density(y: float, sigma: float) -> float:
    """The density of the normal distribution where it is y deviations off its mean."""
    return math.exp(-0.5 * y * y) / (sigma * math.sqrt(2 * math.pi))


scalar_rule(
    statistics._normal_dist_inv_cdf,  # type: ignore[attr-defined]  # which `NormalDist.inv_cdf` calls
    lambda y, p, mu, sigma: 1 / density((y - mu) / sigma, sigma),
    1,
    lambda y, p, mu, sigma: (y - mu) / sigma,
)
non_differentiable(statistics.mode, statistics.multimode, why="counts equal values")
