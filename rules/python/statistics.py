"""Functions of `statistics`, written out in NumPy's; medians share as those of NumPy do.

A mean that is given (`mu=`, `xbar=`) is a constant. A standard deviation of zero has derivative zero.
Absent: modes and quantiles, `linear_regression`, `median_grouped`, and data that are no floats.
"""

from __future__ import annotations

import statistics
from typing import Any

import numpy as np

from ...core import non_differentiable
from ..written import written_out

Sequence = tuple | list | np.ndarray


def as_data(y: Any, data: Any) -> Any:
    """A result as `statistics` gives it: of NumPy's numbers NumPy's, of Python's Python's."""
    return y if isinstance(data[0], np.generic) else y.item()


@written_out(statistics.mean)
def mean(data: Sequence):
    """y = Σ x / n"""
    return as_data(np.mean(np.asarray(data)), data)


@written_out(statistics.fmean)
def fmean(data: Sequence, weights: Sequence | None = None):
    """y = Σ w x / Σ w"""
    x = np.asarray(data)
    if weights is None:
        return np.mean(x).item()
    w = np.asarray(weights)
    return (np.sum(w * x) / np.sum(w)).item()


@written_out(statistics.geometric_mean)
def geometric_mean(data: Sequence):
    """y = exp(Σ log x / n)"""
    return np.exp(np.mean(np.log(np.asarray(data)))).item()


@written_out(statistics.harmonic_mean)
def harmonic_mean(data: Sequence, weights: Sequence | None = None):
    """y = Σ w / Σ w / x"""
    x = np.asarray(data)
    w = np.ones(len(data), x.dtype) if weights is None else np.asarray(weights)
    return as_data(np.sum(w) / np.sum(w / x), data)


@written_out(statistics.median)
def median(data: Sequence):
    """The middle value, or the mean of the two in the middle"""
    return as_data(np.median(np.asarray(data)), data)


@written_out(statistics.median_low)
def median_low(data: Sequence):
    """The middle value, or the lesser of the two"""
    return sorted(data)[(len(data) - 1) // 2]


@written_out(statistics.median_high)
def median_high(data: Sequence):
    """The middle value, or the greater of the two"""
    return sorted(data)[len(data) // 2]


@written_out(statistics.pvariance)
def pvariance(data: Sequence, *, mu=None):
    """y = Σ (x − μ)² / n"""
    return as_data(np.var(np.asarray(data), mean=mu), data)


@written_out(statistics.variance)
def variance(data: Sequence, *, xbar=None):
    """y = Σ (x − μ)² / (n − 1)"""
    return as_data(np.var(np.asarray(data), ddof=1, mean=xbar), data)


@written_out(statistics.pstdev)
def pstdev(data: Sequence, *, mu=None):
    """y = √(Σ (x − μ)² / n)"""
    return np.std(np.asarray(data), mean=mu).item()


@written_out(statistics.stdev)
def stdev(data: Sequence, *, xbar=None):
    """y = √(Σ (x − μ)² / (n − 1))"""
    return np.std(np.asarray(data), ddof=1, mean=xbar).item()


@written_out(statistics.covariance)
def covariance(x: Sequence, y: Sequence):
    """c = Σ (x − x̄) (y − ȳ) / (n − 1)"""
    a, b = np.asarray(x), np.asarray(y)
    return (np.sum((a - np.mean(a)) * (b - np.mean(b))) / (len(a) - 1)).item()


@written_out(statistics.correlation)
def correlation(x: Sequence, y: Sequence):
    """r = Σ (x − x̄) (y − ȳ) / √(Σ (x − x̄)² Σ (y − ȳ)²)"""
    a, b = np.asarray(x), np.asarray(y)
    a, b = a - np.mean(a), b - np.mean(b)
    return (np.sum(a * b) / np.sqrt(np.sum(a * a) * np.sum(b * b))).item()


non_differentiable(statistics.mode, statistics.multimode, why="counts equal values")
