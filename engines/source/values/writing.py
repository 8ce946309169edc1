"""Writing: what generated programs call where the user's function changes something in place.

A store is a function here: `x = put_item(x, key, v)` writes v into x itself and returns x, so that
Python's own meaning of the program stays, and its derivative is that of a new value in place of the
old one. In reverse, the cotangent of the slot goes to v, and what was there before gets nothing.
What was changed inside x is put back without writing, since x holds it already: `put_field_back` says so
of a field, and `put_back` in aliases.py of an item.

What a pullback keeps must not change afterwards. So a value that may be written later is given to a
rule as a `snapshot`, a copy whose cost is of the order of the work that the rule does with it.
Integer arrays round what is stored into them: its derivative is zero.
"""

from __future__ import annotations

import operator
from collections import deque
from typing import Any

import numpy as np

from ....core import AliasedMutationError, frule, non_differentiable, rrule, unbroadcast
from ....core.broadcasting import fit
from ....core.sequences import View
from ....tangents import NO_TANGENT, ZERO, from_fields, is_zero, materialize
from ....tangents.places import settled_index
from ....tangents.slots import Kind, join, kind_of, overwritten, restored, split, without
from ....tangents.sparse import is_sparse
from ..locking.noting import told
from ..locking.overlapping import folded, is_folded, refuse_overlap
from ..syntax.where import call_chain, show_chain
from .namespaces import refuse_namespace
from .protocols import descriptor, kind_of_member
from .structures import is_field, parts_of

IMMUTABLE = (int, float, complex, str, bytes, tuple, type(None), np.generic, np.dtype, range, frozenset)
"""What no store can change; a tuple's items may be."""
_PARTS = ("real", "imag")  # attributes of arrays into which every entry can be stored


def put_item(x: Any, key: Any, value: Any) -> Any:
    """x after `x[key] = value`."""
    if type(x) is np.ndarray:
        if type(value) is np.ndarray and np.may_share_memory(x, value):
            refuse_overlap(x[key], value)
        if is_folded(x):
            raise folded()
        told(x, key)
    operator.setitem(x, key, value)
    return x


def drop_item(x: Any, key: Any) -> Any:
    """x after `del x[key]`."""
    operator.delitem(x, key)
    return x


def refuse_numbers_of_sparse(x: Any, name: str) -> None:
    """Raise where what a sparse array stores is changed by its attribute: its tangent is a sparse array."""
    if is_sparse(x):
        raise AliasedMutationError(
            f"`{name}` of a {type(x).__name__} was changed in place, or shares memory with what was",
            where=show_chain(call_chain()),
            closest="x[i, j] = v and x.setdiag(v), which have rules",
            next=f"make a new {type(x).__name__} of the changed numbers",
        )


non_differentiable(refuse_numbers_of_sparse, why="checks an argument")


def put_attribute(x: Any, name: str, value: Any) -> Any:
    """x after `x.name = value`."""
    refuse_numbers_of_sparse(x, name)
    if isinstance(x, np.ndarray) and name not in _PARTS:
        raise AliasedMutationError(
            f"setting `.{name}` of an array changes it in a way that is not differentiated",
            where=show_chain(call_chain()),
            next="make a new array, as with np.reshape, or store into the array itself",
        )
    refuse_descriptor(x, name)
    refuse_namespace(x, f"`{name}` of")
    setattr(x, name, value)
    return x


def refuse_descriptor(x: Any, name: str) -> None:
    """Raise where the class of x has a descriptor by this name that would be asked to set it."""
    if isinstance(x, np.ndarray) or kind_of_member(type(x), name) not in ("computed", "descriptor"):
        return
    member = descriptor(type(x), name)
    if hasattr(member, "__set__") and not isinstance(member, property):
        raise AliasedMutationError(
            f"`{name}` of a {type(x).__name__} is set by a {type(member).__name__},"
            " which is not differentiated",
            where=show_chain(call_chain()),
            next="make it a property with a setter, or a method that sets a field",
        )


def snapshot(x: Any) -> Any:
    """x as it is now: a copy of what a store could change."""
    kind = type(x)
    if isinstance(x, np.ndarray) or is_sparse(x):
        return x.copy()  # of one that is read-only too: it may be so for the time of a call
    if kind is float or isinstance(x, IMMUTABLE):
        return tuple(map(snapshot, x)) if kind is tuple or kind is View else x
    if kind is list:
        return [snapshot(v) for v in x]
    if kind is deque:
        return deque(map(snapshot, x), x.maxlen)
    if kind is dict:
        return {k: snapshot(v) for k, v in x.items()}
    return x


