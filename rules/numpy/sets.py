"""Arrays as sets: unique and its kin, union1d, intersect1d, setdiff1d, setxor1d, trim_zeros.

Each value of the result is an entry of an argument: of equal entries the first, of the first argument
before the second. It alone takes the cotangent, as if the others stayed where they are while it moves.
Counts, masks and indices in the result have no tangent. Where two entries are equal the number of values
jumps, and there is no derivative that an optimiser could use.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core import Array, frule, non_differentiable, rrule
from ...core.seeds import ready
from ...tangents import NO_TANGENT, IndexedTangent, from_fields
from ..written import own, written_out
from .axes import float_dtype
from .nesting import nest


def first_places(line: Any, y: Any) -> Any:
    """For each of the values y the first place at which it stands in a line; for a copy of it the next."""
    order, in_order = np.argsort(line, kind="stable"), np.argsort(y, kind="stable")
    copies = np.argsort(in_order) - np.searchsorted(y[in_order], y)
    return order[np.searchsorted(line[order], y) + copies] if y.size else np.empty(y.shape, np.intp)


def trimmed(filt: Any, trim: Any, axis: Any) -> Any:
    """The index of what `trim_zeros` leaves."""
    x, y = np.asarray(filt), np.asarray(np.trim_zeros(filt, trim, axis))
    inside, there = np.argwhere(y), np.argwhere(x)
    first = there[0] - inside[0] if len(inside) else (0,) * x.ndim
    return tuple(slice(int(i), int(i) + n) for i, n in zip(first, y.shape, strict=True))


non_differentiable(first_places, trimmed, why="returns indices")


@written_out(np.union1d)
def union1d(ar1: Array, ar2: Array):
    """y = the values of both, sorted"""
    line = np.concatenate((np.ravel(ar1), np.ravel(ar2)))
    return line[first_places(line, own(np.union1d, ar1, ar2))]


@written_out(np.intersect1d)
def intersect1d(ar1: Array, ar2: Array, *, assume_unique=False, return_indices=False):
    """y = the values that both have, sorted"""
    found = own(np.intersect1d, ar1, ar2, assume_unique=assume_unique, return_indices=return_indices)
    line = np.concatenate((np.ravel(ar1), np.ravel(ar2)))
    if return_indices:
        return line[first_places(line, found[0])], found[1], found[2]
    return line[first_places(line, found)]


@written_out(np.setdiff1d)
def setdiff1d(ar1: Array, ar2: Array, *, assume_unique=False):
    """y = the values of the first that the second has not; nothing of the second is in it"""
    line = np.ravel(ar1)
    return line[first_places(line, own(np.setdiff1d, ar1, ar2, assume_unique=assume_unique))]


@written_out(np.setxor1d)
def setxor1d(ar1: Array, ar2: Array, *, assume_unique=False):
    """y = the values that one of both has, sorted"""
    line = np.concatenate((np.ravel(ar1), np.ravel(ar2)))
    return line[first_places(line, own(np.setxor1d, ar1, ar2, assume_unique=assume_unique))]


@written_out(np.trim_zeros)
def trim_zeros(filt: Array, *, trim="fb", axis=None):
    """y = x without zeros at its ends        a zero that is cut off has derivative zero"""
    return np.asarray(np.asarray(filt)[trimmed(filt, trim, axis)])


@written_out(np.unique)
def unique(
    ar: Array,
    *,
    return_index=False,
    return_inverse=False,
    return_counts=False,
    axis=None,
    equal_nan=True,
    **options,
):
    """y = the values of x, or its slices along an axis, each once"""
    found = own(np.unique, ar, True, return_inverse, return_counts, axis=axis, equal_nan=equal_nan, **options)
    line = np.ravel(ar)
    values = line[first_places(line, found[0])] if axis is None else np.take(ar, found[1], axis)
    if not (return_index or return_inverse or return_counts):
        return values
    return (values, *found[1 if return_index else 2 :])


@written_out(np.unique_values)
def unique_values(x: Array):
    """y = the values of x, each once, every NaN by itself"""
    line = np.ravel(x)
    return line[first_places(line, own(np.unique_values, x))]


def _counted(f: Any) -> None:
    """The functions that return the values with counts or places beside them, in a named tuple."""

    @frule(f)
    def unique_named_frule(tangents, x: Array):
        """The values have the tangents of the entries that they are."""
        y, line = f(x), np.ravel(x)
        dvalues = np.ravel(tangents[0])[first_places(line, y.values)]
        return y, from_fields(type(y), (dvalues, *(NO_TANGENT,) * (len(y) - 1)))

    @rrule(f)
    def unique_named_rrule(x: Array):
        """The values' cotangents go to the entries that they are."""
        y, line = f(x), np.ravel(x)
        shape, size, dtype = np.shape(x), (np.size(x),), float_dtype(x)
        index, count = first_places(line, y.values), y.values.shape

        def unique_pullback(y_bar):
            return np.reshape(ready(IndexedTangent(size, dtype, index, nest(y_bar[0], count))), shape)

        return y, unique_pullback


for _f in (np.unique_all, np.unique_counts, np.unique_inverse):
    _counted(_f)
