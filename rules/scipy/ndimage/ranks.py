"""Filters that select an entry of each window: least, greatest, median, rank, percentile.

The selection is frozen: the derivative is that of the entries that were selected. Where several entries
of a window are equal to what was selected, they share it evenly, as `np.max` does. A constant beyond the
edge takes its share and has no derivative. With a `structure` in morphology, what is compared is the
entry plus or minus it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import ndimage

from ....core import UnsupportedArgument, non_differentiable
from ...written import written_out
from .arguments import along, delivered, dtype_of, each, everywhere, spread_shape
from .correlation import widths_of
from .edges import extended


def footprint_of(size: Any, footprint: Any, axes: tuple[int, ...], ndim: int) -> Any:
    """Which places of a window count, with all axes of the image."""
    if footprint is None:
        if size is None:
            raise UnsupportedArgument(
                "scipy.ndimage", "size", None, why="neither size nor footprint is given"
            )
        footprint = np.ones(tuple(int(n) for n in each(size, len(axes))), dtype=bool)
    footprint = np.asarray(footprint, dtype=bool)
    return footprint.reshape(spread_shape(footprint.shape, axes, ndim))


def places_of(footprint: Any) -> list[tuple[int, ...]]:
    """The places of a window that count."""
    return [tuple(map(int, place)) for place in np.argwhere(footprint)]


def window(place: tuple[int, ...], shape: tuple[int, ...]) -> tuple[slice, ...]:
    """Of an extended image, what stands at one place of all windows."""
    return tuple(slice(k, k + n) for k, n in zip(place, shape, strict=True))


def shares(x: Any, y: Any, places: Any, offsets: Any) -> list[Any]:
    """For each place of a window, how much of what was selected it has."""
    hits = [x[window(p, y.shape)] + s == y for p, s in zip(places, offsets, strict=True)]
    count = np.maximum(sum(hit.astype(y.dtype) for hit in hits), 1)
    return [hit / count for hit in hits]


non_differentiable(footprint_of, places_of, window, shares, why="the selection is frozen")


def selected(x: Any, y: Any, footprint: Any, origins: Any, mode: Any, cval: Any, offsets: Any = None) -> Any:
    """y again, as a sum of shares of the entries that it was selected from."""
    widths, places = widths_of(footprint.shape, origins), places_of(footprint)
    given = [0.0] * len(places) if offsets is None else offsets
    around = extended(x, widths=widths, modes=(mode,) * x.ndim, cval=cval)
    parts = shares(around, y, places, given)
    total = parts[0] * (around[window(places[0], np.shape(y))] + given[0])
    for i in range(1, len(places)):
        total = total + parts[i] * (around[window(places[i], np.shape(y))] + given[i])
    return total


def value(f: Any, x: Any, *options: Any, **more: Any) -> Any:
    """What a filter selects, without a derivative."""
    return f(x, *options, **more)


non_differentiable(value, why="the selection is frozen")


def _ranked(
    f: Any,
    x: Any,
    size: Any,
    footprint: Any,
    output: Any,
    mode: Any,
    cval: Any,
    origin: Any,
    axes: Any,
    *rank: Any,
) -> Any:
    x = np.asarray(x)
    dtype, axes = dtype_of(f"scipy.ndimage.{f.__name__}", output, x), along(axes, x.ndim)
    origins = everywhere(origin, axes, x.ndim, 0)
    if footprint is None and not isinstance(mode, str):
        return _along_each(f, x, size, mode, cval, origins, axes, dtype)
    cells = footprint_of(size, footprint, axes, x.ndim)
    y = value(f, x, *rank, footprint=cells, mode=mode, cval=cval, origin=origins)
    return delivered(selected(x, y, cells, origins, mode, cval), dtype)


def _along_each(f: Any, y: Any, size: Any, modes: Any, cval: Any, origins: Any, axes: Any, dtype: Any) -> Any:
    """One axis after another, where each has a mode of its own."""
    sizes, modes = each(size, len(axes)), each(modes, len(axes))
    for i in range(len(axes)):
        y = _ranked(f, y, sizes[i], None, None, modes[i], cval, origins[axes[i]], (axes[i],))
    return delivered(y, dtype)


@written_out(ndimage.maximum_filter)
def maximum_filter(
    input: np.ndarray | list,
    *,
    size=None,
    footprint=None,
    output=None,
    mode="reflect",
    cval=0.0,
    origin=0,
    axes=None,
):
    """The greatest entry of each window; equal ones share its derivative"""
    return _ranked(ndimage.maximum_filter, input, size, footprint, output, mode, cval, origin, axes)


@written_out(ndimage.minimum_filter)
def minimum_filter(
    input: np.ndarray | list,
    *,
    size=None,
    footprint=None,
    output=None,
    mode="reflect",
    cval=0.0,
    origin=0,
    axes=None,
):
    """The least entry of each window; equal ones share its derivative"""
    return _ranked(ndimage.minimum_filter, input, size, footprint, output, mode, cval, origin, axes)


@written_out(ndimage.maximum_filter1d)
def maximum_filter1d(
    input: np.ndarray | list, *, size, axis=-1, output=None, mode="reflect", cval=0.0, origin=0
):
    """The greatest of so many neighbours along one axis"""
    return maximum_filter(input, size=size, output=output, mode=mode, cval=cval, origin=origin, axes=(axis,))


@written_out(ndimage.minimum_filter1d)
def minimum_filter1d(
    input: np.ndarray | list, *, size, axis=-1, output=None, mode="reflect", cval=0.0, origin=0
):
    """The least of so many neighbours along one axis"""
    return minimum_filter(input, size=size, output=output, mode=mode, cval=cval, origin=origin, axes=(axis,))


@written_out(ndimage.median_filter)
def median_filter(
    input: np.ndarray | list,
    *,
    size=None,
    footprint=None,
    output=None,
    mode="reflect",
    cval=0.0,
    origin=0,
    axes=None,
):
    """The middle entry of each window; of an even number, the upper one"""
    return _ranked(ndimage.median_filter, input, size, footprint, output, mode, cval, origin, axes)


@written_out(ndimage.rank_filter)
def rank_filter(
    input: np.ndarray | list,
    *,
    rank,
    size=None,
    footprint=None,
    output=None,
    mode="reflect",
    cval=0.0,
    origin=0,
    axes=None,
):
    """The entry of each window that so many others are below"""
    return _ranked(ndimage.rank_filter, input, size, footprint, output, mode, cval, origin, axes, rank)


@written_out(ndimage.percentile_filter)
def percentile_filter(
    input: np.ndarray | list,
    *,
    percentile,
    size=None,
    footprint=None,
    output=None,
    mode="reflect",
    cval=0.0,
    origin=0,
    axes=None,
):
    """The entry of each window that so many per cent of others are below"""
    return _ranked(
        ndimage.percentile_filter, input, size, footprint, output, mode, cval, origin, axes, percentile
    )
