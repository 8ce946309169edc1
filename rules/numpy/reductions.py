"""Reductions: sum, mean, prod, max, min, ptp.

Entries that tie for a maximum or minimum share the cotangent equally; where one of them is NaN the
NaNs share it. Products are exact at zeros: no division by an entry that is zero. An axis of length
zero receives an empty cotangent. Not here: var and std (spread), running sums (running), norms
(linalg.norms), traces (diagonals). Sums and means keep the contract themselves, since nearly every
loss ends in one. Absent: `where=`, `initial=`, `dtype=`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core import Array, frule, non_differentiable, rrule
from ...core.seeds import absorbs, answer_to, ready
from ...tangents import project_to
from .axes import axes_of, count, inverse_of, kept, stretch


@frule(np.ndarray.sum)
@frule(np.sum)
def sum_frule(tangents, x: Array, *, axis=None, keepdims=False):
    """y = Σ x        ẏ = Σ ẋ"""
    (dx,) = tangents
    return np.sum(x, axis=axis, keepdims=keepdims), np.sum(dx, axis=axis, keepdims=keepdims)


@rrule(np.ndarray.sum, complete=True)
@rrule(np.sum, complete=True)
def sum_rrule(x: Array, *, axis=None, keepdims=False):
    """y = Σ x        x̄ = ȳ along the reduced axes"""
    shape, project_x = np.shape(x), project_to(x)

    def sum_pullback(y_bar):
        if absorbs(y_bar):
            return (answer_to(y_bar),)
        return (project_x(stretch(ready(y_bar), shape, axis)),)

    return np.sum(x, axis=axis, keepdims=keepdims), sum_pullback


@frule(np.ndarray.mean)
@frule(np.mean)
def mean_frule(tangents, x: Array, *, axis=None, keepdims=False):
    """y = Σ x / n        ẏ = Σ ẋ / n"""
    (dx,) = tangents
    return np.mean(x, axis=axis, keepdims=keepdims), np.mean(dx, axis=axis, keepdims=keepdims)


@rrule(np.ndarray.mean, complete=True)
@rrule(np.mean, complete=True)
def mean_rrule(x: Array, *, axis=None, keepdims=False):
    """y = Σ x / n        x̄ = ȳ / n along the reduced axes"""
    shape, project_x = np.shape(x), project_to(x)
    n = count(shape, axis)

    def mean_pullback(y_bar):
        if absorbs(y_bar):
            return (answer_to(y_bar),)
        return (project_x(stretch(ready(y_bar) / n, shape, axis)),)

    return np.mean(x, axis=axis, keepdims=keepdims), mean_pullback


@frule(np.ndarray.prod)
@frule(np.prod)
def prod_frule(tangents, x: Array, *, axis=None, keepdims=False):
    """y = Π xᵢ        ẏ = Σᵢ ẋᵢ Πⱼ≠ᵢ xⱼ"""
    (dx,) = tangents
    y = np.prod(x, axis=axis, keepdims=keepdims)
    return y, np.sum(dx * others_product(x, axis), axis=axis, keepdims=keepdims)


@rrule(np.ndarray.prod)
@rrule(np.prod)
def prod_rrule(x: Array, *, axis=None, keepdims=False):
    """y = Π xᵢ        x̄ᵢ = ȳ conj(Πⱼ≠ᵢ xⱼ)        one zero has a finite cotangent, two have none"""
    shape = np.shape(x)

    def prod_pullback(y_bar):
        return stretch(y_bar, shape, axis) * np.conj(others_product(x, axis))

    return np.prod(x, axis=axis, keepdims=keepdims), prod_pullback


def others_product(x: Any, axis: Any) -> Any:
    """For each entry the product of the others along the axes, exact where some are zero.

    Example: >>> others_product(np.array([0.0, 2.0, 3.0]), None)
             array([6., 0., 0.])
    """
    shape = np.shape(x)
    y = np.prod(x, axis=axis, keepdims=True)
    if is_regular(y):
        return y / x
    rows, back, row_shape, line_shape = lines(shape, axis)
    line = np.reshape(np.transpose(x, rows), line_shape)
    one = np.ones_like(line[..., :1])
    before = np.cumprod(np.concatenate((one, line[..., :-1]), axis=-1), axis=-1)
    after = np.cumprod(np.concatenate((one, np.flip(line[..., 1:], -1)), axis=-1), axis=-1)
    return np.transpose(np.reshape(before * np.flip(after, -1), row_shape), back)


def is_regular(y: Any) -> bool:
    """Whether a product may be divided by its factors: no zero, no overflow, no loss by underflow."""
    size = np.abs(y)
    return bool(np.all((size >= np.finfo(np.result_type(y, np.float32)).tiny) & np.isfinite(size)))


def lines(shape: tuple[int, ...], axis: Any) -> tuple[tuple[int, ...], ...]:
    """How to lay the reduced axes out as one last axis: permutation, its inverse, shapes before and after."""
    reduced = axes_of(axis, len(shape))
    rows = (*(i for i in range(len(shape)) if i not in reduced), *reduced)
    row_shape = tuple(shape[i] for i in rows)
    line_shape = (*row_shape[: len(shape) - len(reduced)], count(shape, axis))
    return rows, inverse_of(rows, len(shape)), row_shape, line_shape


def shares(x: Any, y: Any, axis: Any) -> Any:
    """The part of each entry in an extremum y of x along the axes: equal parts for those that tie.

    Example: >>> shares(np.array([1.0, 3.0, 3.0]), 3.0, None)
             array([0. , 0.5, 0.5])
    """
    extreme = (x == np.reshape(y, kept(np.shape(x), axis))) | np.isnan(x)
    parts = extreme / np.sum(extreme, axis=axes_of(axis, np.ndim(x)), keepdims=True)
    return parts.astype(x.dtype, copy=False) if isinstance(x, np.ndarray) and x.dtype.kind == "f" else parts


non_differentiable(is_regular, lines, why="computes with shapes and flags")
non_differentiable(shares, why="is piecewise constant")


@frule(np.ndarray.max)
@frule(np.amax)
@frule(np.max)
def max_frule(tangents, x: Array, *, axis=None, keepdims=False):
    """y = max x        ẏ = Σ w ẋ        w: equal shares of the entries that tie"""
    (dx,) = tangents
    y = np.max(x, axis=axis, keepdims=keepdims)
    return y, np.sum(shares(x, y, axis) * dx, axis=axis, keepdims=keepdims)


@rrule(np.ndarray.max)
@rrule(np.amax)
@rrule(np.max)
def max_rrule(x: Array, *, axis=None, keepdims=False):
    """y = max x        x̄ = w ȳ        w: equal shares of the entries that tie"""
    y = np.max(x, axis=axis, keepdims=keepdims)

    def max_pullback(y_bar):
        return shares(x, y, axis) * stretch(y_bar, np.shape(x), axis)

    return y, max_pullback


@frule(np.ndarray.min)
@frule(np.amin)
@frule(np.min)
def min_frule(tangents, x: Array, *, axis=None, keepdims=False):
    """y = min x        ẏ = Σ w ẋ        w: equal shares of the entries that tie"""
    (dx,) = tangents
    y = np.min(x, axis=axis, keepdims=keepdims)
    return y, np.sum(shares(x, y, axis) * dx, axis=axis, keepdims=keepdims)


@rrule(np.ndarray.min)
@rrule(np.amin)
@rrule(np.min)
def min_rrule(x: Array, *, axis=None, keepdims=False):
    """y = min x        x̄ = w ȳ        w: equal shares of the entries that tie"""
    y = np.min(x, axis=axis, keepdims=keepdims)

    def min_pullback(y_bar):
        return shares(x, y, axis) * stretch(y_bar, np.shape(x), axis)

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
        return w * stretch(y_bar, np.shape(w), axis)

    return np.ptp(x, axis=axis, keepdims=keepdims), ptp_pullback
