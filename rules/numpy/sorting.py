"""Sorting: sort, partition, sort_complex, and the methods that sort an array in place.

The derivative goes with the entries. Entries that tie keep their order, as a stable sort leaves them,
so that each still has its own cotangent; statistics of sorted values share it instead (quantiles). NaNs
come last, and keep theirs too. Absent: `order=`, for arrays of records.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core import Array, frule, non_differentiable, rrule
from ...tangents import NO_TANGENT, materialize
from .axes import float_dtype, picked
from .indexing import lines_index


def sorted_places(x: Any, axis: Any) -> Any:
    """The place along the axis of each entry of x sorted; without an axis, of the flattened x."""
    return np.argsort(x, axis=axis, kind="stable")


def places_among(x: Any, y: Any, axis: Any) -> Any:
    """The place along the axis of each entry of y, in which the entries of x stand in another order."""
    along = 0 if axis is None else axis
    return np.take_along_axis(sorted_places(x, axis), np.argsort(sorted_places(y, along), along), along)


non_differentiable(sorted_places, places_among, why="returns indices")


@frule(np.sort)
def sort_frule(tangents, a: Array, *, axis=-1, kind=None, stable=None):
    """y = a sorted        ẏ = ȧ in that order"""
    places = sorted_places(a, axis)
    return np.take_along_axis(a, places, axis), np.take_along_axis(tangents[0], places, axis)


@rrule(np.sort)
def sort_rrule(a: Array, *, axis=-1, kind=None, stable=None):
    """y = a sorted        ā = ȳ at the places that the entries come from"""
    shape, dtype = np.shape(a), float_dtype(a)
    places = sorted_places(a, axis)
    index = lines_index(shape, places, axis)

    def sort_pullback(y_bar):
        return picked(shape, dtype, index, y_bar)

    return np.take_along_axis(a, places, axis), sort_pullback


@frule(np.partition)
def partition_frule(tangents, a: Array, *, kth, axis=-1, kind="introselect"):
    """y = a with its kth entries at their sorted places        ẏ = ȧ in that order"""
    y = np.partition(a, kth, axis, kind)
    return y, np.take_along_axis(tangents[0], places_among(a, y, axis), axis)


@rrule(np.partition)
def partition_rrule(a: Array, *, kth, axis=-1, kind="introselect"):
    """y = a with its kth entries at their sorted places        ā = ȳ at the places that they come from"""
    shape, dtype = np.shape(a), float_dtype(a)
    y = np.partition(a, kth, axis, kind)
    index = lines_index(shape, places_among(a, y, axis), axis)

    def partition_pullback(y_bar):
        return picked(shape, dtype, index, y_bar)

    return y, partition_pullback


@frule(np.sort_complex)
def sort_complex_frule(tangents, a: Array):
    """y = a sorted, as complex numbers        ẏ = ȧ in that order"""
    y = np.sort_complex(np.asarray(a))
    return y, np.take_along_axis(tangents[0], sorted_places(a, -1), -1).astype(y.dtype)


@rrule(np.sort_complex)
def sort_complex_rrule(a: Array):
    """y = a sorted, as complex numbers        ā = ȳ at the places that the entries come from"""
    shape, dtype = np.shape(a), np.result_type(float_dtype(a), np.complex64)
    index = lines_index(shape, sorted_places(a, -1), -1)

    def sort_complex_pullback(y_bar):
        return picked(shape, dtype, index, y_bar)

    return np.sort_complex(np.asarray(a)), sort_complex_pullback


@frule(np.ndarray.sort, mutates=(0,), signature="self, axis=-1, kind=None, order=None, *, stable=None")
def sort_method_frule(tangents, a: np.ndarray, *, axis=-1, kind=None, stable=None):
    """a sorted        its tangent in that order"""
    da = np.take_along_axis(materialize(tangents[0], like=a), sorted_places(a, axis), axis)
    a.sort(axis=axis, kind="stable")
    return None, NO_TANGENT, {0: da}


@rrule(np.ndarray.sort, mutates=(0,), signature="self, axis=-1, kind=None, order=None, *, stable=None")
def sort_method_rrule(a: np.ndarray, *, axis=-1, kind=None, stable=None):
    """a sorted        the cotangent of what it was: that of what it is, at the places entries come from"""
    shape, dtype = a.shape, float_dtype(a)
    index = lines_index(shape, sorted_places(a, axis), axis)

    def sort_pullback(y_bar, states):
        return picked(shape, dtype, index, states[0])

    a.sort(axis=axis, kind="stable")
    return None, sort_pullback


@frule(np.ndarray.partition, mutates=(0,), signature="self, kth, axis=-1, kind='introselect', order=None")
def partition_method_frule(tangents, a: np.ndarray, *, kth, axis=-1, kind="introselect"):
    """a with its kth entries at their sorted places        its tangent in that order"""
    before, da = np.copy(a), materialize(tangents[0], like=a)
    y = a.partition(kth, axis, kind)
    return y, NO_TANGENT, {0: np.take_along_axis(da, places_among(before, a, axis), axis)}


@rrule(np.ndarray.partition, mutates=(0,), signature="self, kth, axis=-1, kind='introselect', order=None")
def partition_method_rrule(a: np.ndarray, *, kth, axis=-1, kind="introselect"):
    """a with its kth entries at their sorted places        cotangents go back to where they come from"""
    shape, dtype, before = a.shape, float_dtype(a), np.copy(a)
    y = a.partition(kth, axis, kind)
    index = lines_index(shape, places_among(before, a, axis), axis)

    def partition_pullback(y_bar, states):
        return picked(shape, dtype, index, states[0])

    return y, partition_pullback
