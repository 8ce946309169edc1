"""Creation: array, asarray and their kin from numbers, arrays and nested lists; full, linspace, copies.

A list's cotangent is a `Composite` nested as the list is. A conversion to integers or truth values has
derivative zero; one of objects or texts, which would hide a number, is refused. Absent: `like=`, `device=`,
and masks.
"""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np

from ...core import Array, frule, non_differentiable, rrule, unbroadcast
from ...core.seeds import absorbs, ready
from ...tangents import NO_TANGENT, ZERO, from_fields, is_zero
from ...tangents.composite import SEQUENCES
from ..written import written_out
from .axes import is_exact, refuse_texts, rounds
from .nesting import nest, unnest

non_differentiable(np.zeros_like, np.ones_like, np.empty_like, why="takes no more than shape and dtype")


def cuts(x: Any, dtype: Any) -> bool:
    """Whether making an array of this dtype ends the derivative: a real number becomes an integer."""
    return dtype is not None and rounds(x, dtype)


non_differentiable(cuts, why="is a question of dtypes")


def made_forward(y: Any, dx: Any, x: Any, dtype: Any) -> Any:
    """The tangent of an array y made of x."""
    return ZERO if cuts(x, dtype) else np.reshape(nest(dx, np.shape(x)), np.shape(y))


def made_back(y_bar: Any, x: Any, dtype: Any) -> Any:
    """The cotangent of x, of which an array was made."""
    if cuts(x, dtype):
        return ZERO
    if isinstance(x, SEQUENCES):
        return unnest(ready(y_bar), x)
    return np.reshape(y_bar, np.shape(x))


@frule(np.array)
def array_frule(
    tangents, x: Array | list | tuple | deque, *, dtype=None, copy=True, order="K", subok=False, ndmin=0
):
    """y = x as a new array        ẏ = ẋ as an array"""
    y = np.array(x, dtype=dtype, copy=copy, order=order, subok=subok, ndmin=ndmin)
    refuse_texts(np.array, y, x)
    return y, made_forward(y, tangents[0], x, dtype)


@rrule(np.array)
def array_rrule(x: Array | list | tuple | deque, *, dtype=None, copy=True, order="K", subok=False, ndmin=0):
    """y = x as a new array        x̄ = ȳ taken apart as x is"""
    y = np.array(x, dtype=dtype, copy=copy, order=order, subok=subok, ndmin=ndmin)
    refuse_texts(np.array, y, x)
    shape = y.shape[y.ndim - depth(x) :] if ndmin else y.shape

    def array_pullback(y_bar):
        return made_back(np.reshape(y_bar, shape), x, dtype)

    return y, array_pullback


def depth(x: Any) -> int:
    """The number of axes of x as an array."""
    return np.asarray(x).ndim


non_differentiable(depth, why="computes with shapes alone")


@frule(np.asanyarray)
@frule(np.asarray)
def asarray_frule(tangents, x: Array | list | tuple | deque, *, dtype=None, order=None, copy=None):
    """y = x as an array        ẏ = ẋ as an array"""
    y = np.asarray(x, dtype=dtype, order=order, copy=copy)
    refuse_texts(np.asarray, y, x)
    return y, made_forward(y, tangents[0], x, dtype)


@rrule(np.asanyarray, light_seed=True)
@rrule(np.asarray, light_seed=True)
def asarray_rrule(x: Array | list | tuple | deque, *, dtype=None, order=None, copy=None):
    """y = x as an array        x̄ = ȳ taken apart as x is"""

    def asarray_pullback(y_bar):
        return made_back(y_bar, x, dtype)

    y = np.asarray(x, dtype=dtype, order=order, copy=copy)
    refuse_texts(np.asarray, y, x)
    return y, asarray_pullback


@frule(np.ascontiguousarray)
def ascontiguousarray_frule(tangents, x: Array | list | tuple | deque, *, dtype=None):
    """y = x as an array in C order        ẏ = ẋ as an array        a number becomes a vector of one"""
    y = np.ascontiguousarray(x, dtype=dtype)
    refuse_texts(np.ascontiguousarray, y, x)
    return y, made_forward(y, tangents[0], x, dtype)


@rrule(np.ascontiguousarray, light_seed=True)
def ascontiguousarray_rrule(x: Array | list | tuple | deque, *, dtype=None):
    """y = x as an array in C order        x̄ = ȳ taken apart as x is        a number gives a vector"""

    def ascontiguousarray_pullback(y_bar):
        return made_back(y_bar, x, dtype)

    y = np.ascontiguousarray(x, dtype=dtype)
    refuse_texts(np.ascontiguousarray, y, x)
    return y, ascontiguousarray_pullback


@frule(np.ndarray.copy)
@frule(np.copy)
def copy_frule(tangents, x: Array, *, order="K"):
    """y = x        ẏ = ẋ"""
    return np.copy(x, order=order), tangents[0]


@rrule(np.ndarray.copy)
@rrule(np.copy)
def copy_rrule(x: Array, *, order="K"):
    """y = x        x̄ = ȳ"""

    def copy_pullback(y_bar):
        return y_bar

    return np.copy(x, order=order), copy_pullback


