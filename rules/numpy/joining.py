"""Joining arrays: concatenate, stack, vstack, hstack, column_stack, dstack, append.

A sequence of arrays is one argument: its cotangent is a `Composite` of the list or tuple, each entry
a block of ȳ in the entry's own shape. Not here: what takes arrays apart (splitting).
An array instead of a sequence, whose layers are joined: placing. What `dtype=` makes whole numbers of has
derivative zero. `out=`: outputs.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core import Array, frule, non_differentiable, rrule
from ...tangents import ZERO, from_fields
from .axes import axis_of, beyond, ends, refuse_texts_among
from .nesting import nest, unnest


def shapes_in(arrays: Any) -> tuple[tuple[int, ...], ...]:
    """The shape of each array of a sequence."""
    return tuple(np.shape(x) for x in arrays)


def frames_of(arrays: Any) -> tuple[Any, ...]:
    """For each entry itself where it is a list or tuple, else None: what its cotangent is nested like."""
    return tuple(x if isinstance(x, list | tuple) else None for x in arrays)


def blocks(widths: tuple[int, ...], axis: int) -> tuple[tuple[Any, ...], ...]:
    """The index of each of the blocks that stand side by side along an axis."""
    ends = np.cumsum(widths).tolist()
    return tuple((*(slice(None),) * axis, slice(e - w, e)) for w, e in zip(widths, ends, strict=True))


def concatenated(shapes: tuple[tuple[int, ...], ...], axis: Any) -> tuple[tuple[Any, ...], ...]:
    """The blocks of `concatenate`; without an axis it flattens."""
    if axis is None:
        return blocks(tuple(int(np.prod(s)) for s in shapes), 0)
    axis = axis_of(axis, len(shapes[0]))
    return blocks(tuple(s[axis] for s in shapes), axis)


def in_rows(shapes: tuple[tuple[int, ...], ...]) -> tuple[tuple[Any, ...], ...]:
    """The blocks of `vstack`: vectors and numbers are rows."""
    return blocks(tuple(s[0] if len(s) > 1 else 1 for s in shapes), 0)


def in_columns(shapes: tuple[tuple[int, ...], ...]) -> tuple[tuple[Any, ...], ...]:
    """The blocks of `column_stack`: vectors are columns."""
    return blocks(tuple(s[1] if len(s) > 1 else 1 for s in shapes), 1)


def side_by_side(shapes: tuple[tuple[int, ...], ...]) -> tuple[tuple[Any, ...], ...]:
    """The blocks of `hstack`: along the second axis, vectors along their only one."""
    axis = 1 if len(shapes[0]) > 1 else 0
    return blocks(tuple(s[axis] if s else 1 for s in shapes), axis)


def in_depth(shapes: tuple[tuple[int, ...], ...]) -> tuple[tuple[Any, ...], ...]:
    """The blocks of `dstack`: along the third axis."""
    return blocks(tuple(s[2] if len(s) > 2 else 1 for s in shapes), 2)


def in_layers(shapes: tuple[tuple[int, ...], ...], axis: int) -> tuple[tuple[Any, ...], ...]:
    """The blocks of `stack`: one for each array along a new axis."""
    return blocks((1,) * len(shapes), axis_of(axis, len(shapes[0]) + 1))


def rounds(arrays: Any, dtype: Any) -> bool:
    """Whether joining them to this type rounds: the derivative is zero."""
    return any(ends(x, dtype) for x in arrays)


non_differentiable(
    rounds, shapes_in, frames_of, blocks,
    concatenated, in_rows, in_columns, side_by_side, in_depth, in_layers,
    why="computes with shapes and types alone",
)  # fmt: skip


def tangents_of(tangent: Any, arrays: Any) -> Any:
    """The tangents of the arrays of a sequence, zeros where they have none."""
    refuse_texts_among(np.concatenate, *arrays)
    return tuple([nest(tangent[i], np.shape(arrays[i])) for i in range(len(arrays))])


def as_value(dy: Any, y: Any) -> Any:
    """The tangent of a join, real where the value was made real."""
    return dy if np.iscomplexobj(y) else np.real(dy)


def taken_apart(kind: type, frames: Any, shapes: Any, places: Any, ended: bool = False) -> Any:
    """The pullback of a join: the blocks of ȳ, each in its array's shape."""

    def join_pullback(y_bar):
        if ended:
            return ZERO
        parts = tuple(
            [unnest(np.reshape(y_bar[places[i]], shapes[i]), frames[i]) for i in range(len(places))]
        )
        return from_fields(kind, parts)

    return join_pullback


@frule(np.concatenate)
def concatenate_frule(tangents, arrays: list | tuple, *, axis=0, dtype=None, casting=None):
    """y = the arrays along an axis        ẏ likewise"""
    y = np.concatenate(arrays, axis, **beyond(dtype=dtype, casting=casting))
    if rounds(arrays, dtype):
        return y, ZERO
    return y, as_value(np.concatenate(tangents_of(tangents[0], arrays), axis), y)


