"""Indexed tangents behind views: the cotangent of `x.T[3]` or `x[10:][0]` is one of x, and as light.

A view costs nothing, so neither may its pullback, which is the opposite arrangement of entries. Called
on an indexed tangent, the functions of `ARRANGING` move the places that it holds: of a function of axes
NumPy itself says, on an array without memory, where each axis went. `behind` does the same for `x[index]`.
What is small, or holds much of its array, becomes dense at once, which is sooner done. To every other
function of NumPy, functions that copy an array among them, the tangent is the dense array.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import reduce
from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_tuple
from numpy.lib.stride_tricks import as_strided

from . import algebra
from .indexed import IndexedTangent, is_basic
from .places import located
from .sparse import DENSITY_THRESHOLD
from .thunks import unthunk

DENSE_UP_TO = 2**15
"""Entries up to which zeros are made and moved in less time than places are found."""

_OF_AXES = frozenset(
    {np.transpose, np.matrix_transpose, np.swapaxes, np.moveaxis, np.rollaxis}
    | {np.flip, np.fliplr, np.flipud, np.rot90, np.expand_dims, np.squeeze}
)
ARRANGING = _OF_AXES | {np.reshape, np.ravel, np.sum}
"""Functions of NumPy whose result on an indexed tangent is one again; a sum undoes `broadcast_to`."""

ASKING = frozenset({np.shape, np.ndim, np.size, np.iscomplexobj, np.isrealobj})
"""Functions of NumPy that want to know no entry."""


def arranged(t: IndexedTangent, fn: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """A function of `ARRANGING` of an indexed tangent, in time of the entries that it holds.

    Example: >>> t = IndexedTangent((400, 300), np.dtype(float), (2, 1), 5.0)
             >>> np.reshape(np.transpose(t), (300, 20, 20))
             IndexedTangent((300, 20, 20), float64: [(1, 0, 2)] += 5.0)
    """
    if not _stays_light(t) or (fn is np.sum and (args or set(kwargs) != {"axis"})):
        return fn(t.dense(), *args, **kwargs)
    if fn is np.sum:
        return _summed(t, **kwargs)
    if fn in _OF_AXES:
        return _with_axes(t, fn, *args, **kwargs)
    return _reshaped(t, *args, **kwargs) if fn is np.reshape else _reshaped(t, -1, *args, **kwargs)


def _array_function(t: IndexedTangent, fn: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    if fn in ARRANGING:
        return arranged(t, fn, *args, **kwargs)
    if fn in ASKING:
        return fn(np.broadcast_to(np.zeros((), t.dtype), t.shape), *args, **kwargs)
    return NotImplemented


def behind(shape: tuple[int, ...], dtype: Any, index: Any, y_bar: Any) -> IndexedTangent:
    """The cotangent of x, of this shape and dtype, from that of `x[index]`: again an indexed one.

    Example: >>> y_bar = IndexedTangent((999, 500), np.dtype(float), (3, -1), 5.0)
             >>> behind((1000, 500), np.dtype(float), slice(1, None), y_bar)
             IndexedTangent((1000, 500), float64: [(4, 499)] += 5.0)
    """
    t = unthunk(y_bar)
    if not isinstance(t, IndexedTangent):
        return IndexedTangent(shape, dtype, index, t)
    if not is_basic(index) or not _stays_light(t):
        return IndexedTangent(shape, dtype, index, t.dense())
    return _moved(t, shape, lambda axes: _outside(shape, index, axes))


def _stays_light(t: IndexedTangent) -> bool:
    return t.size > DENSE_UP_TO and t.nnz <= DENSITY_THRESHOLD * t.size


def _moved(t: IndexedTangent, shape: tuple[int, ...], move: Callable[[Any], Any]) -> IndexedTangent:
    """The tangent with each of its places moved: `move` takes coordinates along the axes, and gives them."""
    parts = []
    for index, values in t.parts():
        parts.append(IndexedTangent(shape, t.dtype, tuple(move(located(t.shape, index))), values))
    return reduce(IndexedTangent.joined, parts)


def _with_axes(t: IndexedTangent, fn: Callable[..., Any], *args: Any, **kwargs: Any) -> IndexedTangent:
    """A function that permutes, reverses, adds or drops axes: of a probe whose strides name its axes."""
    view = fn(_probe(t.shape), *args, **kwargs)
    strides = _probe(t.shape).strides

    def move(axes: Any) -> Any:
        for length, stride in zip(view.shape, view.strides, strict=True):
            if length == 1:
                yield 0
            else:
                place = axes[strides.index(abs(stride))]
                yield length - 1 - place if stride < 0 else place

    return _moved(t, view.shape, move)


def _reshaped(t: IndexedTangent, shape: Any, order: Any = "C", *, copy: Any = None) -> Any:
    if order not in ("C", "F"):  # as the array lies in memory, of which the tangent has none
        return np.reshape(t.dense(), shape, order)
    shape = np.reshape(_probe(t.shape), shape).shape

    def move(axes: Any) -> Any:
        places = np.unravel_index(np.ravel_multi_index(axes, t.shape, order=order), shape, order)
        return map(int, places) if type(axes[0]) is int else places

    return _moved(t, shape, move)


def _summed(t: IndexedTangent, axis: Any) -> Any:
    gone = normalize_axis_tuple(range(t.ndim) if axis is None else axis, t.ndim)
    left = [i for i in range(t.ndim) if i not in gone]
    if not left:
        return sum((np.sum(values) for _, values in t.parts()), t.dtype.type(0))
    shape = tuple(t.shape[i] for i in left)
    total = _moved(t, shape, lambda axes: [axes[i] for i in left])
    return total if total.size > DENSE_UP_TO else total.dense()


def _probe(shape: tuple[int, ...]) -> np.ndarray[Any, Any]:
    """An array of this shape without entries to read, whose every view NumPy can make."""
    strides = [math.prod(shape[i + 1 :]) for i in range(len(shape))]
    return as_strided(np.empty(1, np.int8), shape, strides)


def _outside(shape: tuple[int, ...], index: Any, axes: Any) -> Any:
    """The coordinates in x of entries that have these coordinates in `x[index]`, for a basic index."""
    items = index if type(index) is tuple else (index,)
    spare = len(shape) - sum(item is not None and item is not ... for item in items)
    inner, outer = iter(axes), iter(shape)
    for item in items if any(item is ... for item in items) else (*items, ...):
        if item is None:
            next(inner)
        elif item is ...:
            for _ in range(spare):
                next(outer)
                yield next(inner)
        elif isinstance(item, slice):
            start, _, step = item.indices(next(outer))
            yield start + step * next(inner)
        else:
            yield range(next(outer))[item]


algebra.array_function = _array_function