@frule(np.full)
def full_frule(tangents, shape, value: Array, *, dtype=None, order="C"):
    """y = the value everywhere        ẏ likewise"""
    y = np.full(shape, value, dtype=dtype, order=order)
    refuse_texts(np.full, y, value)
    return y, ZERO if cuts(value, dtype) else np.broadcast_to(tangents[1], y.shape)


@rrule(np.full)
def full_rrule(shape, value: Array, *, dtype=None, order="C"):
    """y = the value everywhere        its cotangent is Σ ȳ"""

    def full_pullback(y_bar):
        value_bar = ZERO if cuts(value, dtype) else unbroadcast(y_bar, np.shape(value))
        return NO_TANGENT, value_bar

    y = np.full(shape, value, dtype=dtype, order=order)
    refuse_texts(np.full, y, value)
    return y, full_pullback


@frule(np.full_like)
def full_like_frule(tangents, like, value: Array, *, dtype=None, order="K", shape=None):
    """y = the value everywhere        ẏ likewise        zero where the array is of integers"""
    y = np.full_like(like, value, dtype=dtype, order=order, shape=shape)
    refuse_texts(np.full_like, y, value)
    if tangents[1] is ZERO or cuts(value, y.dtype):
        return y, ZERO
    return y, np.broadcast_to(tangents[1], y.shape)


@rrule(np.full_like)
def full_like_rrule(like, value: Array, *, dtype=None, order="K", shape=None):
    """y = the value everywhere        its cotangent is Σ ȳ        zero where the array is of integers"""
    y = np.full_like(like, value, dtype=dtype, order=order, shape=shape)
    refuse_texts(np.full_like, y, value)
    y_dtype = y.dtype

    def full_like_pullback(y_bar):
        value_bar = ZERO if cuts(value, y_dtype) else unbroadcast(y_bar, np.shape(value))
        return ZERO, value_bar

    return y, full_like_pullback


@frule(np.linspace)
def linspace_frule(
    tangents, start: Array, stop: Array, *, num=50, endpoint=True, retstep=False, dtype=None, axis=0
):
    """yᵢ = (1 − wᵢ) start + wᵢ stop, step = (stop − start) / n        ẏᵢ and the step's tangent likewise"""
    y = np.linspace(start, stop, num, endpoint=endpoint, retstep=retstep, dtype=dtype, axis=axis)
    da, db = (0.0 if absorbs(dx) else dx for dx in tangents)
    shape, w = np.shape(start + stop), weights(num, endpoint, np.ndim(start + stop))
    dy: Any = ZERO
    if dtype is None or not is_exact(dtype):
        dy = np.moveaxis(np.broadcast_to((1 - w) * da + w * db, (num, *shape)), 0, axis)
    if not retstep:
        return y, dy
    return y, from_fields(tuple, (dy, np.broadcast_to((db - da) / steps(num, endpoint), shape)))


@rrule(np.linspace)
def linspace_rrule(start: Array, stop: Array, *, num=50, endpoint=True, retstep=False, dtype=None, axis=0):
    """yᵢ = (1 − wᵢ) start + wᵢ stop, step = (stop − start) / n
    cotangents Σ (1 − wᵢ) ȳᵢ − s̄ / n and Σ wᵢ ȳᵢ + s̄ / n, s̄ the step's"""
    start_shape, stop_shape = np.shape(start), np.shape(stop)
    w = weights(num, endpoint, np.ndim(start + stop))
    ended = dtype is not None and is_exact(dtype)

    def linspace_pullback(y_bar):
        start_bar: Any = 0.0
        stop_bar: Any = 0.0
        y_bar, step_bar = (y_bar[0], y_bar[1]) if retstep else (y_bar, ZERO)
        if not ended and not is_zero(y_bar):
            rows = np.moveaxis(y_bar, axis, 0)
            start_bar, stop_bar = np.sum((1 - w) * rows, axis=0), np.sum(w * rows, axis=0)
        if not is_zero(step_bar):
            share = step_bar / steps(num, endpoint)
            start_bar, stop_bar = start_bar - share, stop_bar + share
        return unbroadcast(start_bar, start_shape), unbroadcast(stop_bar, stop_shape)

    y = np.linspace(start, stop, num, endpoint=endpoint, retstep=retstep, dtype=dtype, axis=axis)
    return y, linspace_pullback


def steps(num: int, endpoint: bool) -> float:
    """Into how many steps the way from start to stop is divided; NaN for none, as the step is."""
    return float(num - 1 if endpoint else num) or float("nan")


def weights(num: int, endpoint: bool, ndim: int) -> Any:
    """How far each point is from start to stop, as a column before so many axes."""
    return np.reshape(np.linspace(0.0, 1.0, num, endpoint=endpoint), (num, *(1,) * ndim))


non_differentiable(steps, weights, why="computes with counts alone")


@written_out(np.fromiter)
def fromiter(iter: list | tuple, *, dtype, count=-1):  # as NumPy names it
    """y = (x₁, x₂, …), the first `count` of them"""
    items: Any = list(iter) if count < 0 else list(iter)[:count]
    if len(items) < count:
        raise ValueError("iterator too short")
    return np.array(items).astype(dtype)
