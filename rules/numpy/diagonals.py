"""Diagonals and triangles: diagonal, diag, diagflat, trace, tril, triu.

What is read from a diagonal has an indexed cotangent. All take an offset and matrices that are not
square. A trace that `dtype=` makes a whole number has derivative zero.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core import Array, frule, non_differentiable, rrule, unbroadcast
from ...tangents import ZERO, IndexedTangent
from .axes import axis_of, beyond, ends, float_dtype


def diagonal_index(
    shape: tuple[int, ...], offset: int, axis1: int, axis2: int
) -> tuple[tuple[Any, ...], int, int]:
    """The index of a diagonal, the place of its axis in what that index reads, and its length."""
    axis1, axis2 = axis_of(axis1, len(shape)), axis_of(axis2, len(shape))
    first, second = max(-offset, 0), max(offset, 0)
    length = max(min(shape[axis1] - first, shape[axis2] - second), 0)
    along = np.arange(length)
    places = {axis1: along + first, axis2: along + second}
    index = tuple(places.get(i, slice(None)) for i in range(len(shape)))
    # index arrays on axes that are not neighbours put theirs first
    return index, min(axis1, axis2) if abs(axis1 - axis2) == 1 else 0, length


non_differentiable(diagonal_index, why="computes with indices alone")


@frule(np.ndarray.diagonal)
@frule(np.diagonal)
def diagonal_frule(tangents, x: Array, *, offset=0, axis1=0, axis2=1):
    """y = a diagonal of x        ẏ = that of ẋ"""
    (dx,) = tangents
    return np.diagonal(x, offset, axis1, axis2), np.diagonal(dx, offset, axis1, axis2)


@rrule(np.ndarray.diagonal)
@rrule(np.diagonal)
def diagonal_rrule(x: Array, *, offset=0, axis1=0, axis2=1):
    """y = a diagonal of x        x̄ = ȳ on it, zero elsewhere"""
    shape, dtype = np.shape(x), float_dtype(x)
    index, place, _ = diagonal_index(shape, offset, axis1, axis2)

    def diagonal_pullback(y_bar):
        return IndexedTangent(shape, dtype, index, np.moveaxis(y_bar, -1, place))

    return np.diagonal(x, offset, axis1, axis2), diagonal_pullback


@frule(np.ndarray.trace)
@frule(np.trace)
def trace_frule(tangents, x: Array, *, offset=0, axis1=0, axis2=1, dtype=None):
    """y = Σ xᵢᵢ        ẏ = Σ ẋᵢᵢ"""
    (dx,) = tangents
    y = np.trace(x, offset, axis1, axis2, **beyond(dtype=dtype))
    return y, ZERO if ends(x, dtype) else np.trace(dx, offset, axis1, axis2)


@rrule(np.ndarray.trace)
@rrule(np.trace)
def trace_rrule(x: Array, *, offset=0, axis1=0, axis2=1, dtype=None):
    """y = Σ xᵢᵢ        x̄ᵢᵢ = ȳ"""
    shape, own, ended = np.shape(x), float_dtype(x), ends(x, dtype)
    index, place, length = diagonal_index(shape, offset, axis1, axis2)

    def trace_pullback(y_bar):
        if ended:
            return ZERO
        rows = np.broadcast_to(y_bar, (length, *np.shape(y_bar)))
        return IndexedTangent(shape, own, index, np.moveaxis(rows, 0, place))

    return np.trace(x, offset, axis1, axis2, **beyond(dtype=dtype)), trace_pullback


@frule(np.diag)
def diag_frule(tangents, x: Array, *, k=0):
    """y = the matrix with diagonal x, or the diagonal of the matrix x        ẏ likewise"""
    (dx,) = tangents
    return np.diag(x, k), np.diag(dx, k)


@rrule(np.diag)
def diag_rrule(x: Array, *, k=0):
    """y = the matrix with diagonal x, or the diagonal of the matrix x        x̄ the other way round"""
    y = np.diag(x, k)
    shape, dtype = np.shape(x), float_dtype(x)

    def diag_pullback(y_bar):
        if len(shape) == 1:
            return np.diagonal(y_bar, k)
        index, _, _ = diagonal_index(shape, k, 0, 1)
        return IndexedTangent(shape, dtype, index, y_bar)

    return y, diag_pullback


@frule(np.diagflat)
def diagflat_frule(tangents, x: Array, *, k=0):
    """y = the matrix with x, flattened, on a diagonal        ẏ likewise"""
    (dx,) = tangents
    return np.diagflat(x, k), np.diagflat(dx, k)


@rrule(np.diagflat)
def diagflat_rrule(x: Array, *, k=0):
    """y = the matrix with x, flattened, on a diagonal        x̄ = the diagonal of ȳ"""
    shape = np.shape(x)

    def diagflat_pullback(y_bar):
        return np.reshape(np.diagonal(y_bar, k), shape)

    return np.diagflat(x, k), diagflat_pullback


def _triangle(f: Any) -> None:
    @frule(f)
    def triangle_frule(tangents, x: Array, *, k=0):
        """y = x on one side of a diagonal, and on it        ẏ = ẋ there"""
        (dx,) = tangents
        return f(x, k), f(dx, k)

    @rrule(f)
    def triangle_rrule(x: Array, *, k=0):
        """y = x on one side of a diagonal, and on it        x̄ = ȳ there        a vector is stretched first"""
        shape = np.shape(x)

        def triangle_pullback(y_bar):
            return unbroadcast(f(y_bar, k), shape)

        return f(x, k), triangle_pullback


for _f in (np.tril, np.triu):
    _triangle(_f)
