"""Statistics of values in bins. Which bin a point is in is held; the edges of bins move as they were given.

Edges that SciPy makes lie evenly between the least and the greatest coordinate, and move as these do. A
function of the user's own is called as SciPy calls it, on the values of one bin.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import stats

from ....core import UnsupportedArgument, non_differentiable
from ...written import own, written_out
from .agreement import agreed, as_result
from .samples_of import Samples

NAMED = {np.mean: "mean", np.std: "std", np.sum: "sum", np.median: "median", np.min: "min", np.max: "max"}


def members(y: Any, count: int) -> Any:
    """The places of the points in each bin of a result, in the order of the bins."""
    edges = y[1]
    sizes = [len(e) - 1 for e in edges]
    numbers = np.reshape(np.asarray(y[2]), (-1, count)) if len(edges) > 1 else np.asarray(y[2])[None]
    if len(numbers) == 1 and len(edges) > 1:
        numbers = np.stack(np.unravel_index(numbers[0], [s + 2 for s in sizes]))
    inside = np.all([(k >= 1) & (k <= s) for k, s in zip(numbers, sizes, strict=True)], axis=0)
    flat = np.full(count, -1)
    flat[inside] = np.ravel_multi_index([k[inside] - 1 for k in numbers], sizes)
    return tuple([np.nonzero(flat == b)[0] for b in range(int(np.prod(sizes)))]), tuple(sizes)


def name_of(statistic: Any) -> Any:
    """The name of a statistic, if it has one."""
    return statistic if isinstance(statistic, str) else NAMED.get(statistic)


non_differentiable(members, name_of, why="says which points are in which bin")

PROGRAMS = {
    "mean": lambda v: np.mean(v, axis=-1),
    "std": lambda v: np.std(v, axis=-1),
    "sum": lambda v: np.sum(v, axis=-1),
    "median": lambda v: np.median(v, axis=-1),
    "min": lambda v: np.min(v, axis=-1),
    "max": lambda v: np.max(v, axis=-1),
}


def one_bin(statistic: Any, values: Any, places: Any) -> Any:
    """The statistic of the values of one bin, for each row of values."""
    part, name = values[:, places], name_of(statistic)
    return np.stack([statistic(row) for row in part]) if name is None else PROGRAMS[name](part)


def in_bins(y: Any, values: Any, statistic: Any) -> Any:
    """The statistic in every bin; where there is no point, what SciPy says."""
    if name_of(statistic) == "count":
        return y[0]
    rows = np.reshape(np.asarray(values) * 1.0, (-1, np.shape(values)[-1]))
    groups, sizes = members(y, np.shape(values)[-1])
    empty = own(np.reshape, y[0], (len(rows), -1))
    found = [one_bin(statistic, rows, g) if len(g) else empty[:, b] for b, g in enumerate(groups)]
    return np.reshape(np.stack(found, axis=-1), (*np.shape(values)[:-1], *sizes))


def edges_of(y: Any, x: Any, bins: Any, limits: Any) -> Any:
    """The edges along one coordinate, which move with the least and the greatest if these were taken."""
    if np.ndim(bins):
        return np.asarray(bins) * 1.0
    if limits is not None:
        return np.linspace(limits[0], limits[1], len(y))
    x = np.asarray(x) * 1.0
    low, high = np.min(x), np.max(x)
    return y if low == high else np.linspace(low, high, len(y))


@written_out(stats.binned_statistic)
def binned_statistic(
    x: Samples,
    values: Any,
    statistic: Any = "mean",
    bins: Any = 10,
    *,
    range=None,
):
    """The statistic of the values in each bin, and the edges"""
    y = own(stats.binned_statistic, x, values, statistic, bins, range)
    title = "scipy.stats.binned_statistic"
    limits = None if range is None else range if np.ndim(range) == 1 else range[0]
    edges = agreed(y.bin_edges, edges_of(y.bin_edges, x, bins, limits), title)
    found = agreed(y.statistic, in_bins((y.statistic, (y.bin_edges,), y.binnumber), values, statistic), title)
    return as_result(y, ("statistic", "bin_edges"), found, edges)


def for_each(bins: Any, d: int) -> Any:
    """Bins, or their number, for each of d coordinates."""
    return bins if np.ndim(bins) or isinstance(bins, list | tuple) else (bins,) * d


@written_out(stats.binned_statistic_2d)
def binned_statistic_2d(
    x: Samples,
    y: Any,
    values: Any,
    statistic: Any = "mean",
    bins: Any = 10,
    *,
    range=None,
    expand_binnumbers=False,
):
    """The statistic of the values in each bin of two coordinates, and the edges"""
    z = own(stats.binned_statistic_2d, x, y, values, statistic, bins, range, expand_binnumbers)
    title = "scipy.stats.binned_statistic_2d"
    every = bins if isinstance(bins, list | tuple) and len(bins) == 2 else (bins, bins)
    limits = (None, None) if range is None else range
    along_x = agreed(z.x_edge, edges_of(z.x_edge, x, every[0], limits[0]), title)
    along_y = agreed(z.y_edge, edges_of(z.y_edge, y, every[1], limits[1]), title)
    held = (z.statistic, (z.x_edge, z.y_edge), z.binnumber)
    return as_result(
        z, ("statistic", "x_edge", "y_edge"), agreed(z.statistic, in_bins(held, values, statistic), title),
        along_x, along_y,
    )  # fmt: skip


@written_out(stats.binned_statistic_dd)
def binned_statistic_dd(
    sample: Samples, values: Any, statistic: Any = "mean", bins: Any = 10, *, range=None,
    expand_binnumbers=False,
    binned_statistic_result=None,
):  # fmt: skip
    """The statistic of the values in each bin of any number of coordinates, and the edges"""
    if binned_statistic_result is not None:
        raise UnsupportedArgument(
            stats.binned_statistic_dd, "binned_statistic_result", binned_statistic_result, next="give bins",
        )  # fmt: skip
    y = own(stats.binned_statistic_dd, sample, values, statistic, bins, range, expand_binnumbers)
    title = "scipy.stats.binned_statistic_dd"
    columns = columns_of(sample)
    every = for_each(bins, len(columns))
    limits = (None,) * len(columns) if range is None else range
    edges = [
        agreed(e, edges_of(e, c, b, r), title)
        for e, c, b, r in zip(y.bin_edges, columns, every, limits, strict=True)
    ]
    found = agreed(y.statistic, in_bins((y.statistic, y.bin_edges, y.binnumber), values, statistic), title)
    return as_result(y, ("statistic", "bin_edges"), found, edges)


def columns_of(sample: Any) -> Any:
    """The coordinates of a sample, of which each point is a row, or which is a list of coordinates."""
    if isinstance(sample, list | tuple):
        return sample
    return np.transpose(sample) if np.ndim(sample) == 2 else (sample,)
