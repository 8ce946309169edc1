"""Differences along an axis, and what is made of them: diff, ediff1d, gradient, trapezoid, unwrap.

`gradient` and `trapezoid` are differentiated by their spacings and coordinates too. `unwrap` adds whole
periods, which have no derivative by the angles. Absent: derivatives by the period of `unwrap`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core import Array, frule, non_differentiable, rrule, unbroadcast
from ...tangents import ZERO
from ..written import own, written_out
from .axes import axes_of, axis_of, float_dtype
from .moving import filled

_ENDS = Array | None


def width_of(end: Any, axis: int) -> int:
    """How much an end is along the axis; a number is one layer."""
    return 0 if end is None else int(np.shape(end)[axis]) if np.ndim(end) else 1


def shape_of(end: Any) -> tuple[int, ...]:
    """The shape of an end; where there is none, that of a number."""
    return np.shape(end)


non_differentiable(width_of, shape_of, why="computes with shapes alone")


def joined(a: Any, prepend: Any, append: Any, axis: int) -> Any:
    """An array between its ends; an end that is a number is one layer."""
    layer = (*np.shape(a)[:axis], 1, *np.shape(a)[axis + 1 :])
    parts: Any = (a,)
    if prepend is not None:
        parts = (prepend if np.ndim(prepend) else np.broadcast_to(prepend, layer), *parts)
    if append is not None:
        parts = (*parts, append if np.ndim(append) else np.broadcast_to(append, layer))
    return np.concatenate(parts, axis) if len(parts) > 1 else a


def moved_end(tangent: Any, end: Any) -> Any:
    """The tangent of an end, where there is one."""
    return None if end is None else filled(tangent, end, None)


@frule(np.diff)
def diff_frule(tangents, a: Array, prepend: _ENDS = None, append: _ENDS = None, *, n=1, axis=-1):
    """yᵢ = xᵢ₊₁ − xᵢ, n times        ẏ likewise"""
    along, da = axis_of(axis, np.ndim(a)), filled(tangents[0], a, None)
    if n == 0:
        return np.diff(a, 0), da
    dline = joined(da, moved_end(tangents[1], prepend), moved_end(tangents[2], append), along)
    return np.diff(joined(a, prepend, append, along), n, along), np.diff(dline, n, along)


@rrule(np.diff)
def diff_rrule(a: Array, prepend: _ENDS = None, append: _ENDS = None, *, n=1, axis=-1):
    """yᵢ = xᵢ₊₁ − xᵢ, n times        x̄ᵢ = ȳᵢ₋₁ − ȳᵢ, n times, with zeros around ȳ"""
    shape, before, after = np.shape(a), shape_of(prepend), shape_of(append)
    along = axis_of(axis, len(shape))
    y = np.diff(joined(a, prepend, append, along) if n else a, n, along)
    start = width_of(prepend, along)
    stop = start + shape[along]
    total = stop + width_of(append, along)

    def diff_pullback(y_bar):
        if n == 0:
            return y_bar, ZERO, ZERO
        if total <= n:
            return ZERO, ZERO, ZERO
        rows = np.moveaxis(y_bar, along, 0)
        zeros = np.zeros((n, *np.shape(rows)[1:]), np.result_type(rows))
        rows = np.diff(np.concatenate((zeros, rows, zeros)), n, 0)
        line = np.moveaxis(-rows if n % 2 else rows, 0, -1)
        first, last = np.moveaxis(line[..., :start], -1, along), np.moveaxis(line[..., stop:], -1, along)
        return (
            np.moveaxis(line[..., start:stop], -1, along),
            unbroadcast(first, before),
            unbroadcast(last, after),
        )

    return y, diff_pullback


@written_out(np.ediff1d)
def ediff1d(ary: Array, to_end: _ENDS = None, to_begin: _ENDS = None):
    """y = the differences of the entries in one line, with values before and after them"""
    line = np.ravel(ary)
    y = line[1:] - line[:-1]
    if to_begin is not None:
        y = np.concatenate((np.ravel(to_begin), y))
    return y if to_end is None else np.concatenate((y, np.ravel(to_end)))


def steps(x: Any, axis: int) -> Any:
    """The differences of coordinates, in the last axis."""
    line = x if np.ndim(x) == 1 else np.moveaxis(x, axis, -1)
    return line[..., 1:] - line[..., :-1]


@written_out(np.trapezoid)
def trapezoid(y: Array, x: _ENDS = None, dx: Array = 1.0, *, axis=-1):
    """z = Σ (xᵢ₊₁ − xᵢ) (yᵢ + yᵢ₊₁) / 2"""
    rows: Any = np.moveaxis(np.asarray(y), axis, -1)
    widths = dx if x is None else steps(x, axis)
    return np.sum(widths * (rows[..., 1:] + rows[..., :-1]) / 2.0, axis=-1)


def slope(f: Any, h: Any, axis: int, edge_order: int) -> Any:
    """The derivative along an axis: of second order inside, of first or second at the ends."""
    rows: Any = np.moveaxis(f, axis, -1)
    if np.ndim(h) == 0:
        d1 = d2 = h
        inner = (rows[..., 2:] - rows[..., :-2]) / (2.0 * h)
        first, last = h, h
    else:
        d = h[1:] - h[:-1]
        first, last, d1, d2 = d[0], d[-1], d[:-1], d[1:]
        below, above = (rows[..., 1:-1] - rows[..., :-2]) / d1, (rows[..., 2:] - rows[..., 1:-1]) / d2
        inner = (d2 * below + d1 * above) / (d1 + d2)
    start = (rows[..., 1:2] - rows[..., :1]) / first
    stop = (rows[..., -1:] - rows[..., -2:-1]) / last
    if edge_order == 2:
        second, before = (first, last) if np.ndim(h) == 0 else (d2[0], d1[-1])
        next_start = (rows[..., 2:3] - rows[..., 1:2]) / second
        next_stop = (rows[..., -2:-1] - rows[..., -3:-2]) / before
        start = start + (start - next_start) * first / (first + second)
        stop = stop + (stop - next_stop) * last / (last + before)
    return np.moveaxis(np.concatenate((start, inner, stop), axis=-1), -1, axis)


def refused(f: Any, spacing: Any, axes: Any, edge_order: Any) -> bool:
    """Whether NumPy refuses the call, as it then says itself."""
    shape = np.shape(f)
    fits = all(np.ndim(h) == 0 or np.shape(h) == (shape[i],) for h, i in zip(spacing, axes, strict=False))
    enough = all(shape[i] > edge_order for i in axes)
    counts = len(spacing) in (0, 1, len(axes)) and edge_order in (1, 2)
    return not (counts and fits and enough) or np.asarray(f).dtype.kind == "b"


non_differentiable(refused, why="computes with shapes alone")


def slopes(f: Any, spacing: Any, axis: Any, edge_order: int) -> Any:
    """What `gradient` computes, with the spacings or coordinates in a tuple."""
    axes = axes_of(axis, np.ndim(f))
    if refused(f, spacing, axes, edge_order):
        return own(np.gradient, f, *spacing, axis=axis, edge_order=edge_order)
    f = np.asarray(f).astype(float_dtype(f), copy=False)  # differences of small integers would wrap
    if len(axes) == 1:
        return slope(f, spacing[0] if spacing else 1.0, axes[0], edge_order).astype(f.dtype, copy=False)
    each = spacing if len(spacing) > 1 else tuple([spacing[0] if spacing else 1.0 for _ in axes])
    return tuple(
        [slope(f, each[i], axes[i], edge_order).astype(f.dtype, copy=False) for i in range(len(axes))]
    )


@written_out(np.gradient)
def gradient(f: Array, *spacing: Array, axis=None, edge_order=1):
    """y = the derivative of f along each axis, by differences"""
    return slopes(f, spacing, axis, edge_order)


@frule(np.unwrap)
def unwrap_frule(tangents, p: Array, *, discont=None, axis=-1, period=2 * np.pi):
    """y = p with whole periods added        ẏ = ṗ"""
    return np.unwrap(np.asarray(p), discont, axis, period=period), tangents[0]


@rrule(np.unwrap)
def unwrap_rrule(p: Array, *, discont=None, axis=-1, period=2 * np.pi):
    """y = p with whole periods added        p̄ = ȳ"""

    def unwrap_pullback(y_bar):
        return y_bar

    return np.unwrap(np.asarray(p), discont, axis, period=period), unwrap_pullback
