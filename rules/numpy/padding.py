"""Padding: `pad` in every mode of NumPy's.

What is put around an array is a constant, one of its entries, a mean, median or extremum of those at the
edge, or a line from the edge to a value. `constant_values` and `end_values` have cotangents too. Extrema
share ties. With `empty` what is around the array is nobody's, and its cotangent is dropped. Absent: a
function as mode, and means and ramps around integers, which NumPy rounds.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core import Array, UnsupportedArgument, frule, non_differentiable, rrule
from ...core.calls import forward_of
from ...tangents import NO_TANGENT, ZERO
from ..written import own
from .axes import axis_of
from .moving import brought_back, filled, frames_of, origins

SIGNATURE = (
    "array, pad_width, mode='constant', stat_length=None, constant_values=0, end_values=0, "
    "reflect_type='even'"
)
MOVING = ("constant", "empty", "edge", "wrap", "reflect", "symmetric")
STATISTICS: dict[str, Any] = {"maximum": np.max, "mean": np.mean, "median": np.median, "minimum": np.min}
ROUNDING = ("linear_ramp", "mean", "median")


def pairs(given: Any, ndim: int) -> tuple[tuple[Any, Any], ...]:
    """What is given before and after each axis: once for all, a pair for all, or a pair for each."""
    rows = np.broadcast_to(np.asarray(given, object), (ndim, 2)).tolist()
    return tuple((before, after) for before, after in rows)


def widths_of(pad_width: Any, ndim: int) -> tuple[tuple[Any, Any], ...]:
    """How much is put before and after each axis; a dictionary names some of them."""
    if not isinstance(pad_width, dict):
        return pairs(pad_width, ndim)
    named = {axis_of(axis, ndim): width for axis, width in pad_width.items()}
    return tuple(pairs(named.get(i, 0), 1)[0] for i in range(ndim))


def inner(shape: tuple[int, ...], pad_width: Any) -> tuple[slice, ...]:
    """Where the array itself stands."""
    widths = widths_of(pad_width, len(shape))
    return tuple(slice(before, before + n) for n, (before, _) in zip(shape, widths, strict=True))


def moves(array: Any, mode: Any, reflect_type: str) -> bool:
    """Whether a mode does no more than move entries; one that cannot be differentiated is refused."""
    if mode not in (*MOVING, *STATISTICS, "linear_ramp"):
        raise UnsupportedArgument(np.pad, "mode", mode, supported=[*MOVING, *STATISTICS, "linear_ramp"])
    if mode in ROUNDING and np.asarray(array).dtype.kind in "iu":
        raise UnsupportedArgument(
            np.pad, "mode", mode, next="make the array one of floats: integers are rounded"
        )
    return mode in MOVING and (reflect_type == "even" or mode not in ("reflect", "symmetric"))


def reflection(length: int, before: int, after: int, mode: str) -> tuple[Any, Any]:
    """For each place of a reflected line the entry that it reads, and how often it has been reflected."""
    if length == 1:
        return np.zeros(before + 1 + after, np.intp), np.zeros(before + 1 + after, np.intp)
    period = length - (mode == "reflect")
    turns, steps = np.divmod(np.arange(-before, length + after), period)
    return np.where(turns % 2, length - 1 - steps, steps), turns


def lengths_of(stat_length: Any, ndim: int, axis: int, length: int) -> tuple[int, int]:
    """How many entries before and after take part in a statistic."""
    before, after = pairs(stat_length, ndim)[axis]
    return length if before is None else min(before, length), length if after is None else min(after, length)


non_differentiable(widths_of, inner, moves, reflection, lengths_of, why="computes with places alone")


def moved_around(array: Any, values: Any, *, pad_width: Any, mode: Any) -> Any:
    """The array with entries, or values, around it; where nothing is put, zeros."""
    if mode in ("constant", "empty"):
        return np.pad(array, pad_width, constant_values=values if mode == "constant" else 0)
    return np.pad(array, pad_width, mode)


def put_around(array: Any, ends: Any, pad_width: Any, mode: str, stat_length: Any, reflect_type: str) -> Any:
    """The array with what is made of its entries around it, one axis after another."""
    if not np.size(array):
        return own(np.pad, array, pad_width, mode)
    ndim = np.ndim(array)
    widths = widths_of(pad_width, ndim)
    y: Any = array
    for axis in range(ndim):
        before, after = widths[axis]
        rows: Any = np.moveaxis(y, axis, -1)
        if mode in ("reflect", "symmetric"):
            rows = reflected(rows, before, after, mode)
        elif mode == "linear_ramp":
            end = np.broadcast_to(ends, (ndim, 2))
            left, right = ramp(rows[..., :1], end[axis, 0], before), ramp(rows[..., -1:], end[axis, 1], after)
            rows = np.concatenate((left, rows, np.flip(right, -1)), axis=-1)
        else:
            f, length = STATISTICS[mode], np.shape(rows)[-1]
            first, last = lengths_of(stat_length, ndim, axis, length)
            left = f(rows[..., :first], axis=-1, keepdims=True)
            right = f(rows[..., length - last :], axis=-1, keepdims=True)
            rows = np.concatenate(
                (np.repeat(left, before, axis=-1), rows, np.repeat(right, after, axis=-1)), axis=-1
            )
        y = np.moveaxis(rows, -1, axis)
    return np.asarray(y).astype(array.dtype, copy=False)


def ramp(edge: Any, end: Any, width: int) -> Any:
    """A line from an end towards an edge, which it does not reach."""
    return end + (edge - end) * (np.arange(width) / max(width, 1))


def reflected(rows: Any, before: int, after: int, mode: str) -> Any:
    """Lines continued by their point reflections at both ends, over and over."""
    places, turns = reflection(np.shape(rows)[-1], before, after, mode)
    first, last, odd = rows[..., :1], rows[..., -1:], turns % 2
    return (1 - 2 * odd) * rows[..., places] + (turns + odd) * last - (turns - odd) * first


@frule(np.pad, signature=SIGNATURE)
def pad_frule(
    tangents,
    array: Array,
    constant_values: Array = 0,
    end_values: Array = 0,
    *,
    pad_width,
    mode="constant",
    stat_length=None,
    reflect_type="even",
    engine,
):
    """y = x with something around it        ẏ = ẋ with what that becomes around it"""
    if moves(array, mode, reflect_type):
        y = moved_around(array, constant_values, pad_width=pad_width, mode=mode)
        da, dvalues = filled(tangents[0], array, y.dtype), filled(tangents[1], constant_values, y.dtype)
        return y, moved_around(da, dvalues, pad_width=pad_width, mode=mode)
    x = (array, end_values, pad_width, mode, stat_length, reflect_type)
    dx = (tangents[0], tangents[2], NO_TANGENT, NO_TANGENT, NO_TANGENT, NO_TANGENT)
    return forward_of(put_around, x, dx, {}, engine)


@rrule(np.pad, signature=SIGNATURE)
def pad_rrule(
    array: Array,
    constant_values: Array = 0,
    end_values: Array = 0,
    *,
    pad_width,
    mode="constant",
    stat_length=None,
    reflect_type="even",
    needs,
    engine,
):
    """y = x with something around it        x̄ = ȳ inside, and what comes back from around it"""
    if not moves(array, mode, reflect_type):
        y, pullback = engine.value_and_pullback(
            put_around, array, end_values, pad_width, mode, stat_length, reflect_type
        )

        def put_around_pullback(y_bar):
            cotangents = pullback(y_bar)
            return cotangents[0], ZERO, cotangents[1]

        return y, put_around_pullback
    y = moved_around(array, constant_values, pad_width=pad_width, mode=mode)
    if mode in ("constant", "empty") and not (len(needs) > 1 and needs[1]):
        place = inner(np.shape(array), pad_width)

        def constant_pullback(y_bar):
            return y_bar[place], ZERO, ZERO

        return y, constant_pullback
    frames, total = frames_of((array, constant_values), y.dtype)
    places = origins(moved_around, frames, {"pad_width": pad_width, "mode": mode})

    def moved_around_pullback(y_bar):
        a_bar, values_bar = brought_back(y_bar, y_bar.dtype, places, frames, total)
        return a_bar, values_bar, ZERO

    return y, moved_around_pullback
