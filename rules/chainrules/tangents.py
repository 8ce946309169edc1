"""Rules of what pullbacks and generated programs call: sums, projections, and the making of tangents.

All are linear in the tangents they are given. Where a first derivative writes in place or waits, a
derivative of it does neither: `accumulate` and `gather` add, a `Thunk` is evaluated at once. These
rules keep the contract themselves, since their arguments are tangents of any kind.
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from ...core import frule, non_differentiable, rrule, unbroadcast
from ...core.broadcasting import fit
from ...core.calls import forward_of
from ...core.engine import call
from ...core.seeds import absorbs, answer_to, light, ready
from ...tangents import (
    NO_TANGENT,
    ZERO,
    Composite,
    IndexedTangent,
    InplaceableThunk,
    ItemTangent,
    Thunk,
    accumulate,
    add,
    behind,
    fields_of,
    from_fields,
    is_zero,
    materialize,
    primal_type,
    project_to,
    unthunk,
)
from ...tangents.buffers import gather
from ...tangents.projection import _as_it_is, _Lenient, _Project, _to_float, _to_nothing

non_differentiable(absorbs, answer_to, is_zero, project_to, why="decides by types")
non_differentiable(_to_nothing, why="gives no tangent")


@frule(gather, complete=True)
@frule(accumulate, complete=True)
@frule(add, complete=True)
def add_frule(tangents, a, b):
    """y = a + b        ẏ = ȧ + ḃ"""
    return add(a, b), add(tangents[0], tangents[1])


@rrule(gather, complete=True)
@rrule(accumulate, complete=True)
@rrule(add, complete=True)
def add_rrule(a, b):
    """y = a + b        ā = ȳ        b̄ = ȳ"""

    def add_pullback(y_bar):
        return y_bar, y_bar

    return add(a, b), add_pullback


@frule(_as_it_is, complete=True)
@frule(light, complete=True)
@frule(ready, complete=True)
@frule(unthunk, complete=True)
def unthunk_frule(tangents, t):
    """y = t, made plain        ẏ = ṫ"""
    return ready(t), tangents[0]


@rrule(_as_it_is, complete=True)
@rrule(light, complete=True)
@rrule(ready, complete=True)
@rrule(unthunk, complete=True)
def unthunk_rrule(t):
    """y = t, made plain        t̄ = ȳ"""

    def unthunk_pullback(y_bar):
        return (y_bar,)

    return ready(t), unthunk_pullback


@frule(materialize, complete=True)
def materialize_frule(tangents, t, like, *, missing=False):
    """y = t with its zeros filled in        ẏ = ṫ"""
    return materialize(t, like, missing=missing), tangents[0]


@rrule(materialize, complete=True)
def materialize_rrule(t, like, *, missing=False):
    """y = t with its zeros filled in        t̄ = ȳ"""

    def materialize_pullback(y_bar):
        return y_bar, ZERO

    return materialize(t, like, missing=missing), materialize_pullback


@frule(unbroadcast)
def unbroadcast_frule(tangents, x_bar, shape):
    """linear in x̄"""
    return unbroadcast(x_bar, shape), unbroadcast(tangents[0], shape)


@rrule(unbroadcast)
def unbroadcast_rrule(x_bar, shape):
    """linear in x̄        its adjoint broadcasts"""
    before = np.shape(x_bar)

    def unbroadcast_pullback(y_bar):
        return np.broadcast_to(y_bar, before), NO_TANGENT

    return unbroadcast(x_bar, shape), unbroadcast_pullback


@frule(fit)
def fit_frule(tangents, x_bar, x):
    """linear in x̄"""
    dx_bar = tangents[0]
    return fit(x_bar, x), answer_to(dx_bar) if absorbs(dx_bar) else fit(dx_bar, x)


@rrule(fit)
def fit_rrule(x_bar, x):
    """linear in x̄        its adjoint broadcasts"""
    before = np.shape(x_bar)

    def fit_pullback(y_bar):
        return np.broadcast_to(y_bar, before), ZERO

    return fit(x_bar, x), fit_pullback


NUMBERS = np.ndarray | np.generic | float | complex | Fraction | Decimal


def projected_back(y_bar: Any, t: Any) -> Any:
    """The adjoint of a projection of t: ȳ in the space of t, where that is one of numbers."""
    if absorbs(y_bar) or not isinstance(t, NUMBERS):
        return y_bar
    return project_to(t)(ready(y_bar))


@frule(_to_float, complete=True)
def to_float_frule(tangents, t):
    """y = t as a float        ẏ = ṫ as a float"""
    return _to_float(unthunk(t)), _to_float(tangents[0])


@rrule(_to_float, complete=True)
def to_float_rrule(t):
    """y = t as a float        t̄ = ȳ in the space of t"""
    t = ready(t)

    def to_float_pullback(y_bar):
        return (projected_back(y_bar, t),)

    return _to_float(t), to_float_pullback


@frule(_Project.__call__, complete=True)
@frule(_Lenient.__call__, complete=True)
def project_frule(tangents, projector: _Lenient, t):
    """y = t projected        ẏ = ṫ projected"""
    return projector(unthunk(t)), projector(unthunk(tangents[1]))


@rrule(_Project.__call__, complete=True)
@rrule(_Lenient.__call__, complete=True)
def project_rrule(projector: _Lenient, t):
    """y = t projected        t̄ = ȳ in the space of t"""
    t = unthunk(t)

    def project_pullback(y_bar):
        return NO_TANGENT, projected_back(y_bar, t)

    return projector(t), project_pullback


@frule(behind, complete=True)
@frule(IndexedTangent, complete=True)
def indexed_frule(tangents, shape, dtype, index, values):
    """y = values at an index        ẏ likewise"""
    moved = tangents[3]
    y = IndexedTangent(shape, dtype, index, values)
    return y, moved if absorbs(moved) else IndexedTangent(shape, dtype, index, ready(moved))


@rrule(behind, complete=True)
@rrule(IndexedTangent, complete=True)
def indexed_rrule(shape, dtype, index, values):
    """y = values at an index        the values' cotangent is ȳ[index]"""

    def indexed_pullback(y_bar):
        values_bar = y_bar if absorbs(y_bar) else ready(y_bar)[index]
        return NO_TANGENT, NO_TANGENT, NO_TANGENT, values_bar

    return IndexedTangent(shape, dtype, index, values), indexed_pullback


