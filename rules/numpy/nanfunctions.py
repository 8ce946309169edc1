"""Reductions that leave NaNs out: nansum, nanprod, nanmean, nanvar, nanstd, nanmax, nanmin, nancumsum, …

Each is a reduction with what is left out, NaNs and entries that `where=` excludes, replaced by what changes
nothing; those have a zero cotangent, also where nothing else is left and the value is NaN. Maxima and minima
share ties, products are exact at zeros, a standard deviation of zero has derivative zero. Not here: medians
and quantiles (quantiles). A mean that is given is a constant.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core import Array, non_differentiable, scalar_rule
from ..quiet import ratio
from ..written import written_out
from .axes import beyond


def left_out(a: Any, where: Any) -> Any:
    """Which entries do not take part; None where all do."""
    out = np.isnan(a) | np.logical_not(where)
    return out if np.any(out) else None


def lasting(out: Any, a: Any, axis: Any, keepdims: bool) -> Any:
    """How many entries take part in each value."""
    there = (
        np.ones(np.shape(a), bool)
        if out is None
        else np.broadcast_to(~out, np.broadcast_shapes(out.shape, np.shape(a)))
    )
    return np.sum(there, axis=axis, keepdims=keepdims)


def type_of_mean(a: Any) -> Any:
    """The type of a mean of numbers like these."""
    return np.mean(np.ones(1, np.asarray(a).dtype)).dtype


def extreme(a: Any, sign: float) -> Any:
    """The greatest or least number of the type of a."""
    dtype = np.asarray(a).dtype
    if dtype.kind in "iu":
        return np.iinfo(dtype).max if sign > 0 else np.iinfo(dtype).min
    return complex(sign * np.inf, sign * np.inf) if dtype.kind == "c" else sign * np.inf


def or_nan(n: Any) -> Any:
    """Numbers of terms; NaN where there is none."""
    return np.where(n > 0, n, np.nan)[()]


def is_of(a: Any, dtype: Any) -> bool:
    """Whether numbers are of a type."""
    return bool(np.result_type(a) == dtype)


non_differentiable(left_out, lasting, type_of_mean, extreme, or_nan, is_of, why="is piecewise constant")


def filled(a: Any, out: Any, value: Any) -> Any:
    """a with a value in place of what is left out."""
    return a if out is None else np.where(out, value, a)


def cast(a: Any, dtype: Any) -> Any:
    """a in the type that a reduction is asked to run in."""
    return a if dtype is None else np.asarray(a).astype(dtype)


def divided(total: Any, n: Any, dtype: Any) -> Any:
    """A total by the number of its terms, in a type; NaN, without a warning, where there is none."""
    y = total / or_nan(n)
    return y if is_of(y, dtype) else y.astype(dtype)


def root(x: Any) -> Any:
    """√x, with derivative zero at zero."""
    return np.sqrt(x)


scalar_rule(root, lambda y, x: ratio(0.5, y))


@written_out(np.nansum)
def nansum(a: Array, *, axis=None, dtype=None, keepdims=False, initial=None, where=True):
    """y = Σ of the numbers"""
    options = beyond(dtype=dtype, initial=initial)
    return np.sum(filled(a, left_out(a, where), 0), axis=axis, keepdims=keepdims, **options)


@written_out(np.nanprod)
def nanprod(a: Array, *, axis=None, dtype=None, keepdims=False, initial=None, where=True):
    """y = Π of the numbers"""
    options = beyond(dtype=dtype, initial=initial)
    return np.prod(filled(a, left_out(a, where), 1), axis=axis, keepdims=keepdims, **options)


@written_out(np.nanmean)
def nanmean(a: Array, *, axis=None, dtype=None, keepdims=False, where=True):
    """y = the mean of the numbers"""
    out, x = left_out(a, where), cast(a, dtype)
    total = np.sum(filled(x, out, 0), axis=axis, keepdims=keepdims)
    return divided(total, lasting(out, x, axis, keepdims), type_of_mean(x))


def variance(a: Any, axis: Any, dtype: Any, less: Any, keepdims: bool, where: Any, mean: Any) -> Any:
    """The mean square of what the numbers are off their mean, or off the one that is given."""
    out, x = left_out(a, where), cast(a, dtype)
    if mean is None:
        mean = divided(
            np.sum(filled(x, out, 0), axis=axis, keepdims=True), lasting(out, x, axis, True), type_of_mean(x)
        )
    off = filled(x - mean, out, 0)
    square = np.real(np.conj(off) * off) if np.iscomplexobj(off) else off * off
    freedom, total = lasting(out, x, axis, keepdims) - less, np.sum(square, axis=axis, keepdims=keepdims)
    return divided(total, freedom, type_of_mean(square))


@written_out(np.nanvar)
def nanvar(
    a: Array, *, axis=None, dtype=None, ddof=0, keepdims=False, where=True, mean=None, correction=None
):
    """y = the variance of the numbers"""
    return variance(a, axis, dtype, ddof if correction is None else correction, keepdims, where, mean)


@written_out(np.nanstd)
def nanstd(
    a: Array, *, axis=None, dtype=None, ddof=0, keepdims=False, where=True, mean=None, correction=None
):
    """y = the standard deviation of the numbers"""
    return root(variance(a, axis, dtype, ddof if correction is None else correction, keepdims, where, mean))


@written_out(np.nanmax)
def nanmax(a: Array, *, axis=None, keepdims=False, initial=None, where=True):
    """y = the greatest of the numbers"""
    out = left_out(a, where)
    options = beyond(initial=initial)
    y = np.max(filled(a, out, extreme(a, -1.0)), axis=axis, keepdims=keepdims, **options)
    return y if out is None or options else np.where(np.all(out, axis=axis, keepdims=keepdims), np.nan, y)[()]


@written_out(np.nanmin)
def nanmin(a: Array, *, axis=None, keepdims=False, initial=None, where=True):
    """y = the least of the numbers"""
    out = left_out(a, where)
    options = beyond(initial=initial)
    y = np.min(filled(a, out, extreme(a, 1.0)), axis=axis, keepdims=keepdims, **options)
    return y if out is None or options else np.where(np.all(out, axis=axis, keepdims=keepdims), np.nan, y)[()]


@written_out(np.nancumsum)
def nancumsum(a: Array, *, axis=None, dtype=None):
    """yᵢ = Σ of the numbers up to i"""
    return np.cumsum(filled(a, left_out(a, True), 0), axis=axis, dtype=dtype)


@written_out(np.nancumprod)
def nancumprod(a: Array, *, axis=None, dtype=None):
    """yᵢ = Π of the numbers up to i"""
    return np.cumprod(filled(a, left_out(a, True), 1), axis=axis, dtype=dtype)
