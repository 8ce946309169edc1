"""Statistics of sorted samples: quantiles, L-moments, entropies by spacings.

A quantile moves as the entries between which it lies; by its probability, as the line between them, and at
an entry as the line before or after it that SciPy takes. Tied entries share.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy import stats
from scipy.special import betainc, binom

from ....core import UnsupportedArgument, non_differentiable
from ...written import own, written_out
from .agreement import agreed
from .samples_of import Samples, along, statistic

OFFSETS = {
    "inverted_cdf": (0.0, 0.0),
    "averaged_inverted_cdf": (0.0, 0.0),
    "closest_observation": (-0.5, 0.0),
    "interpolated_inverted_cdf": (0.0, 0.0),
    "hazen": (0.5, 0.0),
    "weibull": (0.0, 1.0),
    "linear": (1.0, -1.0),
    "median_unbiased": (1.0 / 3.0, 1.0 / 3.0),
    "normal_unbiased": (3.0 / 8.0, 1.0 / 4.0),
}
"""The place of a quantile is n p + c + d p [Hyndman & Fan 1996]: c and d."""
SINGLE: Any = {"_lower": np.floor, "_higher": np.ceil, "_nearest": np.round}
ROUNDED: Any = {
    "round_outward": (np.floor, np.ceil),
    "round_inward": (np.ceil, np.floor),
    "round_nearest": (np.round, np.round),
}


def steps_at(place: Any, n: int, method: str) -> Any:
    """The entries about a place, counted from 0, and how far it is from the first, if that is held."""
    below = np.floor(place) - 1.0
    part = place - np.floor(place)
    held = None
    if method == "inverted_cdf":
        held = (part > 0) * 1.0
    elif method == "averaged_inverted_cdf":
        held = (1.0 + (part > 0)) / 2.0
    elif method == "closest_observation":
        held = 1.0 - ((part == 0) & (below % 2 == 1))
    if held is not None:
        held = np.where((place < 0) | (below < 0), 0.0, held)
    return np.clip(below, 0, n - 1).astype(int), np.clip(below + 1, 0, n - 1).astype(int), held, below < 0


def rounded_place(p: Any, n: int, method: str) -> Any:
    """The one entry that is the quantile."""
    if method in ROUNDED:
        left, right = ROUNDED[method]
        return np.where(p < 0.5, left(p * n), right(n * p - 1)).astype(int)
    return SINGLE[method](p * (n - 1)).astype(int)


def floors(place: Any) -> Any:
    """Whole numbers below."""
    return np.floor(place)


non_differentiable(steps_at, rounded_place, floors, why="says which entries are taken")


def taken(x: Any, places: Any) -> Any:
    """Entries along the last axis."""
    shape = np.broadcast_shapes(np.shape(x)[:-1], np.shape(places)[:-1])
    x = np.broadcast_to(x, (*shape, np.shape(x)[-1]))
    return np.take_along_axis(x, np.broadcast_to(places, (*shape, np.shape(places)[-1])), axis=-1)


def quantile_along(x: Any, p: Any, method: str) -> Any:
    """Quantiles of sorted entries along the last axis, by a method of SciPy's."""
    n = np.shape(x)[-1]
    if method == "harrell-davis":
        edges = np.arange(n + 1.0) / n
        p = p[..., None]
        return np.sum(
            np.diff(betainc(p * (n + 1.0), (1.0 - p) * (n + 1.0), edges)) * x[..., None, :], axis=-1
        )
    if method == "_midpoint":
        return 0.5 * (quantile_along(x, p, "_lower") + quantile_along(x, p, "_higher"))
    if method not in OFFSETS:
        return taken(x, rounded_place(p, n, method))
    fixed, by_p = OFFSETS[method]
    place = p * n + (fixed + by_p * p)
    lower, upper, held, before = steps_at(place, n, method)
    part = place - floors(place) if held is None else held
    part = np.where(before, 0.0, part)
    return (1.0 - part) * taken(x, lower) + part * taken(x, upper)


@written_out(stats.quantile)
def quantile(
    x: Samples, p: Any, *, method="linear", axis=0, nan_policy="propagate", keepdims=None, weights=None
):
    """Between two entries, by their distance to n p + c + d p [Hyndman & Fan 1996]"""
    if weights is not None:
        raise UnsupportedArgument(
            stats.quantile, "weights", weights, next="repeat each entry as often as it counts",
        )  # fmt: skip
    y = own(stats.quantile, x, p, method=method, axis=axis, nan_policy=nan_policy, keepdims=keepdims)
    ndim = max(np.ndim(x), np.ndim(p))
    rows, at = np.sort(along(x, axis, ndim), axis=-1), along(p, axis, ndim)
    found = quantile_along(rows, at, method)
    if axis is not None and np.ndim(y) == ndim:
        found = np.moveaxis(found, -1, axis)
    return agreed(y, found, "scipy.stats.quantile")


