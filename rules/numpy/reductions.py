"""Reductions: sum, mean, prod, max, min, ptp.

Entries that tie for a maximum or minimum share the cotangent equally; where one of them is NaN the
NaNs share it. Products are exact at zeros: no division by an entry that is zero. An axis of length
zero receives an empty cotangent. Not here: var and std (spread), running sums (running), norms
(linalg.norms), traces (diagonals). Sums and means keep the contract themselves, since nearly every
loss ends in one. What `where=` leaves out has derivative zero, and so has all that `dtype=` makes
whole numbers of; `initial=` is a constant, and among the entries that tie counts as one more.
`out=` is in outputs.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core import Array, frule, non_differentiable, rrule
from ...core.seeds import absorbs, answer_to, ready
from ...core.types import is_foreign
from ...tangents import ZERO, project_to
from ...tangents.spans import in_seconds
from ..quiet import as_floats, ratio
from .axes import axes_of, beyond, count, ends, frame_of, inverse_of, kept, stretch


@frule(np.ndarray.sum)
@frule(np.sum)
def sum_frule(tangents, x: Array, *, axis=None, dtype=None, keepdims=False, initial=None, where=True):
    """y = Σ x        ẏ = Σ ẋ"""
    y = np.sum(x, axis=axis, keepdims=keepdims, **beyond(dtype=dtype, initial=initial, where=where))
    if ends(x, dtype):
        return y, ZERO
    return y, np.sum(tangents[0], axis=axis, keepdims=keepdims, **beyond(where=where))


@rrule(np.ndarray.sum, complete=True)
@rrule(np.sum, complete=True)
def sum_rrule(x: Array, *, axis=None, dtype=None, keepdims=False, initial=None, where=True):
    """y = Σ x        x̄ = ȳ along the reduced axes"""
    frame, project_x, ended = frame_of(x), project_to(x), ends(x, dtype)

    def sum_pullback(y_bar):
        if absorbs(y_bar):
            return (answer_to(y_bar),)
        if ended:
            return (ZERO,)
        x_bar = stretch(ready(y_bar), frame, axis)
        return (project_x(masked(x_bar, where)),)

    if dtype is None and initial is None and where is True:
        return np.sum(x, axis=axis, keepdims=keepdims), sum_pullback
    y = np.sum(x, axis=axis, keepdims=keepdims, **beyond(dtype=dtype, initial=initial, where=where))
    return y, sum_pullback


@frule(np.ndarray.mean)
@frule(np.mean)
def mean_frule(tangents, x: Array, *, axis=None, dtype=None, keepdims=False, where=True):
    """y = Σ x / n        ẏ = Σ ẋ / n"""
    y = np.mean(x, axis=axis, keepdims=keepdims, **beyond(dtype=dtype, where=where))
    if ends(x, dtype):
        return y, ZERO
    n, dx = count(np.shape(x), axis, where), in_seconds(tangents[0])
    return y, ratio(np.sum(dx, axis=axis, keepdims=True, **beyond(where=where)), n).reshape(np.shape(y))


@rrule(np.ndarray.mean, complete=True)
@rrule(np.mean, complete=True)
def mean_rrule(x: Array, *, axis=None, dtype=None, keepdims=False, where=True):
    """y = Σ x / n        x̄ = ȳ / n along the reduced axes; zero where nothing is left to take the mean of"""
    frame, project_x, ended = frame_of(x), project_to(x), ends(x, dtype)
    n = count(np.shape(x), axis, where)

    def mean_pullback(y_bar):
        if absorbs(y_bar):
            return (answer_to(y_bar),)
        if ended:
            return (ZERO,)
        if where is True:
            return (project_x(stretch(ready(y_bar) / (n or 1), frame, axis)),)
        return (project_x(masked(ratio(stretch(ready(y_bar), frame, axis), n), where)),)

    return np.mean(x, axis=axis, keepdims=keepdims, **beyond(dtype=dtype, where=where)), mean_pullback


@frule(np.ndarray.prod)
@frule(np.prod)
def prod_frule(tangents, x: Array, *, axis=None, dtype=None, keepdims=False, initial=None, where=True):
    """y = Π xᵢ        ẏ = Σᵢ ẋᵢ Πⱼ≠ᵢ xⱼ"""
    y = np.prod(x, axis=axis, keepdims=keepdims, **beyond(dtype=dtype, initial=initial, where=where))
    if ends(x, dtype):
        return y, ZERO
    others = others_product(factors(x, where), axis) * (1 if initial is None else initial)
    return y, np.sum(tangents[0] * others, axis=axis, keepdims=keepdims, **beyond(dtype=dtype, where=where))


@rrule(np.ndarray.prod)
@rrule(np.prod)
def prod_rrule(x: Array, *, axis=None, dtype=None, keepdims=False, initial=None, where=True):
    """y = Π xᵢ        x̄ᵢ = ȳ conj(Πⱼ≠ᵢ xⱼ)        one zero has a finite cotangent, two have none"""
    frame, ended = frame_of(x), ends(x, dtype)

    def prod_pullback(y_bar):
        if ended:
            return ZERO
        others = others_product(factors(x, where), axis) * (1 if initial is None else initial)
        x_bar = stretch(y_bar, frame, axis) * np.conj(others)
        return masked(x_bar, where)

    y = np.prod(x, axis=axis, keepdims=keepdims, **beyond(dtype=dtype, initial=initial, where=where))
    return y, prod_pullback


def masked(x_bar: Any, where: Any) -> Any:
    """A cotangent with zeros for what is left out, also where it is infinite."""
    return x_bar if where is True else np.where(where, x_bar, 0)


def factors(x: Any, where: Any) -> Any:
    """x with ones in place of what is left out."""
    return x if where is True else np.where(where, x, np.ones((), np.asarray(x).dtype))


def others_product(x: Any, axis: Any) -> Any:
    """For each entry the product of the others along the axes, exact where some are zero.

    Example: >>> others_product(np.array([0.0, 2.0, 3.0]), None)
             array([6., 0., 0.])
    """
    shape, x = np.shape(x), as_floats(x)
    y = np.prod(x, axis=axis, keepdims=True)
    if is_regular(x, y):
        return y / x
    rows, back, row_shape, line_shape = lines(shape, axis)
    line = np.reshape(np.transpose(x, rows), line_shape)
    one = np.ones_like(line[..., :1])
    before = np.cumprod(np.concatenate((one, line[..., :-1]), axis=-1), axis=-1)
    after = np.cumprod(np.concatenate((one, np.flip(line[..., 1:], -1)), axis=-1), axis=-1)
    return np.transpose(np.reshape(before * np.flip(after, -1), row_shape), back)


def is_regular(x: Any, y: Any) -> bool:
    """Whether products y may be divided by their factors x: no zero, no overflow, no loss by underflow.

    Nor a factor so small beside the others that in a second derivative 1/x² cancels and leaves its rounding.
    """
    if is_foreign(x):  # whose numbers may not be there yet
        return False
    size, factors, info = np.abs(y), np.abs(x), np.finfo(np.result_type(y, np.float32))
    even = np.min(factors, initial=np.inf) >= info.eps**0.5 * np.max(factors, initial=0.0)
    return bool(even and np.all((size >= info.tiny) & np.isfinite(size)))


def lines(shape: tuple[int, ...], axis: Any) -> tuple[tuple[int, ...], ...]:
    """How to lay the reduced axes out as one last axis: permutation, its inverse, shapes before and after."""
    reduced = axes_of(axis, len(shape))
    rows = (*(i for i in range(len(shape)) if i not in reduced), *reduced)
    row_shape = tuple(shape[i] for i in rows)
    line_shape = (*row_shape[: len(shape) - len(reduced)], count(shape, axis))
    return rows, inverse_of(rows, len(shape)), row_shape, line_shape


def shares(x: Any, y: Any, axis: Any, initial: Any = None, where: Any = True) -> Any:
    """The part of each entry in an extremum y of x along the axes: equal parts for those that tie.

    Example: >>> shares(np.array([1.0, 3.0, 3.0]), 3.0, None)
             array([0. , 0.5, 0.5])
    """
    y = np.reshape(y, kept(np.shape(x), axis))
    extreme = (x == y) | np.isnan(x)
    if where is not True:
        extreme = extreme & where
    ties = np.sum(extreme, axis=axes_of(axis, np.ndim(x)), keepdims=True)
    if initial is not None:
        ties = ties + ((y == initial) | np.isnan(initial))
    parts = extreme / ties
    return parts.astype(x.dtype, copy=False) if isinstance(x, np.ndarray) and x.dtype.kind == "f" else parts


non_differentiable(is_regular, lines, why="computes with shapes and flags")
non_differentiable(shares, why="is piecewise constant")


@frule(np.ndarray.max)
@frule(np.amax)
@frule(np.max)
def max_frule(tangents, x: Array, *, axis=None, keepdims=False, initial=None, where=True):
    """y = max x        ẏ = Σ w ẋ        w: equal shares of the entries that tie"""
    (dx,) = tangents
    y = np.max(x, axis=axis, keepdims=keepdims, **beyond(initial=initial, where=where))
    return y, np.sum(shares(x, y, axis, initial, where) * dx, axis=axis, keepdims=keepdims)


@rrule(np.ndarray.max)
@rrule(np.amax)
@rrule(np.max)
def max_rrule(x: Array, *, axis=None, keepdims=False, initial=None, where=True):
    """y = max x        x̄ = w ȳ        w: equal shares of the entries that tie"""
    y = np.max(x, axis=axis, keepdims=keepdims, **beyond(initial=initial, where=where))

    def max_pullback(y_bar):
        return shares(x, y, axis, initial, where) * stretch(y_bar, frame_of(x), axis)

    return y, max_pullback


@frule(np.ndarray.min)
@frule(np.amin)
@frule(np.min)
def min_frule(tangents, x: Array, *, axis=None, keepdims=False, initial=None, where=True):
    """y = min x        ẏ = Σ w ẋ        w: equal shares of the entries that tie"""
    (dx,) = tangents
    y = np.min(x, axis=axis, keepdims=keepdims, **beyond(initial=initial, where=where))
    return y, np.sum(shares(x, y, axis, initial, where) * dx, axis=axis, keepdims=keepdims)


@rrule(np.ndarray.min)
@rrule(np.amin)
@rrule(np.min)
def min_rrule(x: Array, *, axis=None, keepdims=False, initial=None, where=True):
    """y = min x        x̄ = w ȳ        w: equal shares of the entries that tie"""
    y = np.min(x, axis=axis, keepdims=keepdims, **beyond(initial=initial, where=where))

    def min_pullback(y_bar):
        return shares(x, y, axis, initial, where) * stretch(y_bar, frame_of(x), axis)

    return y, min_pullback


@frule(np.ptp)
def ptp_frule(tangents, x: Array, *, axis=None, keepdims=False):
    """y = max x − min x        ẏ = Σ (w_max − w_min) ẋ"""
    (dx,) = tangents
    w = shares(x, np.max(x, axis=axis), axis) - shares(x, np.min(x, axis=axis), axis)
    return np.ptp(x, axis=axis, keepdims=keepdims), np.sum(w * dx, axis=axis, keepdims=keepdims)


@rrule(np.ptp)
def ptp_rrule(x: Array, *, axis=None, keepdims=False):
    """y = max x − min x        x̄ = (w_max − w_min) ȳ"""
    w = shares(x, np.max(x, axis=axis), axis) - shares(x, np.min(x, axis=axis), axis)

    def ptp_pullback(y_bar):
        return w * stretch(y_bar, frame_of(w), axis)

    return np.ptp(x, axis=axis, keepdims=keepdims), ptp_pullback
