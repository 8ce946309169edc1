"""The methods of ufuncs: reduce, accumulate, outer, reduceat and at.

Those of add, multiply, maximum and minimum are NumPy's own reductions and running sums, and share their
conventions at ties and zeros. Every other ufunc is written out along the axis, and differentiated by
whoever calls the rule. `np.add.at` writes into its first argument; of other ufuncs `at` has no rule.
Absent: `out=`, and `where=` where the reduction is written out.
"""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import scipy

from ...core import (
    Array,
    NotDifferentiableError,
    UnsupportedArgument,
    frule,
    non_differentiable,
    rrule,
    unbroadcast,
)
from ...core.seeds import ready
from ...tangents import NO_TANGENT, ZERO, IndexedTangent, materialize, project_to
from ..written import as_found, own, written_out
from .axes import axis_of

REDUCTIONS: dict[Any, Any] = {
    np.add: np.sum,
    np.multiply: np.prod,
    np.maximum: np.max,
    np.minimum: np.min,
}


def options(f: np.ufunc, dtype: Any, initial: Any, where: Any) -> dict[str, Any]:
    """The arguments that the reduction of a ufunc takes and that are not left out."""
    given = {"dtype": dtype, "initial": initial, "where": None if where is True else where}
    options = {name: value for name, value in given.items() if value is not None}
    if f not in REDUCTIONS:
        for name, value in options.items():
            raise UnsupportedArgument(f"{f.__name__}.reduce", name, value, next="write the loop")
    return options


def reduction_of(f: np.ufunc) -> Any:
    """NumPy's own reduction by a ufunc; None where it has none."""
    return REDUCTIONS.get(f)


def axes_in_turn(f: np.ufunc, axis: Any, ndim: int) -> tuple[int, ...]:
    """The axes of a reduction, the last first, so that the others keep their numbers."""
    f.reduce(np.ones((1,) * ndim), axis=axis)  # which refuses several axes where their order matters
    axes = tuple(range(ndim)) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    return tuple(sorted((axis_of(a, ndim) for a in axes), reverse=True))


def refuse_misfolded(f: np.ufunc, y: Any, found: Any) -> None:
    """Refuse where NumPy's own is no fold, as `power.reduce` along entries side by side in some versions."""
    if not np.allclose(y, found, rtol=1e-3, atol=1e-3, equal_nan=True):
        raise NotDifferentiableError(
            f"NumPy's {f.__name__} of these entries in turn is not what its reduction gives",
            closest="the reduction of a copy whose entries do not stand side by side",
            next="write the loop",
        )


def own_reduction(f: np.ufunc, array: Any, axis: Any, keepdims: bool) -> Any:
    """What NumPy's own reduction gives."""
    return f.reduce(array, axis=axis, keepdims=keepdims)


def tops(array: Any, axis: Any) -> Any:
    """The greatest entries along axes, which they keep; None where an entry is not finite."""
    return np.max(array, axis=axis, keepdims=True) if np.all(np.isfinite(array)) else None


def stretches(array: Any, indices: Any, axis: int) -> tuple[Any, Any]:
    """The places of all entries of `reduceat`'s stretches, and of which stretch each is."""
    bounds = bounds_of(indices, np.shape(array)[axis])
    places = [np.arange(first, end) for first, end in bounds]
    owners = np.repeat(np.arange(len(bounds)), [len(p) for p in places])
    return np.concatenate([np.empty(0, int), *places]), owners


def bounds_of(indices: Any, n: int) -> tuple[tuple[int, int], ...]:
    """The stretch of places that each of `reduceat`'s indices stands for."""
    starts = [int(i) for i in indices]
    ends = [*starts[1:], n]
    return tuple((i, j if i < j else i + 1) for i, j in zip(starts, ends, strict=True))


def places_reached(f: np.ufunc, rows: Any) -> Any:
    """Where each entry of a running maximum or minimum stands; None where two are equal, or f is another."""
    if (f is not np.maximum and f is not np.minimum) or len(rows) == 0:
        return None
    y = f.accumulate(rows, axis=0)
    if not np.all(y == y) or np.any(rows[1:] == y[:-1]):
        return None
    new = np.concatenate((np.ones_like(y[:1], bool), y[1:] != y[:-1]))
    count = np.arange(len(rows)).reshape(-1, *(1,) * (np.ndim(rows) - 1))
    return np.maximum.accumulate(np.where(new, count, 0), axis=0)


non_differentiable(
    *(reduction_of, axes_in_turn, own_reduction, tops, stretches),
    *(bounds_of, refuse_misfolded, places_reached),
    why="computes with shapes and places alone",
)


def sums_at(array: Any, indices: Any, axis: int) -> Any:
    """The sums of stretches of an array."""
    return np.add.reduceat(array, indices, axis)


@frule(sums_at)
def sums_at_frule(tangents, array: Array, *, indices, axis):
    """yₖ = Σ xᵢ of a stretch        ẏₖ = Σ ẋᵢ"""
    return sums_at(array, indices, axis), sums_at(materialize(tangents[0], like=array), indices, axis)


