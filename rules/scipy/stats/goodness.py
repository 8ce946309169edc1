"""Tests of fit: distances of a sample from a distribution, and their p-values.

A sample is sorted, and its entries have fixed places; the greatest distance moves as the entry does where it
is found. The distribution is the user's function, or one of SciPy's with its parameters.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import stats

from ....core import NotDifferentiableError, non_differentiable
from ...written import own, written_out
from .agreement import agreed, as_result
from .samples_of import Samples, along
from .tails_of_fit import cramer_tail, kolmogorov_tail
from .tests_of_samples import BOTH


def cdf_of(distribution: Any) -> Any:
    """A distribution function, by name or as it is."""
    return named(distribution) if isinstance(distribution, str) else distribution


def named(name: str) -> Any:
    """The distribution function of a distribution of SciPy's."""
    return getattr(stats, name).cdf


def refuse_two_samples(cdf: Any) -> None:
    """Refuse a second sample: two samples are compared by their order."""
    if not callable(cdf) and not isinstance(cdf, str):
        raise NotDifferentiableError(
            "scipy.stats.kstest of two samples depends on their order alone, a step in both",
            next="use scipy.stats.wasserstein_distance or energy_distance, which move with the values",
        )


def compared(x: Any, cdf: Any, args: Any, alternative: str, method: str) -> Any:
    """The greatest distance of i/n and F, and its p-value, along the last axis."""
    n = np.shape(x)[-1]
    F = cdf(np.sort(x, axis=-1), *args)
    above = np.max(np.arange(1.0, n + 1.0) / n - F, axis=-1)
    below = np.max(F - np.arange(0.0, n) / n, axis=-1)
    chosen = {"greater": above, "less": below}
    distance = chosen[alternative] if alternative in chosen else np.maximum(above, below)
    return distance, kolmogorov_tail(distance, n, alternative, method)


non_differentiable(named, refuse_two_samples, why="looks at what was given")


@written_out(stats.ks_1samp)
def ks_1samp(
    x: Samples, cdf: Callable, args: Any = (), *, alternative="two-sided", method="auto", axis=0, **options
):
    """max |i/n − F(x)| of sorted x, and its p-value [Simard & L'Ecuyer 2011]"""
    y = own(stats.ks_1samp, x, cdf, args, alternative, method, axis=axis, **options)
    found = compared(along(x, axis), cdf, args, alternative, method)
    parts = [agreed(getattr(y, n), part, "scipy.stats.ks_1samp") for n, part in zip(BOTH, found, strict=True)]
    return as_result(y, BOTH, *parts)


@written_out(stats.kstest)
def kstest(
    rvs: Samples, cdf: Any, args: Any = (), *, N=20, alternative="two-sided", method="auto", **options
):
    """As `ks_1samp`, the distribution by name too"""
    refuse_two_samples(cdf)
    y = own(stats.kstest, rvs, cdf, args, N, alternative, method, **options)
    found = compared(along(rvs, options.get("axis", 0)), cdf_of(cdf), args, alternative, method)
    parts = [agreed(getattr(y, n), part, "scipy.stats.kstest") for n, part in zip(BOTH, found, strict=True)]
    return as_result(y, BOTH, *parts)


@written_out(stats.cramervonmises)
def cramervonmises(rvs: Samples, cdf: Any, args: Any = (), *, axis=0, **options):
    """1/(12 n) + Σ ((2 i − 1)/(2 n) − F(x))² of sorted x [Csörgő & Faraway 1996]"""
    y = own(stats.cramervonmises, rvs, cdf, args, axis=axis, **options)
    x = np.sort(along(rvs, axis), axis=-1)
    n = np.shape(x)[-1]
    places = (2.0 * np.arange(1, n + 1) - 1.0) / (2 * n)
    distance = 1.0 / (12.0 * n) + np.sum(np.square(places - cdf_of(cdf)(x, *args)), axis=-1)
    found = distance, cramer_tail(distance, n)
    title = "scipy.stats.cramervonmises"
    parts = [agreed(getattr(y, name), part, title) for name, part in zip(BOTH, found, strict=True)]
    return as_result(y, BOTH, *parts)
