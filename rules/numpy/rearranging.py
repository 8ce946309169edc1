"""Rearranging and repeating entries: flip, roll, rot90, tile, repeat.

The pullback of a rearrangement is the opposite one, of a repetition the sum over the copies. `tile`
takes repetitions for fewer or more axes than the array has.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...core import Array, frule, non_differentiable, rrule
from ...core.seeds import ready
from .axes import float_dtype, picked, selection


@frule(np.flip)
def flip_frule(tangents, x: Array, *, axis=None):
    """y = x reversed        ẏ = ẋ reversed"""
    (dx,) = tangents
    return np.flip(x, axis), np.flip(dx, axis)


@rrule(np.flip, light_seed=True)
def flip_rrule(x: Array, *, axis=None):
    """y = x reversed        x̄ = ȳ reversed"""
    axis = tuple(axis) if isinstance(axis, list) else axis  # a list may change before the pullback runs

    def flip_pullback(y_bar):
        return np.flip(y_bar, axis)

    return np.flip(x, axis), flip_pullback


@frule(np.fliplr)
def fliplr_frule(tangents, x: Array):
    """y = x with its columns reversed        ẏ = ẋ likewise"""
    (dx,) = tangents
    return np.fliplr(x), np.fliplr(dx)


@rrule(np.fliplr, light_seed=True)
def fliplr_rrule(x: Array):
    """y = x with its columns reversed        x̄ = ȳ likewise"""

    def fliplr_pullback(y_bar):
        return np.fliplr(y_bar)

    return np.fliplr(x), fliplr_pullback


@frule(np.flipud)
def flipud_frule(tangents, x: Array):
    """y = x with its rows reversed        ẏ = ẋ likewise"""
    (dx,) = tangents
    return np.flipud(x), np.flipud(dx)


@rrule(np.flipud, light_seed=True)
def flipud_rrule(x: Array):
    """y = x with its rows reversed        x̄ = ȳ likewise"""

    def flipud_pullback(y_bar):
        return np.flipud(y_bar)

    return np.flipud(x), flipud_pullback


@frule(np.roll)
def roll_frule(tangents, x: Array, *, shift, axis=None):
    """y = x rolled        ẏ = ẋ rolled"""
    (dx,) = tangents
    return np.roll(x, shift, axis), np.roll(dx, shift, axis)


@rrule(np.roll)
def roll_rrule(x: Array, *, shift, axis=None):
    """y = x rolled        x̄ = ȳ rolled back"""
    back, along = np.negative(shift), tuple(axis) if isinstance(axis, list) else axis

    def roll_pullback(y_bar):
        return np.roll(y_bar, back, along)

    return np.roll(x, shift, axis), roll_pullback


@frule(np.rot90)
def rot90_frule(tangents, x: Array, *, k=1, axes=(0, 1)):
    """y = x turned k times        ẏ = ẋ likewise"""
    (dx,) = tangents
    return np.rot90(x, k, axes), np.rot90(dx, k, axes)


@rrule(np.rot90, light_seed=True)
def rot90_rrule(x: Array, *, k=1, axes=(0, 1)):
    """y = x turned k times        x̄ = ȳ turned back"""
    plane = tuple(axes)

    def rot90_pullback(y_bar):
        return np.rot90(y_bar, -k, plane)

    return np.rot90(x, k, axes), rot90_pullback


@frule(np.tile)
def tile_frule(tangents, x: Array, *, reps):
    """y = copies of x side by side        ẏ = copies of ẋ"""
    (dx,) = tangents
    return np.tile(x, reps), np.tile(dx, reps)


@rrule(np.tile)
def tile_rrule(x: Array, *, reps):
    """y = copies of x side by side        x̄ = Σ over the copies of ȳ"""
    shape = np.shape(x)
    split, copies = tiling(shape, reps)

    def tile_pullback(y_bar):
        return np.reshape(np.sum(np.reshape(y_bar, split), axis=copies), shape)

    return np.tile(x, reps), tile_pullback


def tiling(shape: tuple[int, ...], reps: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The shape of a tiled array with an axis of copies before each of its own, and those axes.

    Example: >>> tiling((3,), (2, 4))
             ((2, 1, 4, 3), (0, 2))
    """
    times = tuple(int(r) for r in np.atleast_1d(reps))
    ndim = max(len(shape), len(times))
    times = (*(1,) * (ndim - len(times)), *times)
    lengths = (*(1,) * (ndim - len(shape)), *shape)
    split = tuple(n for pair in zip(times, lengths, strict=True) for n in pair)
    return split, tuple(range(0, 2 * ndim, 2))


@frule(np.ndarray.repeat)
@frule(np.repeat)
def repeat_frule(tangents, x: Array, *, repeats, axis=None):
    """y = each entry several times        ẏ likewise"""
    (dx,) = tangents
    return np.repeat(x, repeats, axis), np.repeat(dx, repeats, axis)


@rrule(np.ndarray.repeat)
@rrule(np.repeat)
def repeat_rrule(x: Array, *, repeats, axis=None):
    """y = each entry several times        x̄ = Σ of ȳ over the times"""
    shape = np.shape(x)
    index = selection(shape, axis, repetition(shape, repeats, axis))
    dtype = float_dtype(x)

    def repeat_pullback(y_bar):
        return ready(picked(shape, dtype, index, y_bar))

    return np.repeat(x, repeats, axis), repeat_pullback


def repetition(shape: tuple[int, ...], repeats: Any, axis: Any) -> Any:
    """The places along the axis that `repeat` reads, one after another."""
    length = math.prod(shape) if axis is None else shape[axis]
    return np.repeat(np.arange(length), repeats)


non_differentiable(tiling, repetition, why="computes with shapes alone")
