"""Taking arrays apart: split, array_split, vsplit, hsplit, dsplit, unstack, broadcast_arrays, meshgrid.

Several arrays come back: the seed is a composite of the list or tuple, and a part that nobody used
has a zero in it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core import Array, UnsupportedArgument, frule, non_differentiable, rrule, unbroadcast
from ...tangents import from_fields
from ..written import own, written_out
from .axes import axis_of
from .joining import shapes_in
from .nesting import nest


def joined(y_bar: Any, shapes: tuple[tuple[int, ...], ...], axis: int) -> Any:
    """The cotangents of the parts of an array, side by side again."""
    parts = tuple([nest(y_bar[i], shapes[i]) for i in range(len(shapes))])
    return np.concatenate(parts, axis=axis)


def refuse_overlaps(f: Any, places: Any, excess: int) -> None:
    """Refuse parts that have entries in common, as those at places that fall."""
    if excess:
        why = "the places fall, so that parts have entries in common"
        raise UnsupportedArgument(f, "indices_or_sections", places, why=why, next="take slices")


non_differentiable(refuse_overlaps, why="checks places")


def _splits(f: Any) -> None:
    @frule(f)
    def parts_frule(tangents, x: Array, *, indices_or_sections, axis=0):
        """y = parts of x along an axis        ẏ likewise"""
        parts = f(tangents[0], indices_or_sections, axis)
        return f(x, indices_or_sections, axis), from_fields(list, tuple(parts))

    @rrule(f)
    def parts_rrule(x: Array, *, indices_or_sections, axis=0):
        """y = parts of x along an axis        x̄ = the parts of ȳ side by side"""
        y = f(x, indices_or_sections, axis)
        shapes, along = shapes_in(y), axis_of(axis, np.ndim(x))
        refuse_overlaps(f, indices_or_sections, sum(shape[along] for shape in shapes) - np.shape(x)[along])

        def parts_pullback(y_bar):
            return joined(y_bar, shapes, along)

        return y, parts_pullback


for _f in (np.split, np.array_split):
    _splits(_f)


@written_out(np.vsplit)
def vsplit(x: Array, *, indices_or_sections):
    """y = parts of x along the first axis"""
    own(np.vsplit, x, indices_or_sections)
    return np.split(x, indices_or_sections)


@written_out(np.hsplit)
def hsplit(x: Array, *, indices_or_sections):
    """y = parts of x along the second axis, a vector's only one"""
    own(np.hsplit, x, indices_or_sections)
    return np.split(x, indices_or_sections, min(np.ndim(x), 2) - 1)


@written_out(np.dsplit)
def dsplit(x: Array, *, indices_or_sections):
    """y = parts of x along the third axis"""
    own(np.dsplit, x, indices_or_sections)
    return np.split(x, indices_or_sections, 2)


@written_out(np.unstack)
def unstack(x: Array, *, axis=0):
    """y = the layers of x along an axis"""
    rows: Any = np.moveaxis(np.asarray(x), axis, 0)
    return tuple([rows[i] for i in range(len(rows))])


@frule(np.broadcast_arrays)
def broadcast_arrays_frule(tangents, *x: Array):
    """y = all stretched to one shape        ẏ likewise"""
    y = np.broadcast_arrays(*x)
    parts = tuple([nest(dx, np.shape(y[0])) for dx in tangents])
    return y, from_fields(tuple, parts)


@rrule(np.broadcast_arrays)
def broadcast_arrays_rrule(*x: Array):
    """y = all stretched to one shape        x̄ = Σ ȳ over what was stretched"""
    y = np.broadcast_arrays(*x)
    shapes, y_shapes = shapes_in(x), shapes_in(y)

    def broadcast_arrays_pullback(y_bar):
        return tuple([unbroadcast(nest(y_bar[i], y_shapes[i]), shapes[i]) for i in range(len(shapes))])

    return y, broadcast_arrays_pullback


def columns_of(x: tuple[Any, ...], indexing: str) -> tuple[tuple[int, ...], ...]:
    """The shape in which each coordinate stretches over the grid."""
    axes = list(range(len(x)))
    if indexing == "xy":
        axes[:2] = axes[:2][::-1]
    return tuple(tuple(np.size(v) if k == axes[i] else 1 for k in range(len(x))) for i, v in enumerate(x))


non_differentiable(columns_of, why="computes with shapes alone")


@frule(np.meshgrid)
def meshgrid_frule(tangents, *x: Array, copy=True, sparse=False, indexing="xy"):
    """y = the coordinates of a grid        ẏ likewise"""
    y = np.meshgrid(*x, copy=copy, sparse=sparse, indexing=indexing)
    parts: Any = ()
    for i in range(len(x)):
        column = np.reshape(nest(tangents[i], np.shape(x[i])), columns_of(x, indexing)[i])
        parts = (*parts, np.broadcast_to(column, np.shape(y[i])))
    return y, from_fields(tuple, parts)


@rrule(np.meshgrid)
def meshgrid_rrule(*x: Array, copy=True, sparse=False, indexing="xy"):
    """y = the coordinates of a grid        x̄ = Σ ȳ along the other axes"""
    y = np.meshgrid(*x, copy=copy, sparse=sparse, indexing=indexing)
    shapes, y_shapes = shapes_in(x), shapes_in(y)
    columns = columns_of(x, indexing)

    def meshgrid_pullback(y_bar):
        cotangents: Any = ()
        for i in range(len(shapes)):
            column_bar = unbroadcast(nest(y_bar[i], y_shapes[i]), columns[i])
            cotangents = (*cotangents, np.reshape(column_bar, shapes[i]))
        return cotangents

    return y, meshgrid_pullback