@rrule(sums_at)
def sums_at_rrule(array: Array, *, indices, axis):
    """yₖ = Σ xᵢ of a stretch        x̄ᵢ = Σ ȳₖ of those with i"""
    shape, at = np.shape(array), axis % np.ndim(array)
    places, owners = stretches(array, indices, axis)

    def sums_at_pullback(y_bar):
        rows = (shape[at], *shape[:at], *shape[at + 1 :])
        x_bar = IndexedTangent(rows, y_bar.dtype, places, np.moveaxis(y_bar, at, 0)[owners])
        return np.moveaxis(ready(x_bar), 0, at)

    return sums_at(array, indices, axis), sums_at_pullback


def folded(f: Any, rows: Any) -> Any:
    """f(… f(f(row₀, row₁), row₂) …)"""
    y = rows[0]
    for i in range(1, len(rows)):
        y = f(y, rows[i])
    return y


@written_out(np.ufunc.reduce)
def reduce(self: np.ufunc, array: Array, *, axis=0, dtype=None, keepdims=False, initial=None, where=True):
    """y = f(… f(f(x₀, x₁), x₂) …) along the axes"""
    reduction, plain = reduction_of(self), dtype is None and initial is None and where is True
    if reduction is not None and plain:
        return reduction(array, axis=axis, keepdims=keepdims)
    if self is np.logaddexp and plain and np.size(array):
        found = own_reduction(self, array, axis, keepdims)
        top = tops(array, axis)
        if top is None:
            return as_found(found, scipy.special.logsumexp(array, axis=axis, keepdims=keepdims))
        return as_found(found, np.log(np.sum(np.exp(array - top), axis=axis, keepdims=keepdims)))
    given = options(self, dtype, initial, where)
    if reduction is not None:
        return reduction(array, axis=axis, keepdims=keepdims, **given)
    y: Any = array
    for along in axes_in_turn(self, axis, np.ndim(array)):
        y = folded(self, np.moveaxis(y, along, 0))
        if keepdims:
            y = np.expand_dims(y, along)
    refuse_misfolded(self, y, own_reduction(self, array, axis, keepdims))
    return y


@written_out(np.ufunc.accumulate)
def accumulate(self: np.ufunc, array: Array, *, axis=0, dtype=None):
    """yᵢ = f(yᵢ₋₁, xᵢ) along the axis"""
    if self is np.add:
        return np.cumsum(array, axis=axis, dtype=dtype)
    if self is np.multiply:
        return np.cumprod(array, axis=axis, dtype=dtype)
    if dtype is not None:
        options(self, dtype, None, True)
    rows: Any = np.moveaxis(array, axis, 0)  # type: ignore[type-var]  # an array or a scalar
    reached = places_reached(self, rows)
    if reached is not None and np.ndim(rows) == 1:
        return rows[reached]
    if reached is not None:
        return np.moveaxis(np.take_along_axis(rows, reached, 0), 0, axis)
    made = [rows[0]]
    for i in range(1, len(rows)):
        made.append(self(made[i - 1], rows[i]))
    return np.stack(made, axis=axis)


@written_out(np.ufunc.reduceat)
def reduceat(self: np.ufunc, array: Array, *, indices, axis=0):
    """yₖ = f of the entries from one index to before the next; of a stretch that is none, its first"""
    if self is np.add:
        return sums_at(array, indices=indices, axis=axis)
    rows: Any = np.moveaxis(array, axis, 0)  # type: ignore[type-var]  # an array or a scalar
    made, reduction = [], reduction_of(self)
    for first, end in bounds_of(indices, len(rows)):
        part = rows[first:end]
        made.append(folded(self, part) if reduction is None else reduction(part, axis=0))
    y = np.stack(made, axis=axis)
    refuse_misfolded(self, y, own(self.reduceat, array, indices, axis))
    return y


@written_out(np.ufunc.outer)
def outer(self: np.ufunc, A: Array, B: Array):
    """y = f(aᵢ, bⱼ)"""
    return self(np.reshape(A, np.shape(A) + (1,) * np.ndim(B)), B)


def hold_add(f: np.ufunc) -> None:
    """Refuse `at` of what is not a sum: the values it passes through are not kept."""
    if f is not np.add and f is not np.subtract:
        raise UnsupportedArgument(
            "ufunc.at", "self", f, supported=[np.add, np.subtract], next="write the loop"
        )


@frule(np.ufunc.at, mutates=(1,))
def at_frule(tangents, self: np.ufunc, a: np.ndarray, b: Array, *, indices):
    """a[i] += b, once for each time that i is named        ȧ[i] += ḃ"""
    hold_add(self)
    _, da, db = tangents
    np.ufunc.at(self, a, indices, b)
    moved = np.zeros(a.shape, a.dtype if a.dtype.kind in "fc" else float)
    if da is not ZERO:
        moved = moved + da
    if db is not ZERO:
        np.ufunc.at(self, moved, indices, db)
    return None, NO_TANGENT, {1: project_to(a)(moved)}


@rrule(np.ufunc.at, mutates=(1,))
def at_rrule(self: np.ufunc, a: np.ndarray, b: Array, *, indices):
    """a[i] += b, once for each time that i is named        b̄ = ā[i]"""
    hold_add(self)
    shape, places, sign = np.shape(b), copy.deepcopy(indices), 1.0 if self is np.add else -1.0
    np.ufunc.at(self, a, indices, b)

    def at_pullback(y_bar, states):
        a_bar = states[1]
        if a_bar is ZERO:
            return NO_TANGENT, ZERO, ZERO
        return NO_TANGENT, a_bar, unbroadcast(sign * a_bar[places], shape)

    return None, at_pullback
