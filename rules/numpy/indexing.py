"""Indexing: `x[index]` of an array, and the functions that pick entries by their place.

The cotangent is the light `IndexedTangent`: it costs what the index touches, and entries that an
index names twice add up. Every index that NumPy takes is taken: integers, slices, `...`, `None`,
boolean masks, integer arrays and lists, in any mixture. Indices have no tangent. `x[index]` keeps
the contract itself, because loops over single entries pay for every call. Absent: `out=`.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from ...core import Array, NotDifferentiableError, frule, non_differentiable, rrule
from ...core.callables import describe
from ...core.seeds import READY, absorbs, answer_to, ready
from ...tangents import NO_TANGENT, Composite, IndexedTangent, behind, primal_type
from ...tangents.places import settled_index
from .axes import axis_of, float_dtype, picked, selection


@frule(operator.getitem, complete=True)
def getitem_frule(tangents, x: np.ndarray, index):
    """y = x[index]        ẏ = ẋ[index]"""
    dx = tangents[0]
    if absorbs(dx):
        return x[index], answer_to(dx)
    return x[index], ready(dx)[index]


@rrule(operator.getitem, complete=True)
def getitem_rrule(x: np.ndarray, index):
    """y = x[index]        x̄ = ȳ at the index, zero elsewhere"""
    kept = index if type(index) is int else settled_index(index)
    place = x.shape, x.dtype if x.dtype.kind in "fc" else float_dtype(x), kept
    of_objects = x.dtype.kind == "O"

    def getitem_pullback(y_bar):
        shape, dtype, index = place
        if type(y_bar) not in READY:
            if absorbs(y_bar):
                return answer_to(y_bar), NO_TANGENT
            if of_objects and isinstance(y_bar, Composite):
                raise of_an_object(x, y_bar)
            return behind(shape, dtype, index, y_bar), NO_TANGENT
        return IndexedTangent(shape, dtype, index, y_bar), NO_TANGENT

    return x[index], getitem_pullback


def of_an_object(x: Any, y_bar: Any) -> Exception:
    """The error of a derivative that passes through an object in an array."""
    return NotDifferentiableError(
        f"a derivative passes through the {primal_type(y_bar).__name__} that {describe(x)} holds",
        next="keep the objects in a list or a dictionary",
    )


@frule(np.ndarray.item)
def item_frule(tangents, x: np.ndarray, *index):
    """y = one entry as a Python number        ẏ = that of ẋ"""
    return x.item(*index), tangents[0].item(*index)


@rrule(np.ndarray.item)
def item_rrule(x: np.ndarray, *index):
    """y = one entry as a Python number        x̄ = ȳ there, zero elsewhere"""
    y = x.item(*index)
    shape, dtype = x.shape, float_dtype(x)
    place = item_place(shape, index)
    no_tangents = (NO_TANGENT,) * len(index)

    def item_pullback(y_bar):
        return (IndexedTangent(shape, dtype, place, y_bar), *no_tangents)

    return y, item_pullback


def item_place(shape: tuple[int, ...], index: tuple[Any, ...]) -> tuple[int, ...]:
    """The index of the entry that `x.item(*index)` gives: none, a flat one, or one for each axis."""
    if len(index) == 1 and isinstance(index[0], tuple):
        index = index[0]
    if len(index) == len(shape):
        return tuple(index)
    flat = int(index[0]) if index else 0
    size = int(np.prod(shape))
    return tuple(int(i) for i in np.unravel_index(flat % size, shape))


@frule(np.ndarray.take)
@frule(np.take)
def take_frule(tangents, x: Array, indices, *, axis=None, mode="raise"):
    """y = x at indices along an axis        ẏ = ẋ there"""
    dx = tangents[0]
    return np.take(x, indices, axis=axis, mode=mode), np.take(dx, indices, axis=axis, mode=mode)


@rrule(np.ndarray.take)
@rrule(np.take)
def take_rrule(x: Array, indices, *, axis=None, mode="raise"):
    """y = x at indices along an axis        x̄ = Σ ȳ where it was read"""
    y = np.take(x, indices, axis=axis, mode=mode)
    shape, dtype = np.shape(x), float_dtype(x)
    index = selection(shape, axis if shape else None, places_of(shape, indices, axis, mode))

    def take_pullback(y_bar):
        return picked(shape, dtype, index, y_bar), NO_TANGENT

    return y, take_pullback


def places_of(shape: tuple[int, ...], indices: Any, axis: Any, mode: str) -> Any:
    """The indices along the axis as they are read in `mode`."""
    places = np.asarray(indices)
    if places.size == 0:
        return places.astype(np.intp)
    length = int(np.prod(shape)) if axis is None or not shape else shape[axis]
    if mode == "wrap":
        return places % length
    return np.clip(places, 0, length - 1) if mode == "clip" else places


@frule(np.compress)
def compress_frule(tangents, condition, x: Array, *, axis=None):
    """y = x where the condition holds along an axis        ẏ = ẋ there"""
    return np.compress(condition, x, axis=axis), np.compress(condition, tangents[1], axis=axis)


@rrule(np.compress)
def compress_rrule(condition, x: Array, *, axis=None):
    """y = x where the condition holds along an axis        x̄ = ȳ there, zero elsewhere"""
    shape, dtype = np.shape(x), float_dtype(x)
    index = selection(shape, axis, np.flatnonzero(condition))

    def compress_pullback(y_bar):
        return NO_TANGENT, picked(shape, dtype, index, y_bar)

    return np.compress(condition, x, axis=axis), compress_pullback


@frule(np.take_along_axis)
def take_along_axis_frule(tangents, x: Array, indices, *, axis=-1):
    """y = x at an index of its own for each line        ẏ = ẋ there"""
    y = np.take_along_axis(x, indices, axis=axis)
    return y, np.take_along_axis(tangents[0], indices, axis=axis)


@rrule(np.take_along_axis)
def take_along_axis_rrule(x: Array, indices, *, axis=-1):
    """y = x at an index of its own for each line        x̄ = Σ ȳ where it was read"""
    y = np.take_along_axis(x, indices, axis=axis)
    shape, dtype = np.shape(x), float_dtype(x)
    index = lines_index(shape, indices, axis)

    def take_along_axis_pullback(y_bar):
        return picked(shape, dtype, index, y_bar), NO_TANGENT

    return y, take_along_axis_pullback


def lines_index(shape: tuple[int, ...], indices: Any, axis: Any) -> tuple[Any, ...]:
    """The index that `take_along_axis` amounts to."""
    if axis is None:
        return selection(shape, None, np.asarray(indices))
    axis = axis_of(axis, len(shape))
    ranges = np.ogrid[tuple(slice(n) for n in shape)]
    return tuple(np.array(indices) if i == axis else r for i, r in enumerate(ranges))


non_differentiable(settled_index, item_place, places_of, lines_index, why="computes with indices alone")
