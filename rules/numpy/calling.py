"""Functions that call a function: apply_along_axis, apply_over_axes, piecewise, fromfunction.

Each is written out over the lines, axes or pieces it goes through, and differentiated by whoever calls the
rule, so that what the function captured has its cotangent too. `vectorize`: see `vectorizing`. Absent:
`frompyfunc`, whose ufunc hides its function.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...core import Array, non_differentiable
from ..written import written_out
from .axes import axis_of


@written_out(np.apply_along_axis)
def apply_along_axis(func1d: object, arr: Array, *args: object, axis, **kwargs):
    """y = f of each line along the axis, in its place"""
    along = axis_of(axis, np.ndim(arr))
    rest = (*np.shape(arr)[:along], *np.shape(arr)[along + 1 :])
    lines = np.reshape(np.moveaxis(arr, along, -1), (math.prod(rest), np.shape(arr)[along]))  # type: ignore[type-var]  # an array or a scalar
    made = tuple([func1d(lines[i], *args, **kwargs) for i in range(len(lines))])  # type: ignore[operator]  # a callable has any type
    y = np.stack(made)
    last = y.shape[1:]
    y = np.reshape(y, (*rest, *last))
    return np.moveaxis(y, range(len(rest), y.ndim), range(along, along + len(last)))


@written_out(np.apply_over_axes)
def apply_over_axes(func: object, a: Array, *, axes):
    """y = f along one axis after the other, which stay as axes of length one"""
    y: Any = np.asarray(a)
    for axis in np.atleast_1d(axes).tolist():
        along = axis + np.ndim(a) if axis < 0 else axis  # which for a number is an axis of nothing
        made: Any = func(y, along)  # type: ignore[operator]  # a callable has any type
        y = made if made.ndim == y.ndim else np.expand_dims(made, along)
    return y


def masks_of(x: Any, condlist: Any, count: int) -> Any:
    """A mask for each of the functions; for one function more than conditions, where none holds."""
    first = condlist if np.isscalar(condlist) else condlist[0]
    alone = np.isscalar(condlist) or (not isinstance(first, list | np.ndarray) and np.ndim(x) != 0)
    masks = np.asarray([condlist] if alone else condlist, bool)
    if len(masks) == count - 1:
        masks = np.concatenate([masks, ~np.any(masks, axis=0, keepdims=True)])
    if len(masks) != count:
        raise ValueError(
            f"with {len(masks)} conditions there are {len(masks)} or one more functions, not {count}"
        )
    return masks


def places_in(mask: Any) -> Any:
    """For each entry that a mask holds, the number of it among them."""
    return np.maximum(np.reshape(np.cumsum(mask), np.shape(mask)) - 1, 0)


non_differentiable(masks_of, places_in, why="computes with masks alone")


@written_out(np.piecewise)
def piecewise(x: Array, funclist: list | tuple, *args: object, condlist, **kw):
    """y = fᵢ(x) where the last condition that holds is the i-th, 0 where none does"""
    whole = np.asarray(x)
    masks = masks_of(x, condlist, len(funclist))
    y = np.zeros_like(whole)
    for i in range(len(funclist)):
        f, mask = funclist[i], masks[i]
        if np.any(mask):
            count = int(np.count_nonzero(mask))
            if callable(f):
                made = np.broadcast_to(f(whole[mask], *args, **kw), count)
            else:
                made = np.broadcast_to(f, count)
            y = np.where(mask, made[places_in(mask)], y)
    return y.astype(whole.dtype)


@written_out(np.fromfunction)  # lint: catch-all, a callable has any type
def fromfunction(function: object, *, shape, dtype=float, **kwargs):
    """y = f of the arrays of indices"""
    return function(*np.indices(shape, dtype=dtype), **kwargs)  # type: ignore[operator]  # a callable has any type
