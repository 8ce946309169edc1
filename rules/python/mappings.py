"""Dicts: making one, copying one, and its values and items, which are tuples here."""

from __future__ import annotations

from typing import Any

from ...core import frule, rrule
from ...tangents import NO_TANGENT, ZERO, Composite, from_fields


@frule(dict.copy)
@frule(dict, signature="x, /")
def dict_frule(tangents, x: dict):
    """The tangents of the entries."""
    return dict(x), Composite[dict](_entries(x, tangents[0]))


@rrule(dict.copy)
@rrule(dict, signature="x, /")
def dict_rrule(x: dict):
    """x̄ has the same entries."""
    P = type(x)

    def dict_pullback(y_bar):
        return Composite[P](y_bar)

    return dict(x), dict_pullback


@frule(dict, signature="x, /")
def dict_of_pairs_frule(tangents, x: tuple | list):
    """Each entry has the tangent of the last pair with its key."""
    y, last = _by_key(x)
    dy: dict[Any, Any] = {}
    for key, place in last.items():
        dy = {**dy, key: tangents[0][place][1]}
    return y, Composite[dict](dy)


@rrule(dict, signature="x, /")
def dict_of_pairs_rrule(x: tuple | list):
    """The last pair with a key has the cotangent of its entry."""
    y, last = _by_key(x)
    P, length = type(x), len(x)
    keys = {place: key for key, place in last.items()}

    def dict_pullback(y_bar):
        pairs: tuple[Any, ...] = ()
        for i in range(length):
            pairs = (*pairs, Composite[tuple](NO_TANGENT, y_bar[keys[i]]) if i in keys else ZERO)
        return from_fields(P, pairs)

    return y, dict_pullback


def _by_key(pairs: Any) -> tuple[dict[Any, Any], dict[Any, int]]:
    """The dict of the pairs, and for each key the place of the last pair that has it."""
    y = dict(pairs)
    last = {key: place for place, (key, _) in enumerate(pairs)}
    return y, {key: last[key] for key in y}


def _entries(x: Any, dx: Any) -> Any:
    return dict.fromkeys(x, ZERO) if dx is ZERO else {key: dx[key] for key in x}


@frule(dict.values)
def values_frule(tangents, x: dict):
    """The tangents of the values."""
    return tuple(x.values()), Composite[tuple](*_entries(x, tangents[0]).values())


@rrule(dict.values)
def values_rrule(x: dict):
    """x̄ has the cotangent of each value under its key."""
    P, keys = type(x), tuple(x)

    def values_pullback(y_bar):
        return Composite[P](zip(keys, y_bar, strict=True))

    return tuple(x.values()), values_pullback


@frule(dict.items)
def items_frule(tangents, x: dict):
    """Each pair has the tangent of its value."""
    pairs: tuple[Any, ...] = ()
    for dvalue in _entries(x, tangents[0]).values():
        pairs = (*pairs, Composite[tuple](NO_TANGENT, dvalue))
    return tuple(x.items()), Composite[tuple](*pairs)


@rrule(dict.items)
def items_rrule(x: dict):
    """x̄ has the second cotangent of each pair under its key."""
    P, keys = type(x), tuple(x)

    def items_pullback(y_bar):
        entries: tuple[Any, ...] = ()
        for key, pair_bar in zip(keys, y_bar, strict=True):
            entries = (*entries, (key, pair_bar[1]))
        return Composite[P](entries)

    return tuple(x.items()), items_pullback
