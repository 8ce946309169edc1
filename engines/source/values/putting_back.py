"""Putting back: what holds an object, after that was changed in place by the way that leads to it.

An item or a stored field has the changed object in its slot. What is computed, such as a property or the
items of a class with `__getitem__`, has it wherever the two share it.
"""

from __future__ import annotations

from collections import deque
from types import BuiltinMethodType
from typing import Any

import numpy as np

from ....core import frule, non_differentiable, rrule
from ....tangents import NO_TANGENT, ZERO
from ....tangents.slots import join, kind_of, slot_of_field, split
from ....tangents.structure import is_shown
from .aliases import copied, moved, shared_by
from .namespaces import refuse_within
from .structures import is_field
from .writing import refuse_numbers_of_sparse

_CONTAINERS = (np.ndarray, list, tuple, dict, deque)


def put_back(x: Any, key: Any, value: Any) -> Any:
    """x, whose item at `key` is value, after value was changed in place."""
    return x


def _holds(x: Any, key: Any, value: Any) -> bool:
    """Whether what was changed is in x still: an array that is a view of it, or the item itself."""
    if isinstance(x, np.ndarray):
        return isinstance(value, np.ndarray) and np.may_share_memory(x, value)
    return x[key] is value


def _shares(x: Any, key: Any, value: Any) -> bool:
    """Whether x has what was changed otherwise than as its item: it computes it, or that is a slice."""
    return not isinstance(x, _CONTAINERS) or not (isinstance(x, np.ndarray) or _holds(x, key, value))


non_differentiable(_holds, _shares, why="compares identities")


def _wherever_shared(x: Any, value: Any) -> Any:
    """The pullback where x has what was changed in all that the two share."""
    shared = shared_by(x, value)

    def shared_pullback(y_bar: Any) -> Any:
        x_bar, piece = moved(y_bar, ZERO, shared)
        return x_bar, NO_TANGENT, piece

    return shared_pullback


@frule(put_back, complete=True)
def put_back_frule(tangents: Any, x: object, key: object, value: object) -> Any:
    """ẋ′ is ẋ with v̇ in the slot; of what computes its items, and of a slice, in what the two share"""
    if _shares(x, key, value):
        return put_back(x, key, value), copied(tangents[0], tangents[2], shared_by(x, value))
    if not _holds(x, key, value):
        return put_back(x, key, value), tangents[0]
    return put_back(x, key, value), join(tangents[0], key, tangents[2], kind_of(x))


@rrule(put_back, complete=True)
def put_back_rrule(x: object, key: object, value: object) -> Any:
    """x̄ is x̄′ with its slot zero        v̄ is what was in the slot"""
    if _shares(x, key, value):
        return put_back(x, key, value), _wherever_shared(x, value)

    kind, held = kind_of(x), _holds(x, key, value)

    def put_back_pullback(y_bar: Any) -> Any:
        if not held:
            return y_bar, NO_TANGENT, ZERO
        x_bar, piece = split(y_bar, key, kind)
        return x_bar, NO_TANGENT, piece

    return put_back(x, key, value), put_back_pullback


def put_field_back(x: Any, name: str, value: Any) -> Any:
    """x, whose attribute is value, after value was changed in place."""
    if not isinstance(value, BuiltinMethodType):  # which has no state of its own
        refuse_numbers_of_sparse(x, name)
        refuse_within(x, value)
    return x


def _stored(x: Any, name: str) -> bool:
    """Whether an attribute is a stored field, or a property that shows one."""
    return is_field(x, name) or is_shown(x, name)


def _holds_still(x: Any, name: str, value: Any) -> bool:
    """Whether what was changed is in that field still: a call may have put something else there."""
    return getattr(x, name) is value if is_field(x, name) else is_shown(x, name)


non_differentiable(_stored, _holds_still, why="asks how an attribute is stored")


@frule(put_field_back, complete=True)
def put_field_back_frule(tangents: Any, x: object, name: object, value: object) -> Any:
    """ẋ′ is ẋ with v̇ in that field, where that has v; of a computed attribute, in what the two share"""
    y = put_field_back(x, name, value)  # type: ignore[arg-type]  # a name
    if isinstance(value, BuiltinMethodType):
        return y, tangents[0]
    if not _stored(x, name):  # type: ignore[arg-type]  # the same
        return y, copied(tangents[0], tangents[2], shared_by(x, value))
    if not _holds_still(y, name, value):  # type: ignore[arg-type]  # the same
        return y, tangents[0]
    slot, kind = slot_of_field(y, name)  # type: ignore[arg-type]  # the same
    return y, join(tangents[0], slot, tangents[2], kind)


@rrule(put_field_back, complete=True)
def put_field_back_rrule(x: object, name: object, value: object) -> Any:
    """x̄ is x̄′ without that field        v̄ is that field, where that has v"""
    y = put_field_back(x, name, value)  # type: ignore[arg-type]  # a name
    if isinstance(value, BuiltinMethodType):
        return y, lambda y_bar: (y_bar, NO_TANGENT, ZERO)
    if not _stored(x, name):  # type: ignore[arg-type]  # the same
        return y, _wherever_shared(x, value)

    slot, kind = slot_of_field(y, name)  # type: ignore[arg-type]  # the same
    held = _holds_still(y, name, value)  # type: ignore[arg-type]  # the same

    def put_field_back_pullback(y_bar: Any) -> Any:
        x_bar, piece = split(y_bar, slot, kind) if held else (y_bar, ZERO)
        return x_bar, NO_TANGENT, piece

    return y, put_field_back_pullback