def operand(x: Any) -> Any:
    """The same for an operand: what is made of a list, tuple or dict holds the very items that it holds."""
    return x if type(x) in (list, tuple, dict, deque) else snapshot(x)


non_differentiable(is_field, why="asks how an attribute is stored")


_ENTRIES = {
    "O": ("an array of objects", "use a list, or an array of floats"),
    "m": ("an array of spans of time", "make the array of its parts, with np.concatenate or np.where"),
    "M": ("an array of dates", "make the array of its parts, with np.concatenate or np.where"),
    "V": ("a structured array", "keep each field in an array of its own"),
}
"""By the kinds of arrays into which no differentiated value is stored: what they are, and what to do."""


def shape_of_value(x: Any, key: Any, value: Any) -> Any:
    """What of a stored value its cotangent is like: None where it has none."""
    if not isinstance(x, np.ndarray | np.void):
        return value
    kind = x.dtype.kind
    if kind in _ENTRIES:
        what, instead = _ENTRIES[kind]
        raise AliasedMutationError(
            f"a store into {what} is not differentiated", where=show_chain(call_chain()), next=instead
        )
    if kind in "SUT" and np.asarray(value).dtype.kind not in "SUT":
        raise AliasedMutationError(
            "a differentiated number was stored into an array of texts, which loses its derivative",
            where=show_chain(call_chain()),
            next="keep numbers and texts in arrays of their own",
        )
    return value if kind in "fc" else None


non_differentiable(shape_of_value, why="looks at types")


@frule(put_item, complete=True)
def put_item_frule(tangents: Any, x: object, key: object, value: object) -> Any:
    """ẋ′ is ẋ with v̇ in the slot"""
    if isinstance(x, list) and isinstance(key, slice):
        return pushed_slice(tangents, x, key, value)
    kept = shape_of_value(x, key, value)
    y = put_item(x, key, value)
    return y, join(tangents[0], key, ZERO if kept is None else tangents[2], kind_of(y))


@rrule(put_item, complete=True)
def put_item_rrule(x: object, key: object, value: object) -> Any:
    """x̄ is x̄′ with its slot zero        v̄ is what was in the slot"""
    if isinstance(x, list) and isinstance(key, slice):
        return put_slice(x, key, value)
    kept = shape_of_value(x, key, value)
    array = isinstance(x, np.ndarray)
    stays = overwritten(x, key) if array else None
    y = put_item(x, key, value)
    kind = kind_of(y)
    place = settled_index(key) if array else key

    def put_item_pullback(y_bar: Any) -> Any:
        x_bar, piece = split(y_bar, place, kind)
        if kept is None:
            return x_bar, NO_TANGENT, ZERO
        return x_bar, NO_TANGENT, stored_cotangent(piece, kept, stays) if array else piece

    return y, put_item_pullback


def pushed_slice(tangents: Any, x: Any, key: slice, value: Any) -> Any:
    """`x[key] = value` of a list, which may change its length, with the tangent of its items."""
    n, m = _sizes(x, value)
    parts = (*parts_of(tangents[0], n), *parts_of(tangents[2], m))
    y = put_item(x, key, value)
    return y, from_fields(list, [parts[i] for i in _sources(n, m, key)])


def put_slice(x: Any, key: slice, value: Any) -> Any:
    """The same in reverse."""
    P, (n, m) = type(value), _sizes(x, value)
    places = _places(n, m, key)
    y = put_item(x, key, value)
    length = len(y)

    def put_slice_pullback(y_bar: Any) -> Any:
        items = parts_of(y_bar, length)
        parts = [ZERO if i is None else items[i] for i in places]
        return from_fields(list, parts[:n]), NO_TANGENT, from_fields(P, parts[n:])

    return y, put_slice_pullback


def _sizes(x: Any, value: Any) -> tuple[int, int]:
    if not isinstance(value, list | tuple):
        raise AliasedMutationError(
            f"a store of a {type(value).__name__} into a slice of a list is not differentiated",
            where=show_chain(call_chain()),
            next="store list(…) of it",
        )
    return len(x), len(value)


def _sources(n: int, m: int, key: slice) -> list[int]:
    """For each item after m are stored into a slice of a list of n, its place among the n and m before."""
    sources = list(range(n))
    sources[key] = range(n, n + m)
    return sources


