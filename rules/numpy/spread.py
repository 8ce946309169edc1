"""Spread of data: var and std, with `ddof` and along any axes.

A standard deviation of zero has derivative zero. Complex data have a real variance, the mean of
|x − μ|². Absent: `mean=`, `correction=`, `where=`, `dtype=`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core import Array, frule, rrule
from ..quiet import ratio
from .axes import count, stretch


def deviation(x: Any, axis: Any) -> Any:
    """x − μ, with the mean along the axes."""
    return x - np.mean(x, axis=axis, keepdims=True)


@frule(np.ndarray.var)
@frule(np.var)
def var_frule(tangents, x: Array, *, axis=None, ddof=0, keepdims=False):
    """y = Σ |x − μ|² / (n − ddof)        ẏ = 2 Σ Re(conj(x − μ) ẋ) / (n − ddof)"""
    (dx,) = tangents
    y = np.var(x, axis=axis, ddof=ddof, keepdims=keepdims)
    n = max(count(np.shape(x), axis) - ddof, 0)
    return y, 2 * np.sum(np.real(np.conj(deviation(x, axis)) * dx), axis=axis, keepdims=keepdims) / n


@rrule(np.ndarray.var)
@rrule(np.var)
def var_rrule(x: Array, *, axis=None, ddof=0, keepdims=False):
    """y = Σ |x − μ|² / (n − ddof)        x̄ = 2 ȳ (x − μ) / (n − ddof)"""
    shape = np.shape(x)
    n = max(count(shape, axis) - ddof, 0)

    def var_pullback(y_bar):
        return stretch(2 * y_bar / n, shape, axis) * deviation(x, axis)

    return np.var(x, axis=axis, ddof=ddof, keepdims=keepdims), var_pullback


@frule(np.ndarray.std)
@frule(np.std)
def std_frule(tangents, x: Array, *, axis=None, ddof=0, keepdims=False):
    """y = √var        ẏ = Σ Re(conj(x − μ) ẋ) / (n − ddof) / y        0 where y = 0"""
    (dx,) = tangents
    y = np.std(x, axis=axis, ddof=ddof, keepdims=keepdims)
    n = max(count(np.shape(x), axis) - ddof, 0)
    moved = np.sum(np.real(np.conj(deviation(x, axis)) * dx), axis=axis, keepdims=keepdims) / n
    return y, ratio(moved, y)


@rrule(np.ndarray.std)
@rrule(np.std)
def std_rrule(x: Array, *, axis=None, ddof=0, keepdims=False):
    """y = √var        x̄ = ȳ (x − μ) / (n − ddof) / y        0 where y = 0"""
    shape = np.shape(x)
    n = max(count(shape, axis) - ddof, 0)
    y = np.std(x, axis=axis, ddof=ddof, keepdims=keepdims)

    def std_pullback(y_bar):
        return stretch(ratio(y_bar, y) / n, shape, axis) * deviation(x, axis)

    return y, std_pullback
