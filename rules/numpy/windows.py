"""Windows: views in which an entry stands several times, by `sliding_window_view` and `as_strided`.

The cotangent of an entry is the sum of those of its places. `as_strided` is for arrays in C order.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core import Array, frule, non_differentiable, rrule
from ...core.errors import UnsupportedArgument
from .axes import float_dtype, picked

_windows: Any = np.lib.stride_tricks.sliding_window_view
_strided: Any = np.lib.stride_tricks.as_strided


def places_of_windows(x: Any, window_shape: Any, axis: Any) -> Any:
    """Where in x, in C order, each entry of its windows stands."""
    return np.array(_windows(np.arange(x.size).reshape(x.shape), window_shape, axis))


def places_of_strides(x: Any, shape: Any, strides: Any) -> Any:
    """The same of a view by strides."""
    if not x.flags.c_contiguous:
        raise UnsupportedArgument(_strided, "x", "strided", supported=["an array in C order"])
    lengths = x.shape if shape is None else tuple(np.atleast_1d(shape))
    in_order = np.empty(lengths, x.dtype).strides  # what NumPy takes where none are given
    steps = in_order if strides is None else tuple(np.atleast_1d(strides))
    if len(steps) != len(lengths):
        raise UnsupportedArgument(_strided, "strides", strides, why="there is not one for each axis")
    if any(step % x.itemsize for step in steps):
        raise UnsupportedArgument(_strided, "strides", strides, why="they are no whole numbers of entries")
    places = np.zeros(lengths, np.intp)
    for axis, (n, step) in enumerate(zip(lengths, steps, strict=True)):
        along = [1] * len(lengths)
        along[axis] = n
        places += (np.arange(n) * (step // x.itemsize)).reshape(along)
    if places.size and not 0 <= places.min() <= places.max() < x.size:
        raise UnsupportedArgument(_strided, "shape", shape, why="the view would reach beyond the array")
    return places


def index_of(places: Any, shape: tuple[int, ...]) -> Any:
    """The index of places in C order; an array without axes has none."""
    return np.unravel_index(places, shape) if shape else ()


non_differentiable(places_of_windows, places_of_strides, index_of, why="return places")


@frule(_windows)
def sliding_window_view_frule(tangents, x: Array, *, window_shape, axis=None, subok=False, writeable=False):
    """ẏ = ẋ in the same windows"""
    places = places_of_windows(x, window_shape, axis)
    return _windows(x, window_shape, axis, subok=subok, writeable=writeable), np.ravel(tangents[0])[places]


@rrule(_windows)
def sliding_window_view_rrule(x: Array, *, window_shape, axis=None, subok=False, writeable=False):
    """x̄ᵢ = Σ ȳ over the places of xᵢ"""
    shape, dtype = np.shape(x), float_dtype(x)
    index = index_of(places_of_windows(x, window_shape, axis), shape)

    def sliding_window_view_pullback(y_bar):
        return picked(shape, dtype, index, y_bar)

    y = _windows(x, window_shape, axis, subok=subok, writeable=writeable)
    return y, sliding_window_view_pullback


@frule(_strided)
def as_strided_frule(tangents, x: Array, *, shape=None, strides=None, subok=False, writeable=True):
    """ẏ = ẋ at the same places"""
    places = places_of_strides(x, shape, strides)
    y = _strided(x, shape=shape, strides=strides, subok=subok, writeable=writeable)
    return y, np.ravel(tangents[0])[places]


@rrule(_strided)
def as_strided_rrule(x: Array, *, shape=None, strides=None, subok=False, writeable=True):
    """x̄ᵢ = Σ ȳ over the places of xᵢ"""
    of, dtype = np.shape(x), float_dtype(x)
    index = index_of(places_of_strides(x, shape, strides), of)

    def as_strided_pullback(y_bar):
        return picked(of, dtype, index, y_bar)

    return _strided(x, shape=shape, strides=strides, subok=subok, writeable=writeable), as_strided_pullback