@statistic(stats.iqr, "x")
def iqr(x, *, rng=(25, 75), scale=1.0, interpolation="linear"):
    """The distance of two quantiles, the quartiles if no others are asked for"""
    low, high = min(rng) / 100.0, max(rng) / 100.0
    if isinstance(scale, str):
        scale = stats.norm.ppf(0.75) - stats.norm.ppf(0.25)
    method = (
        f"_{interpolation}" if interpolation in ("lower", "midpoint", "higher", "nearest") else interpolation
    )
    both = quantile_along(
        np.sort(x, axis=-1), np.reshape(np.stack([low, high]), (1,) * (np.ndim(x) - 1) + (2,)), method
    )
    return (both[..., 1] - both[..., 0]) / scale


@statistic(stats.median_abs_deviation, "x")
def median_abs_deviation(x, *, center=None, scale=1.0):
    """The median of |x − median|, or about another middle"""
    middle = np.median(x, axis=-1) if center is None else center(x, axis=-1)
    found = np.median(np.abs(x - np.expand_dims(middle, -1)), axis=-1)
    return found / (0.6744897501960817 if isinstance(scale, str) else scale)


@written_out(stats.scoreatpercentile)
def scoreatpercentile(a: Samples, per: Any, *, limit=(), interpolation_method="fraction", axis=None):
    """The quantile at a hundredth, of what lies within the limits"""
    y = own(stats.scoreatpercentile, a, per, limit, interpolation_method, axis)
    x = np.asarray(a)
    if len(limit):
        x = x[(limit[0] <= x) & (x <= limit[1])]
    rows = np.sort(along(x, axis), axis=-1)
    method = {"fraction": "linear", "lower": "_lower", "higher": "_higher"}[interpolation_method]
    p = np.reshape(np.asarray(per) / 100.0, (1,) * (np.ndim(rows) - 1) + (-1,))
    found = np.moveaxis(quantile_along(rows, p, method), -1, 0)
    return agreed(y, found, "scipy.stats.scoreatpercentile")


def coefficients(count: int, n: int) -> Any:
    """Of the sorted entries in each L-moment [Hosking 1990]: an array (count, n)."""
    k = np.arange(float(count))
    r = k[:, None]
    by_moment = (-1.0) ** (r - k) * binom(r, k) * binom(r + k, k)
    weighted = binom(np.arange(float(n)), r) / binom(n - 1.0, r) / n if n > 1 else np.ones((count, n))
    weighted = np.where(r < n, weighted, 0.0)
    return by_moment @ weighted


non_differentiable(coefficients, why="are constants")


@statistic(stats.lmoment, "sample")
def lmoment(sample, *, order=None, sorted=False, standardize=True):
    """Sums of the sorted entries; from the third on over the second [Hosking 1990]"""
    asked = np.arange(1, 5) if order is None else np.asarray(order)
    n = np.shape(sample)[-1]
    ordered = sample if sorted else np.sort(sample, axis=-1)
    found = np.tensordot(coefficients(int(np.max(asked)), n), ordered, (1, np.ndim(ordered) - 1))
    if standardize:
        found = np.concatenate([found[:2], found[2:] / found[1:2]])
    missing = np.where(np.arange(len(found)) < n, 0.0, np.nan)
    return (found + np.reshape(missing, (-1,) + (1,) * (np.ndim(found) - 1)))[asked - 1]


@statistic(stats.differential_entropy, "values")
def differential_entropy(values, *, window_length=None, base=None, method="auto"):
    """The mean logarithm of spacings [Vasicek 1976; Ebrahimi et al. 1994; Correa 1995; van Es 1992]"""
    n = np.shape(values)[-1]
    m = math.floor(math.sqrt(n) + 0.5) if window_length is None else window_length
    method = method.lower()
    if method == "auto":
        method = "van es" if n <= 10 else "ebrahimi" if n <= 1000 else "vasicek"
    x = np.sort(values, axis=-1)
    found = van_es(x, m) if method == "van es" else by_windows(x, m, method)
    return found if base is None else found / math.log(base)


def van_es(x: Any, m: int) -> Any:
    """By spacings of m within the sample."""
    n = np.shape(x)[-1]
    fixed = np.sum(1.0 / np.arange(m, n + 1)) + math.log(m) - math.log(n + 1)
    return np.sum(np.log((n + 1) / m * (x[..., m:] - x[..., :-m])), axis=-1) / (n - m) + fixed


def by_windows(x: Any, m: int, method: str) -> Any:
    """By spacings of 2 m about each entry, the ends repeated."""
    n = np.shape(x)[-1]
    padded = np.concatenate([np.repeat(x[..., :1], m, -1), x, np.repeat(x[..., -1:], m, -1)], axis=-1)
    if method == "correa":
        window = np.arange(-m, m + 1)[:, None]
        each = padded[..., np.arange(n) + window + m]
        off = each - np.mean(each, axis=-2, keepdims=True)
        slope = np.sum(off * window, axis=-2) / (n * np.sum(np.square(off), axis=-2))
        return -np.mean(np.log(slope), axis=-1)
    spacing = padded[..., 2 * m :] - padded[..., : -2 * m]
    i = np.arange(1, n + 1)
    widths = np.full(n, 2.0)
    if method == "ebrahimi":
        widths = np.where(i <= m, 1.0 + (i - 1) / m, widths)
        widths = np.where(i >= n - m + 1, 1.0 + (n - i) / m, widths)
    return np.mean(np.log(n * spacing / (widths * m)), axis=-1)
