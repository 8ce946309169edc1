"""Medians, percentiles and quantiles by every method, and those that leave NaNs out.

Entries that tie share the cotangent equally, as for an extremum. Where an entry is NaN the value is,
and the NaNs share the cotangent; where NaNs are left out theirs is zero. By q an interpolating method
has the slope between the two neighbours, at a neighbour itself the slope above it; a method that jumps has
slope zero. Absent: `out=`, `overwrite_input=True`, derivatives by weights.

See [Hyndman & Fan 1996].
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core import Array, UnsupportedArgument, non_differentiable
from ..written import own, written_out
from .axes import kept
from .ranks import ENDS, counted, line_up, neighbours, ranks, ranks_by_weight, rate, sorted_line, still


def one_line_of(f: Any, q: Any) -> None:
    """Refuse quantiles on several axes where NumPy orders the axes of the result otherwise than elsewhere."""
    if np.ndim(q) > 1:
        raise UnsupportedArgument(
            f, "q", f"an array of {np.ndim(q)} axes", supported=["a number", "a vector"]
        )


non_differentiable(one_line_of, why="checks an argument")


def numbers_in(line: Any) -> Any:
    """Lines whose NaNs have no derivative."""
    skipped = np.isnan(line)
    return np.where(skipped, np.nan, line) if np.any(skipped) else line


def is_plain(line: Any) -> bool:
    """Whether this is one line, of double precision and without NaN."""
    return line.ndim == 1 and line.dtype == np.float64 and not np.isnan(line).any()


def is_number(q: Any) -> bool:
    """Whether this is one number, of double precision, that NumPy does not refuse."""
    return isinstance(q, float) and 0.0 <= q <= 1.0


def is_vector(q: Any) -> bool:
    """Whether these are several numbers, of double precision, that NumPy does not refuse."""
    if np.ndim(q) != 1 or np.asarray(q).dtype != np.float64:
        return False
    return bool(np.all((np.asarray(q) >= 0.0) & (np.asarray(q) <= 1.0)))


def wholes(ranks: Any, last: int) -> Any:
    """The whole parts of several ranks, of which none is that of the last entry."""
    return np.minimum(np.floor(ranks).astype(int), last - 1)


def ends_of(method: str) -> tuple[float, float]:
    """The parameters of a method that interpolates."""
    return ENDS[method]


def whole(rank: Any) -> int:
    """The whole part of a rank."""
    return int(rank)


non_differentiable(is_plain, is_number, is_vector, ends_of, whole, wholes, why="has steps")


def between(ordered: Any, rank: Any) -> Any:
    """What lies at a rank of one sorted line, which is cut to the line."""
    last = len(ordered) - 1
    if rank < 0 or rank > last or last == 0:
        return 1.0 * ordered[0 if rank < 0 else last]
    below = min(whole(rank), last - 1)
    low, high, step = ordered[below], ordered[below + 1], rank - below
    return low + step * (high - low) if step < 0.5 else high - (1 - step) * (high - low)


def between_each(ordered: Any, ranks: Any) -> Any:
    """The same at each of several ranks, of two entries or more."""
    last = len(ordered) - 1
    cut = np.clip(ranks, 0, last)
    below = wholes(cut, last)
    low, high, step = ordered[below], ordered[below + 1], cut - below
    return np.where(step < 0.5, low + step * (high - low), high - (1 - step) * (high - low))


def middle(f: Any, a: Any, axis: Any, keepdims: bool, skip_nan: bool) -> Any:
    """The mean of the one or two entries in the middle of each line."""
    if not np.size(a):
        return own(f, a, axis=axis, keepdims=keepdims)
    line = numbers_in(line_up(a, axis)) if skip_nan else line_up(a, axis)
    if not keepdims and is_plain(line):
        ordered = sorted_line(line)
        return 0.5 * ordered[(len(ordered) - 1) // 2] + 0.5 * ordered[len(ordered) // 2]
    ordered, counts = sorted_line(line), counted(line, skip_nan)
    low, high = middle_places(counts, line.shape[-1])
    y = 0.5 * np.take_along_axis(ordered, low, -1) + 0.5 * np.take_along_axis(ordered, high, -1)
    return np.reshape(y, kept(np.shape(a), axis)) if keepdims else np.reshape(y, np.shape(line)[:-1])[()]


def middle_places(counts: Any, length: int) -> tuple[Any, Any]:
    """The places of the one or two entries in the middle; the last where there are none."""
    counts = np.expand_dims(np.where(counts == 0, 2 * length - 1, counts), -1)
    return (counts - 1) // 2, counts // 2


non_differentiable(middle_places, why="returns indices")


def quantile(
    f: Any, a: Any, q: Any, percent: Any, axis: Any, method: str, keepdims: bool, weights: Any, skip_nan: bool
) -> Any:
    """What lies at the rank of each quantile in each line, between its neighbours if need be."""
    if not np.size(a):
        return own(f, a, percent, axis=axis, method=method, keepdims=keepdims)
    line = numbers_in(line_up(a, axis)) if skip_nan else line_up(a, axis)
    if weights is None and not keepdims and method in ENDS and is_plain(line):
        first, second = ends_of(method)
        if is_number(q):
            return between(sorted_line(line), q * (len(line) + 1 - first - second) + first - 1)
        if is_vector(q) and len(line) > 1:
            return between_each(sorted_line(line), q * (len(line) + 1 - first - second) + first - 1)
    ordered, counts = sorted_line(line), counted(line, skip_nan)
    if weights is None:
        rank = ranks(q, counts, method, line.shape[-1] - 1)
        rank = rank + rate(q, counts, method) * (np.ravel(q) - still(np.ravel(q)))
    else:
        rank = ranks_by_weight(f, a, percent, line, axis, method, weights)
    below, above = neighbours(rank, counts)
    y = np.take_along_axis(ordered, below, -1)
    step, dtype = rank - below, own(f, np.ones(1, y.dtype), percent, method=method).dtype
    if weights is None and (dtype != y.dtype or method in ENDS or np.any(step)):
        top = np.take_along_axis(ordered, above, -1)
        rest = top - y
        step = step.astype(dtype)
        y = np.where(step < 0.5, y + step * rest, top - (1 - step) * rest)
    shape = kept(np.shape(a), axis) if keepdims else np.shape(line)[:-1]
    y = np.reshape(np.moveaxis(y, -1, 0), (*np.shape(q), *shape))
    return y if keepdims or weights is not None else y[()]  # NumPy leaves these two an array


@written_out(np.median)
def median(a: Array, *, axis=None, keepdims=False):
    """y = the mean of the one or two entries in the middle"""
    return middle(np.median, a, axis, keepdims, False)


@written_out(np.nanmedian)
def nanmedian(a: Array, *, axis=None, keepdims=False):
    """y = the mean of the one or two entries in the middle of those that are numbers"""
    return middle(np.nanmedian, a, axis, keepdims, True)


@written_out(np.quantile)
def quantile_of(a: Array, q: Array, *, axis=None, method="linear", keepdims=False, weights=None):
    """y = the value that a part q of the entries does not exceed"""
    return quantile(np.quantile, a, q, q, axis, method, keepdims, weights, False)


@written_out(np.nanquantile)
def nanquantile(a: Array, q: Array, *, axis=None, method="linear", keepdims=False, weights=None):
    """y = the value that a part q of the entries that are numbers does not exceed"""
    one_line_of(np.nanquantile, q)
    return quantile(np.nanquantile, a, q, q, axis, method, keepdims, weights, True)


@written_out(np.percentile)
def percentile(a: Array, q: Array, *, axis=None, method="linear", keepdims=False, weights=None):
    """y = the value that q percent of the entries do not exceed"""
    return quantile(np.percentile, a, np.divide(q, 100), q, axis, method, keepdims, weights, False)


@written_out(np.nanpercentile)
def nanpercentile(a: Array, q: Array, *, axis=None, method="linear", keepdims=False, weights=None):
    """y = the value that q percent of the entries that are numbers do not exceed"""
    one_line_of(np.nanpercentile, q)
    return quantile(np.nanpercentile, a, np.divide(q, 100), q, axis, method, keepdims, weights, True)
