"""Spread of data: var and std, with `ddof` and along any axes.

A standard deviation of zero has derivative zero. Complex data have a real variance, the mean of
|x − μ|². A mean that is given (`mean=`) is a constant. What `where=` leaves out has derivative zero.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core import Array, frule, non_differentiable, rrule
from ...tangents import ZERO
from ..quiet import divide, ratio
from .axes import beyond, count, ends, frame_of, stretch


def deviation(x: Any, axis: Any, mean: Any, where: Any) -> Any:
    """x − μ, with the mean along the axes; zero for what is left out."""
    if mean is None:
        mean = np.mean(x, axis=axis, keepdims=True, **beyond(where=where))
    return x - mean if where is True else np.where(where, x - mean, 0.0)


def degrees(x: Any, axis: Any, ddof: Any, correction: Any, where: Any) -> Any:
    """n − ddof; `correction` is another name of `ddof`."""
    return np.maximum(count(np.shape(x), axis, where) - (ddof if correction is None else correction), 0)


non_differentiable(degrees, why="counts entries")


@frule(np.ndarray.var)
@frule(np.var)
def var_frule(
    tangents,
    x: Array,
    *,
    axis=None,
    dtype=None,
    ddof=0,
    keepdims=False,
    where=True,
    mean=None,
    correction=None,
):
    """y = Σ |x − μ|² / (n − ddof)        ẏ = 2 Σ Re(conj(x − μ) ẋ) / (n − ddof)"""
    y, _ = var_rrule(
        x,
        axis=axis,
        dtype=dtype,
        ddof=ddof,
        keepdims=keepdims,
        where=where,
        mean=mean,
        correction=correction,
    )
    if ends(x, dtype):
        return y, ZERO
    moved = np.real(np.conj(deviation(x, axis, mean, where)) * tangents[0])
    n = degrees(x, axis, ddof, correction, where)
    return y, np.reshape(divide(2 * np.sum(moved, axis=axis, keepdims=True), n), np.shape(y))


@rrule(np.ndarray.var)
@rrule(np.var)
def var_rrule(
    x: Array,
    *,
    axis=None,
    dtype=None,
    ddof=0,
    keepdims=False,
    where=True,
    mean=None,
    correction=None,
):
    """y = Σ |x − μ|² / (n − ddof)        x̄ = 2 ȳ (x − μ) / (n − ddof)"""
    ddof = ddof if correction is None else correction
    y = np.var(x, axis=axis, ddof=ddof, keepdims=keepdims, **beyond(dtype=dtype, where=where, mean=mean))
    n, frame, ended = degrees(x, axis, ddof, None, where), frame_of(x), ends(x, dtype)

    def var_pullback(y_bar):
        if ended:
            return ZERO
        return divide(2 * stretch(y_bar, frame, axis), n) * deviation(x, axis, mean, where)

    return y, var_pullback


@frule(np.ndarray.std)
@frule(np.std)
def std_frule(
    tangents,
    x: Array,
    *,
    axis=None,
    dtype=None,
    ddof=0,
    keepdims=False,
    where=True,
    mean=None,
    correction=None,
):
    """y = √var        ẏ = Σ Re(conj(x − μ) ẋ) / (n − ddof) / y        0 where y = 0"""
    y, _ = std_rrule(
        x,
        axis=axis,
        dtype=dtype,
        ddof=ddof,
        keepdims=keepdims,
        where=where,
        mean=mean,
        correction=correction,
    )
    if ends(x, dtype):
        return y, ZERO
    moved = np.real(np.conj(deviation(x, axis, mean, where)) * tangents[0])
    n = degrees(x, axis, ddof, correction, where)
    return y, ratio(np.reshape(divide(np.sum(moved, axis=axis, keepdims=True), n), np.shape(y)), y)


@rrule(np.ndarray.std)
@rrule(np.std)
def std_rrule(
    x: Array,
    *,
    axis=None,
    dtype=None,
    ddof=0,
    keepdims=False,
    where=True,
    mean=None,
    correction=None,
):
    """y = √var        x̄ = ȳ (x − μ) / (n − ddof) / y        0 where y = 0"""
    ddof = ddof if correction is None else correction
    y = np.std(x, axis=axis, ddof=ddof, keepdims=keepdims, **beyond(dtype=dtype, where=where, mean=mean))
    n, frame, ended = degrees(x, axis, ddof, None, where), frame_of(x), ends(x, dtype)

    def std_pullback(y_bar):
        if ended:
            return ZERO
        return divide(stretch(ratio(y_bar, y), frame, axis), n) * deviation(x, axis, mean, where)

    return y, std_pullback