def _places(n: int, m: int, key: slice) -> list[int | None]:
    """The other way round: where each of the n and m stands after, None if it is gone."""
    after = {source: i for i, source in enumerate(_sources(n, m, key))}
    return [after.get(i) for i in range(n + m)]


non_differentiable(_sizes, _sources, _places, why="return sizes and places")


def stored_cotangent(piece: Any, value: Any, stays: Any) -> Any:
    """The cotangent of a value that was stored into an array, from that of the entries."""
    if is_zero(piece):
        return ZERO
    if stays is not None:
        piece = np.where(stays, piece, 0.0)
    return fit(unbroadcast(piece, np.shape(value)), value)


@frule(put_attribute, complete=True)
def put_attribute_frule(tangents: Any, x: object, name: object, value: object) -> Any:
    """ẋ′ is ẋ with v̇ in that field"""
    y = put_attribute(x, name, value)  # type: ignore[arg-type]  # a name
    if isinstance(y, np.ndarray):
        return y, part_put(tangents[0], name, tangents[2], y)
    return y, join(tangents[0], name, tangents[2], object_kind(y))


def part_put(dx: Any, name: Any, dv: Any, y: Any) -> Any:
    """The tangent of a complex array after its real or imaginary part was set."""
    old, new = materialize(dx, like=y), materialize(dv, like=np.zeros(np.shape(y)))
    return new + 1j * np.imag(old) if name == "real" else np.real(old) + 1j * new


@rrule(put_attribute, complete=True)
def put_attribute_rrule(x: object, name: object, value: object) -> Any:
    """x̄ is x̄′ without that field        v̄ is that field"""
    y = put_attribute(x, name, value)  # type: ignore[arg-type]  # a name
    kind, array = object_kind(y), isinstance(y, np.ndarray)
    shape = np.shape(value) if array else ()  # type: ignore[call-overload]  # of a number or an array

    def put_attribute_pullback(y_bar: Any) -> Any:
        if array:
            if is_zero(y_bar):
                return ZERO, NO_TANGENT, ZERO
            seed = materialize(y_bar, like=y)
            piece, rest = (seed.real, 1j * seed.imag) if name == "real" else (seed.imag, seed.real)
            return rest + 0j, NO_TANGENT, unbroadcast(piece, shape)
        x_bar, piece = split(y_bar, name, kind)
        return x_bar, NO_TANGENT, piece

    return y, put_attribute_pullback


@frule(object.__setattr__, mutates=(0,), lazy_seed=True)  # lint: catch-all, of every object and value
def set_frule(tangents: Any, self: object, value: object, *, name: Any) -> Any:
    """The same past the class's own way to set attributes."""
    refuse_descriptor(self, name)
    object.__setattr__(self, name, value)
    return None, NO_TANGENT, {0: join(tangents[0], name, tangents[1], object_kind(self))}


@rrule(object.__setattr__, mutates=(0,), lazy_seed=True)  # lint: catch-all, of every object and value
def set_rrule(self: object, value: object, *, name: Any) -> Any:
    """The same past the class's own way to set attributes."""
    refuse_descriptor(self, name)
    object.__setattr__(self, name, value)
    kind = object_kind(self)

    def set_pullback(y_bar: Any, states: Any) -> Any:
        return split(states[0], name, kind)

    return None, set_pullback


def object_kind(x: Any) -> Kind:
    """The kind of what has attributes."""
    return Kind("object", type(x))


non_differentiable(object_kind, why="describes an object")


def _identity(copied: Any) -> None:
    @frule(copied, complete=True)
    def copied_frule(tangents: Any, x: object) -> Any:
        """the identity"""
        return copied(x), tangents[0]

    @rrule(copied, complete=True)
    def copied_rrule(x: object) -> Any:
        """the identity"""

        def copied_pullback(y_bar: Any) -> Any:
            return (y_bar,)

        return copied(x), copied_pullback


_identity(snapshot)
_identity(operand)


@frule(drop_item, complete=True)
def drop_item_frule(tangents: Any, x: object, key: object) -> Any:
    """The tangents of what stays."""
    kind = kind_of(x)
    return drop_item(x, key), without(tangents[0], key, kind)


@rrule(drop_item, complete=True)
def drop_item_rrule(x: object, key: object) -> Any:
    """x̄ has the cotangents of what stayed, and zero where something was deleted"""
    kind = kind_of(x)
    y = drop_item(x, key)

    def drop_item_pullback(y_bar: Any) -> Any:
        return restored(y_bar, key, kind), NO_TANGENT

    return y, drop_item_pullback
