"""Filters with a function of the caller's: it is differentiated, with what it captured, at every window."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import ndimage

from ....core import non_differentiable
from ...written import written_out
from .arguments import along, delivered, dtype_of, each, everywhere
from .correlation import widths_of
from .edges import extended
from .ranks import footprint_of, places_of, window


def places_in(shape: tuple[int, ...]) -> list[tuple[int, ...]]:
    """All places of an array."""
    return list(np.ndindex(shape))


def padded_by(widths: Any, axes: tuple[int, ...], ndim: int) -> tuple[tuple[int, int], ...]:
    """Widths for some axes, none for the others."""
    given = dict(zip(axes, widths, strict=True))
    return tuple(given.get(axis, (0, 0)) for axis in range(ndim))


def sizes_of(size: Any, footprint: Any, count: int) -> tuple[int, ...]:
    """The shape of a window."""
    return each(size, count) if footprint is None else np.shape(footprint)


non_differentiable(places_in, padded_by, sizes_of, why="computes with shapes alone")


def stacked(x: Any, cells: Any, shape: tuple[int, ...]) -> Any:
    """The windows of an extended image: a row for each place of the image, of the entries that count."""
    return np.stack([np.reshape(x[window(place, shape)], -1) for place in places_of(cells)], axis=1)


@written_out(ndimage.generic_filter)
def generic_filter(
    input: np.ndarray | list,
    function: Callable,
    *,
    size=None,
    footprint=None,
    output=None,
    mode="reflect",
    cval=0.0,
    origin=0,
    extra_arguments=(),
    extra_keywords=None,
    axes=None,
):
    """y_i = f of the window about i, as a line of numbers"""
    x = np.asarray(input)
    dtype, axes = dtype_of("scipy.ndimage.generic_filter", output, x), along(axes, np.ndim(x))
    cells, origins = footprint_of(size, footprint, axes, np.ndim(x)), everywhere(origin, axes, np.ndim(x), 0)
    if np.size(x) == 0:
        return delivered(np.copy(x), dtype)
    keywords = {} if extra_keywords is None else extra_keywords
    widths = widths_of(np.shape(cells), origins)
    around = extended(x, widths=widths, modes=(mode,) * np.ndim(x), cval=cval)
    rows = stacked(around, cells, np.shape(x))
    values = [np.asarray(function(rows[i], *extra_arguments, **keywords)) for i in range(np.shape(rows)[0])]
    return delivered(np.reshape(np.stack(values), np.shape(x)), dtype)


@written_out(ndimage.generic_filter1d)
def generic_filter1d(
    input: np.ndarray | list,
    function: Callable,
    *,
    filter_size,
    axis=-1,
    output=None,
    mode="reflect",
    cval=0.0,
    origin=0,
    extra_arguments=(),
    extra_keywords=None,
):
    """Each line of y is what f writes, given that line of x, extended beyond its ends"""
    x = np.asarray(input)
    dtype, (axis,) = dtype_of("scipy.ndimage.generic_filter1d", output, x), along(axis, np.ndim(x))
    keywords = {} if extra_keywords is None else extra_keywords
    lines = np.moveaxis(x, axis, -1)
    widths = padded_by(widths_of((filter_size,), (origin,)), (np.ndim(x) - 1,), np.ndim(x))
    around = extended(lines, widths=widths, modes=(mode,) * np.ndim(x), cval=cval)
    n = np.shape(lines)[-1]

    def filtered(line: Any) -> Any:
        out = np.zeros(n)
        function(line, out, *extra_arguments, **keywords)
        return out

    written = [filtered(around[place]) for place in places_in(np.shape(lines)[:-1])]
    y = np.moveaxis(np.reshape(np.stack(written), np.shape(lines)), -1, axis)
    return delivered(y, dtype)


@written_out(ndimage.vectorized_filter)
def vectorized_filter(
    input: np.ndarray | list,
    function: Callable,
    *,
    size=None,
    footprint=None,
    output=None,
    mode="reflect",
    cval=None,
    origin=None,
    axes=None,
    batch_memory=2**30,
):
    """y = f of all windows at once, along their axes"""
    x = np.asarray(input)
    if np.size(x) == 0:
        return np.copy(x)
    dtype = None if output is None else dtype_of("scipy.ndimage.vectorized_filter", output, x)
    axes = along(axes, np.ndim(x))
    shape = sizes_of(size, footprint, len(axes))
    x = np.moveaxis(x, axes, tuple(range(-len(axes), 0)))
    if mode != "valid":
        last = tuple(range(np.ndim(x) - len(axes), np.ndim(x)))
        widths = padded_by(
            widths_of(shape, each(0 if origin is None else origin, len(axes))), last, np.ndim(x)
        )
        way = "mirror" if mode == "grid-mirror" else mode  # as SciPy's own vectorized_filter takes it
        x = extended(x, widths=widths, modes=(way,) * np.ndim(x), cval=0.0 if cval is None else cval)
    windows = np.lib.stride_tricks.sliding_window_view(x, shape, tuple(range(-len(axes), 0)))
    if footprint is None:
        y = function(windows, axis=tuple(range(-len(axes), 0)))
    else:
        y = function(windows[..., np.asarray(footprint, dtype=bool)], axis=-1)
    y = np.moveaxis(y, tuple(range(-len(axes), 0)), axes)
    return y if dtype is None else delivered(y, dtype)
