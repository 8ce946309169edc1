"""Histograms of one and more dimensions: histogram, histogram2d, histogramdd, histogram_bin_edges.

A count is linear in the weights, and constant in the samples wherever it has a derivative: theirs is zero,
also on the edge of a bin. Edges that NumPy lays between the least and greatest sample move with those, and
so does a density, which is divided by the widths of the bins. Where all samples are one number, NumPy lays
the edges from half below it to half above. Edges that are given are metadata: constants of a derivative.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core import Array, UnsupportedArgument, non_differentiable
from ..written import own, written_out
from .weighted import summed

_WEIGHTS = Array | None


def bins_of(columns: tuple[Any, ...], edges: Any) -> tuple[Any, Any]:
    """Which samples, given by their coordinates, are counted, and in which of the bins in a line."""
    shape = tuple(len(e) - 1 for e in edges)
    places = [
        np.searchsorted(e, x, side="right") - 1 - (x == e[-1]) for x, e in zip(columns, edges, strict=True)
    ]
    counted = np.logical_and.reduce([(p >= 0) & (p < n) for p, n in zip(places, shape, strict=True)])
    return counted, np.ravel_multi_index(tuple(p[counted] for p in places), shape)


def counted_out(bins: Any) -> bool:
    """Whether the edges along an axis lie evenly: of bins their number is given, or how to find it."""
    return np.ndim(bins) == 0


def margin(ends: Any) -> float:
    """How far the outer edges lie from the least and greatest sample, or from the two numbers given."""
    return 0.5 if ends[0] == ends[1] else 0.0


non_differentiable(bins_of, counted_out, margin, why="is piecewise constant")


def edges_of(columns: Any, edges: Any, bins: Any, range_: Any) -> Any:
    """The edges along each axis, moving with what they lie between: the samples, or numbers given."""
    lines: list[Any] = []
    ndim = len(edges)
    for i in range(ndim):
        x, line = columns[i], edges[i]
        ends = range_ if range_ is None or ndim == 1 else range_[i]
        own_bins = bins[i] if ndim > 1 and hasattr(bins, "__len__") and len(bins) == ndim else bins
        if not counted_out(own_bins):
            line = np.asarray(own_bins).astype(line.dtype, copy=False)
        elif ends is not None or np.size(x) > 0:
            ends = (np.min(x), np.max(x)) if ends is None else ends
            line = np.linspace(ends[0] - margin(ends), ends[1] + margin(ends), len(line))
            line = line.astype(edges[i].dtype, copy=False)
        lines.append(line)
    return tuple(lines)


def counts_of(columns: Any, weights: Any, edges: Any, shape: tuple[int, ...], size: int) -> Any:
    """The sum of the weights in each bin."""
    counted, places = bins_of(columns, edges)
    return np.reshape(summed(np.ravel(weights)[counted], places, size), shape)


def density_of(counts: Any, edges: Any) -> Any:
    """The counts by their sum and by the widths of the bins."""
    y: Any = counts / np.sum(counts)
    for i in range(len(edges)):
        widths = edges[i][1:] - edges[i][:-1]
        y = y / np.reshape(widths, (-1, *(1,) * (len(edges) - 1 - i)))
    return y


@written_out(np.histogram)
def histogram(a: Array, weights: _WEIGHTS = None, *, bins=10, range=None, density=None):
    """y = the weights of the samples in each bin, and the edges"""
    found, edges = own(np.histogram, a, bins, range)
    if weights is not None and np.asarray(weights).dtype == bool:
        raise UnsupportedArgument(
            np.histogram, "weights", weights, why="NumPy adds truth values to truth values"
        )
    columns = (np.ravel(a),)
    lines = edges_of(columns, (edges,), bins, range)
    y = found if weights is None else counts_of(columns, weights, (edges,), found.shape, found.size)
    return density_of(y, lines) if density else y, lines[0]


@written_out(np.histogram_bin_edges)
def histogram_bin_edges(a: Array, *, bins=10, range=None, weights=None):
    """y = the edges of a histogram"""
    return edges_of((np.ravel(a),), (own(np.histogram_bin_edges, a, bins, range, weights),), bins, range)[0]


@written_out(np.histogram2d)
def histogram2d(x: Array, y: Array, weights: _WEIGHTS = None, *, bins=10, range=None, density=None):
    """z = the weights of the samples in each bin, and the edges along each axis"""
    made = own(np.histogram2d, x, y, bins, range)
    found, edges = made[0], made[1:]
    columns = (np.ravel(x), np.ravel(y))
    lines = edges_of(columns, edges, bins, range)
    z = found
    if weights is not None:
        z = counts_of(columns, np.asarray(weights, float), edges, found.shape, found.size)
    return density_of(z, lines) if density else z, lines[0], lines[1]


@written_out(np.histogramdd)
def histogramdd(sample: Array | list | tuple, weights: _WEIGHTS = None, *, bins=10, range=None, density=None):
    """y = the weights of the samples in each bin, and a list of the edges along each axis"""
    found, edges = own(np.histogramdd, sample, bins, range)
    rows = np.asarray(sample)
    rows = rows if np.ndim(rows) < 2 or isinstance(sample, list | tuple) else np.transpose(rows)
    columns = tuple(np.reshape(rows, (len(edges), -1)))
    lines = edges_of(columns, edges, bins, range)
    y = found
    if weights is not None:
        y = counts_of(columns, np.asarray(weights, float), edges, found.shape, found.size)
    return density_of(y, lines) if density else y, list(lines)
