"""Sorted lines whose ties share, and ranks among them: what medians and quantiles are written with.

The rank of a quantile is that of NumPy: its own quantile of 0, 1, …, n−1, by any method. By q it moves
at a constant rate where the method interpolates, and not at all where the method jumps or the rank has
been cut to the line.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core import frule, non_differentiable, rrule
from ...core.seeds import ready
from ...tangents import IndexedTangent
from .axes import float_dtype
from .reductions import lines
from .sorting import sorted_places

ENDS = {
    "linear": (1.0, 1.0),
    "weibull": (0.0, 0.0),
    "hazen": (0.5, 0.5),
    "interpolated_inverted_cdf": (0.0, 1.0),
    "median_unbiased": (1 / 3, 1 / 3),
    "normal_unbiased": (3 / 8, 3 / 8),
}
"""The parameters (α, β) of the methods that interpolate: rank = q (n + 1 − α − β) + α − 1."""


def line_up(x: Any, axis: Any) -> Any:
    """x with the reduced axes as one last axis."""
    rows, _, _, line_shape = lines(np.shape(x), axis)
    return np.reshape(np.transpose(x, rows), line_shape)


def sorted_line(x: Any) -> Any:
    """x sorted along its last axis, where entries that tie share their derivative equally."""
    return np.sort(x, axis=-1, kind="stable")


@frule(sorted_line)
def sorted_line_frule(tangents, x):
    """y = x sorted        ẏ = the mean of ẋ over entries that tie"""
    places = sorted_places(x, -1)
    y = np.take_along_axis(x, places, -1)
    return y, shared_out(np.take_along_axis(tangents[0], places, -1), runs(y))


@rrule(sorted_line)
def sorted_line_rrule(x):
    """y = x sorted        x̄ = the mean of ȳ over entries that tie"""
    places = sorted_places(x, -1)
    y = np.take_along_axis(x, places, -1)
    groups = runs(y)

    def sorted_line_pullback(y_bar):
        shared = shared_out(y_bar, groups)
        x_bar = np.empty(shared.shape, shared.dtype)
        np.put_along_axis(x_bar, places, shared, -1)
        return x_bar

    return y, sorted_line_pullback


def runs(y: Any) -> Any:
    """For each entry of sorted lines the number of its run of equal entries; None where none are equal."""
    fresh = np.ones(y.shape, bool)
    fresh[..., 1:] = (y[..., 1:] != y[..., :-1]) & ~np.isnan(y[..., :-1])
    return None if fresh.all() else np.cumsum(fresh) - 1


def shared_out(t: Any, groups: Any) -> Any:
    """A tangent or cotangent of sorted lines, equal over each run."""
    if groups is None:
        return t
    sums = ready(IndexedTangent((int(groups[-1]) + 1,), float_dtype(t), groups, np.reshape(t, -1)))
    return np.reshape((sums / sizes(groups, float_dtype(t)))[groups], np.shape(t))


def sizes(groups: Any, dtype: Any) -> Any:
    """How many entries each run has, as numbers of a type."""
    return np.bincount(groups).astype(np.empty(0, dtype).real.dtype)


def counted(line: Any, skip_nan: bool) -> Any:
    """For each line how many entries take part: those that are numbers, or none where one is not."""
    numbers = np.count_nonzero(~np.isnan(line), axis=-1)
    return numbers if skip_nan else np.where(numbers == line.shape[-1], numbers, 0)


def ranks(q: Any, counts: Any, method: Any, last: int) -> Any:
    """The rank of each quantile in each line of so many numbers; the last place where there are none."""
    found = np.full((*counts.shape, np.size(q)), float(last))
    for n in np.unique(counts):
        if n:
            found[counts == n] = np.quantile(np.arange(float(n)), np.ravel(q), method=method)
    return found


def ranks_by_weight(f: Any, a: Any, q: Any, line: Any, axis: Any, method: str, weights: Any) -> Any:
    """The rank of each weighted quantile, which is one of the entries, in its line."""
    y = np.asarray(f(a, np.ravel(q), axis=axis, method=method, weights=weights))
    places = np.count_nonzero(line[..., np.newaxis] < np.moveaxis(y, 0, -1)[..., np.newaxis, :], axis=-2)
    return np.where(np.isnan(np.moveaxis(y, 0, -1)), line.shape[-1] - 1, places)


def rate(q: Any, counts: Any, method: str) -> Any:
    """How fast each rank moves with q; 0 where the method jumps or the rank has been cut to the line."""
    if method not in ENDS:
        return 0.0
    first, second = ENDS[method]
    slope = np.expand_dims(counts + 1 - first - second, -1)
    place = np.ravel(q) * slope + first - 1
    return np.where((place >= 0) & (place <= np.expand_dims(counts, -1) - 1), slope, 0.0)


def neighbours(rank: Any, counts: Any) -> tuple[Any, Any]:
    """The places below and above a rank; above the last of a line's numbers there is none."""
    ends = np.expand_dims(counts, -1) - 1
    below = np.where(ends < 0, rank, np.clip(np.floor(rank), 0, np.maximum(ends - 1, 0))).astype(np.intp)
    return below, np.where(ends < 0, below, np.minimum(below + 1, ends))


def still(x: Any) -> Any:
    """x itself, without a derivative."""
    return x


non_differentiable(
    *(runs, sizes, counted, ranks, ranks_by_weight, rate, neighbours, still), why="is piecewise constant"
)