@frule(ItemTangent, complete=True)
def item_frule(tangents, P, length, index, value):
    """y = a value at one place of a sequence        ẏ likewise"""
    moved = tangents[3]
    y = ItemTangent(P, length, index, value)
    return y, moved if absorbs(moved) else ItemTangent(P, length, index, moved)


@rrule(ItemTangent, complete=True)
def item_rrule(P, length, index, value):
    """y = a value at one place of a sequence        the value's cotangent is ȳ there"""

    def item_pullback(y_bar):
        value_bar = y_bar if absorbs(y_bar) else ready(y_bar)[index]
        return NO_TANGENT, NO_TANGENT, NO_TANGENT, value_bar

    return ItemTangent(P, length, index, value), item_pullback


@frule(from_fields, complete=True)
def from_fields_frule(tangents, P: type, fields):
    """y = the composite of these        ẏ = that of their tangents"""
    moved = tangents[1]
    return from_fields(P, fields), moved if absorbs(moved) else from_fields(P, inside(ready(moved), fields))


@rrule(from_fields, complete=True)
def from_fields_rrule(P: type, fields):
    """y = the composite of these        their cotangents are the fields of ȳ"""

    def from_fields_pullback(y_bar):
        if absorbs(y_bar):
            return NO_TANGENT, y_bar
        return NO_TANGENT, from_fields(type(fields), inside(ready(y_bar), fields))

    return from_fields(P, fields), from_fields_pullback


@frule(fields_of, complete=True)
def fields_of_frule(tangents, t: object):
    """y = the parts of a composite        ẏ has those of its tangent"""
    (moved,), parts = tangents, fields_of(t)
    return parts, moved if absorbs(moved) else from_fields(type(parts), inside(ready(moved), parts))


@rrule(fields_of, complete=True)
def fields_of_rrule(t: object):
    """y = the parts of a composite        t̄ is the composite of their cotangents"""
    P, parts = primal_type(t), fields_of(t)

    def fields_of_pullback(y_bar):
        return (y_bar if absorbs(y_bar) else from_fields(P, inside(ready(y_bar), parts)),)

    return parts, fields_of_pullback


def inside(t: Any, like: Any) -> Any:
    """The entries of a composite, by position or by name as they are in `like`."""
    return dict(fields_of(t)) if isinstance(like, dict) else tuple(t)


def _made_of_values(P: type) -> None:
    """The rules of `Composite[P](*values)` for a sequence type P."""

    @frule(Composite[P], complete=True)
    def composite_frule(tangents, *values):
        return Composite[P](*values), Composite[P](*tangents)

    @rrule(Composite[P], complete=True)
    def composite_rrule(*values):
        n = len(values)

        def composite_pullback(y_bar):
            return (y_bar,) * n if absorbs(y_bar) else tuple(ready(y_bar))

        return Composite[P](*values), composite_pullback


_made_of_values(tuple)
_made_of_values(list)


@frule(Composite[dict], complete=True)
def composite_of_entries_frule(tangents, entries):
    """y = the composite of these entries        ẏ = that of their tangents"""
    return from_fields_frule((NO_TANGENT, *tangents), dict, entries)


@rrule(Composite[dict], complete=True)
def composite_of_entries_rrule(entries):
    """y = the composite of these entries        their cotangents are the entries of ȳ"""
    y, from_fields_pullback = from_fields_rrule(dict, entries)

    def composite_pullback(y_bar):
        return from_fields_pullback(y_bar)[1:]

    return y, composite_pullback


@frule(Thunk)
def thunk_frule(tangents, fn, *, engine):
    """y = fn()        evaluated at once"""
    return forward_of(call, (fn,), tangents, {}, engine)


@rrule(Thunk)
def thunk_rrule(fn, *, engine):
    """y = fn()        evaluated at once; the cotangent is that of what fn captured"""
    return engine.value_and_pullback(call, fn)


@frule(InplaceableThunk, complete=True)
def inplaceable_frule(tangents, add_into, thunk):
    """y = the value of the thunk        ẏ = ṫ"""
    return ready(thunk), tangents[1]


@rrule(InplaceableThunk, complete=True)
def inplaceable_rrule(add_into, thunk):
    """y = the value of the thunk        t̄ = ȳ; how it adds itself is another way to the same value"""

    def inplaceable_pullback(y_bar):
        return NO_TANGENT, y_bar

    return ready(thunk), inplaceable_pullback