@rrule(np.concatenate)
def concatenate_rrule(arrays: list | tuple, *, axis=0, dtype=None, casting=None):
    """y = the arrays along an axis        x̄ᵢ = its block of ȳ"""
    shapes = shapes_in(arrays)
    y = np.concatenate(arrays, axis, **beyond(dtype=dtype, casting=casting))
    ended = rounds(arrays, dtype)
    return y, taken_apart(type(arrays), frames_of(arrays), shapes, concatenated(shapes, axis), ended)


@frule(np.stack)
def stack_frule(tangents, arrays: list | tuple, *, axis=0, dtype=None, casting=None):
    """y = the arrays along a new axis        ẏ likewise"""
    y = np.stack(arrays, axis, **beyond(dtype=dtype, casting=casting))
    if rounds(arrays, dtype):
        return y, ZERO
    return y, as_value(np.stack(tangents_of(tangents[0], arrays), axis), y)


@rrule(np.stack)
def stack_rrule(arrays: list | tuple, *, axis=0, dtype=None, casting=None):
    """y = the arrays along a new axis        x̄ᵢ = its layer of ȳ"""
    shapes = shapes_in(arrays)
    y = np.stack(arrays, axis, **beyond(dtype=dtype, casting=casting))
    ended = rounds(arrays, dtype)
    return y, taken_apart(type(arrays), frames_of(arrays), shapes, in_layers(shapes, axis), ended)


@frule(getattr(np, "row_stack", np.vstack))  # an old name, to go
@frule(np.vstack)
def vstack_frule(tangents, arrays: list | tuple, *, dtype=None, casting=None):
    """y = the arrays below one another        ẏ likewise"""
    y = np.vstack(arrays, **beyond(dtype=dtype, casting=casting))
    if rounds(arrays, dtype):
        return y, ZERO
    return y, as_value(np.vstack(tangents_of(tangents[0], arrays)), y)


@rrule(getattr(np, "row_stack", np.vstack))  # an old name, to go
@rrule(np.vstack)
def vstack_rrule(arrays: list | tuple, *, dtype=None, casting=None):
    """y = the arrays below one another        x̄ᵢ = its rows of ȳ"""
    shapes = shapes_in(arrays)
    y, ended = np.vstack(arrays, **beyond(dtype=dtype, casting=casting)), rounds(arrays, dtype)
    return y, taken_apart(type(arrays), frames_of(arrays), shapes, in_rows(shapes), ended)


@frule(np.hstack)
def hstack_frule(tangents, arrays: list | tuple, *, dtype=None, casting=None):
    """y = the arrays beside one another        ẏ likewise"""
    y = np.hstack(arrays, **beyond(dtype=dtype, casting=casting))
    if rounds(arrays, dtype):
        return y, ZERO
    return y, as_value(np.hstack(tangents_of(tangents[0], arrays)), y)


@rrule(np.hstack)
def hstack_rrule(arrays: list | tuple, *, dtype=None, casting=None):
    """y = the arrays beside one another        x̄ᵢ = its columns of ȳ"""
    shapes = shapes_in(arrays)
    y, ended = np.hstack(arrays, **beyond(dtype=dtype, casting=casting)), rounds(arrays, dtype)
    return y, taken_apart(type(arrays), frames_of(arrays), shapes, side_by_side(shapes), ended)


@frule(np.column_stack)
def column_stack_frule(tangents, arrays: list | tuple):
    """y = the arrays beside one another, vectors as columns        ẏ likewise"""
    return np.column_stack(arrays), np.column_stack(tangents_of(tangents[0], arrays))


@rrule(np.column_stack)
def column_stack_rrule(arrays: list | tuple):
    """y = the arrays beside one another, vectors as columns        x̄ᵢ = its columns of ȳ"""
    shapes = shapes_in(arrays)
    return np.column_stack(arrays), taken_apart(type(arrays), frames_of(arrays), shapes, in_columns(shapes))


@frule(np.dstack)
def dstack_frule(tangents, arrays: list | tuple):
    """y = the arrays behind one another        ẏ likewise"""
    return np.dstack(arrays), np.dstack(tangents_of(tangents[0], arrays))


@rrule(np.dstack)
def dstack_rrule(arrays: list | tuple):
    """y = the arrays behind one another        x̄ᵢ = its layers of ȳ"""
    shapes = shapes_in(arrays)
    return np.dstack(arrays), taken_apart(type(arrays), frames_of(arrays), shapes, in_depth(shapes))


@frule(np.append)
def append_frule(tangents, x: Array, values: Array, *, axis=None):
    """y = x with values after it        ẏ likewise"""
    refuse_texts_among(np.append, x, values)
    dx, dvalues = nest(tangents[0], np.shape(x)), nest(tangents[1], np.shape(values))
    return np.append(x, values, axis), np.append(dx, dvalues, axis)


@rrule(np.append)
def append_rrule(x: Array, values: Array, *, axis=None):
    """y = x with values after it        each cotangent is its block of ȳ"""
    refuse_texts_among(np.append, x, values)
    shapes = (np.shape(x), np.shape(values))
    places = concatenated(shapes, axis)

    def append_pullback(y_bar):
        return np.reshape(y_bar[places[0]], shapes[0]), np.reshape(y_bar[places[1]], shapes[1])

    return np.append(x, values, axis), append_pullback
