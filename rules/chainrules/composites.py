"""What is asked of the tangent of a dict: `get`, `values` and `items` of a `Composite[dict]`.

So a gradient by name can be used inside another derivative. A composite is never written to, and its tangents
are composites like it. What `keys`, `index` and `count` answer has no derivative.
"""

from __future__ import annotations

from typing import Any

from ...core import frule, non_differentiable, rrule
from ...tangents import NO_TANGENT, ZERO, Composite, from_fields, is_zero, primal_type
from ...tangents.slots import pair

_OF_DICT: Any = Composite[dict]
_OF_LIST: Any = Composite[list]

non_differentiable(_OF_DICT.keys, why="returns the keys")
non_differentiable(_OF_LIST.index, _OF_LIST.count, why="return a place and a count")


def _entry(t: Any, key: Any) -> Any:
    return ZERO if is_zero(t) else t[key]


@frule(_OF_DICT.get)
def get_frule(tangents, x: Composite, key, default=ZERO):
    """The tangent of that entry, or of the default."""
    y = x.get(key, default)
    return y, _entry(tangents[0], key) if key in x else tangents[2] if len(tangents) > 2 else ZERO


@rrule(_OF_DICT.get)
def get_rrule(x: Composite, key, default=ZERO):
    """x̄ has the one entry; without it the default has the cotangent"""
    P, found = primal_type(x), key in x

    def get_pullback(y_bar):
        return from_fields(P, {key: y_bar}) if found else ZERO, NO_TANGENT, ZERO if found else y_bar

    return x.get(key, default), get_pullback


@frule(_OF_DICT.values)
def values_frule(tangents, x: Composite):
    """The tangents of the entries."""
    return tuple(x.values()), from_fields(tuple, [_entry(tangents[0], key) for key in x])


@rrule(_OF_DICT.values)
def values_rrule(x: Composite):
    """x̄ has the cotangent of each entry under its key."""
    P, keys = primal_type(x), tuple(x)

    def values_pullback(y_bar):
        return from_fields(P, dict(zip(keys, y_bar, strict=True)))

    return tuple(x.values()), values_pullback


@frule(_OF_DICT.items)
def items_frule(tangents, x: Composite):
    """Each pair has the tangent of its entry."""
    pairs = [Composite[tuple](NO_TANGENT, _entry(tangents[0], key)) for key in x]
    return tuple(x.items()), from_fields(tuple, pairs)


@rrule(_OF_DICT.items)
def items_rrule(x: Composite):
    """x̄ has the second cotangent of each pair under its key."""
    P, keys = primal_type(x), tuple(x)

    def items_pullback(y_bar):
        return from_fields(P, {key: pair(entry)[1] for key, entry in zip(keys, y_bar, strict=True)})

    return tuple(x.items()), items_pullback
