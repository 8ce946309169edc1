"""Running sums and products: cumsum, cumprod, cumulative_sum, cumulative_prod.

Products are exact at zeros: where an entry is zero a recursion along the axis takes the place of
divisions, so that derivatives of every order stay right. `axis=None` runs over the flattened array.
What `dtype=` makes whole numbers of has derivative zero.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core import Array, frule, rrule
from ...tangents import ZERO
from ..quiet import as_floats
from ..written import own, written_out
from .axes import axis_of, ends
from .reductions import is_regular


@frule(np.ndarray.cumsum)
@frule(np.cumsum)
def cumsum_frule(tangents, x: Array, *, axis=None, dtype=None):
    """yᵢ = Σⱼ≤ᵢ xⱼ        ẏᵢ = Σⱼ≤ᵢ ẋⱼ"""
    (dx,) = tangents
    y = np.cumsum(x, axis=axis, dtype=dtype)
    return y, ZERO if ends(x, dtype) else np.cumsum(dx, axis=axis)


@rrule(np.ndarray.cumsum)
@rrule(np.cumsum)
def cumsum_rrule(x: Array, *, axis=None, dtype=None):
    """yᵢ = Σⱼ≤ᵢ xⱼ        x̄ⱼ = Σᵢ≥ⱼ ȳᵢ"""
    shape, ended = np.shape(x), ends(x, dtype)
    along = 0 if axis is None else axis

    def cumsum_pullback(y_bar):
        if ended:
            return ZERO
        return np.reshape(sum_from_end(y_bar, along), shape)

    return np.cumsum(x, axis=axis, dtype=dtype), cumsum_pullback


@frule(np.ndarray.cumprod)
@frule(np.cumprod)
def cumprod_frule(tangents, x: Array, *, axis=None, dtype=None):
    """yᵢ = yᵢ₋₁ xᵢ        ẏᵢ = ẏᵢ₋₁ xᵢ + yᵢ₋₁ ẋᵢ"""
    (dx,) = tangents
    y = np.cumprod(x, axis=axis, dtype=dtype)
    if ends(x, dtype):
        return y, ZERO
    x = as_floats(x)
    if axis is None:
        x, dx, axis = np.reshape(x, -1), np.reshape(dx, -1), 0
    if is_regular(x, y):
        return y, y * np.cumsum(dx / x, axis=axis)
    x_rows: Any = np.moveaxis(np.reshape(x, np.shape(y)), axis, 0)
    y_rows, dx_rows = np.moveaxis(y, axis, 0), np.moveaxis(np.reshape(dx, np.shape(y)), axis, 0)
    dy_i = dx_rows[0]
    dy = [dy_i]
    for i in range(1, len(x_rows)):
        dy_i = dy_i * x_rows[i] + y_rows[i - 1] * dx_rows[i]
        dy.append(dy_i)
    return y, np.stack(dy, axis=axis)


@rrule(np.ndarray.cumprod)
@rrule(np.cumprod)
def cumprod_rrule(x: Array, *, axis=None, dtype=None):
    """yᵢ = yᵢ₋₁ xᵢ        aᵢ = ȳᵢ + aᵢ₊₁ conj(xᵢ₊₁)        x̄ᵢ = aᵢ conj(yᵢ₋₁)"""
    y = np.cumprod(x, axis=axis, dtype=dtype)
    shape, ended = np.shape(x), ends(x, dtype)
    along = 0 if axis is None else axis

    def cumprod_pullback(y_bar):
        if ended:
            return ZERO
        line = np.conj(np.reshape(as_floats(x), np.shape(y)))
        if is_regular(line, y):
            return np.reshape(sum_from_end(y_bar * np.conj(y), along) / line, shape)
        x_rows, y_rows = np.moveaxis(line, along, 0), np.moveaxis(np.conj(y), along, 0)
        seed_rows = np.moveaxis(y_bar, along, 0)
        n = len(x_rows)
        a = seed_rows[n - 1]
        x_bar: Any = ()
        for i in range(n - 1, 0, -1):
            x_bar = (a * y_rows[i - 1], *x_bar)
            a = seed_rows[i - 1] + a * x_rows[i]
        return np.reshape(np.stack((a, *x_bar), axis=along), shape)

    return y, cumprod_pullback


def sum_from_end(y_bar: Any, axis: int) -> Any:
    """Running sums from the last entry to the first."""
    return np.flip(np.cumsum(np.flip(y_bar, axis), axis=axis), axis)


def from_first(f: Any, whole: Any, first: float, x: Any, axis: Any, dtype: Any, include_initial: bool) -> Any:
    """A running sum or product, after what it begins with if that is asked for."""
    if axis is None and np.ndim(x) > 1:
        return own(whole, x)  # which is refused
    x = np.atleast_1d(x)
    y = f(x, axis=axis, dtype=dtype)
    if not include_initial:
        return y
    along = 0 if axis is None else axis_of(axis, np.ndim(x))
    layer = (*np.shape(y)[:along], 1, *np.shape(y)[along + 1 :])
    return np.concatenate((np.full(layer, first, y.dtype), y), axis=along)


@written_out(np.cumulative_sum)
def cumulative_sum(x: Array, *, axis=None, dtype=None, include_initial=False):
    """yᵢ = Σⱼ≤ᵢ xⱼ"""
    return from_first(np.cumsum, np.cumulative_sum, 0.0, x, axis, dtype, include_initial)


@written_out(np.cumulative_prod)
def cumulative_prod(x: Array, *, axis=None, dtype=None, include_initial=False):
    """yᵢ = Πⱼ≤ᵢ xⱼ"""
    return from_first(np.cumprod, np.cumulative_prod, 1.0, x, axis, dtype, include_initial)
