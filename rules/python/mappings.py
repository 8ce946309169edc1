"""Dicts: making one, copying one, and its values and items, which are tuples here."""

from __future__ import annotations

import operator
from collections import OrderedDict
from typing import Any

from ...core import frule, non_differentiable, rrule
from ...core.seeds import ready
from ...tangents import NO_TANGENT, ZERO, Composite, add, fields_of, from_fields
from ...tangents.slots import chosen


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
        return y_bar if P is dict else from_fields(P, fields_of(y_bar))

    return dict(x), dict_pullback


def _keys_by_place(pairs: Any) -> dict[int, Any]:
    """For each pair whose value the dict of the pairs holds, its place and key."""
    last = {key: place for place, (key, _) in enumerate(pairs)}
    return {place: key for key, place in last.items()}


non_differentiable(_keys_by_place, why="returns places and keys")


@frule(dict, signature="x, /")
def dict_of_pairs_frule(tangents, x: tuple | list):
    """Each entry has the tangent of the last pair with its key."""
    dy: dict[Any, Any] = {}
    for place, key in _keys_by_place(x).items():
        dy = {**dy, key: tangents[0][place][1]}
    return dict(x), Composite[dict](dy)


@rrule(dict, signature="x, /")
def dict_of_pairs_rrule(x: tuple | list):
    """The last pair with a key has the cotangent of its entry."""
    P, length = type(x), len(x)
    keys = _keys_by_place(x)

    def dict_pullback(y_bar):
        pairs: tuple[Any, ...] = ()
        for i in range(length):
            pairs = (*pairs, Composite[tuple](NO_TANGENT, y_bar[keys[i]]) if i in keys else ZERO)
        return from_fields(P, pairs)

    return dict(x), dict_pullback


def _entries(x: Any, dx: Any) -> Any:
    return dict.fromkeys(x, ZERO) if dx is ZERO else {key: dx[key] for key in x}


@frule(OrderedDict.values)
@frule(dict.values)
def values_frule(tangents, x: dict):
    """The tangents of the values."""
    return tuple(x.values()), Composite[tuple](*_entries(x, tangents[0]).values())


@rrule(OrderedDict.values)
@rrule(dict.values)
def values_rrule(x: dict):
    """x̄ has the cotangent of each value under its key."""
    P, keys = type(x), tuple(x)

    def values_pullback(y_bar):
        return from_fields(P, dict(zip(keys, y_bar, strict=True)))

    return tuple(x.values()), values_pullback


@frule(OrderedDict.items)
@frule(dict.items)
def items_frule(tangents, x: dict):
    """Each pair has the tangent of its value."""
    pairs: tuple[Any, ...] = ()
    for dvalue in _entries(x, tangents[0]).values():
        pairs = (*pairs, Composite[tuple](NO_TANGENT, dvalue))
    return tuple(x.items()), Composite[tuple](*pairs)


@rrule(OrderedDict.items)
@rrule(dict.items)
def items_rrule(x: dict):
    """x̄ has the second cotangent of each pair under its key."""
    P, keys = type(x), tuple(x)

    def items_pullback(y_bar):
        entries: tuple[Any, ...] = ()
        for key, pair_bar in zip(keys, y_bar, strict=True):
            entries = (*entries, (key, ready(pair_bar)[1]))
        return from_fields(P, dict(entries))

    return tuple(x.items()), items_pullback


@frule(operator.or_)
def union_frule(tangents, a: dict, b: dict):
    """The tangents of the entries, those of b where it has the key."""
    mine, theirs = _keys(a, b)
    return a | b, add(chosen(tangents[0], mine), chosen(tangents[1], theirs))


@rrule(operator.or_)
def union_rrule(a: dict, b: dict):
    """Each entry's cotangent goes to the dict that it is from."""
    mine, theirs = _keys(a, b)

    def or_pullback(y_bar):
        return chosen(y_bar, mine), chosen(y_bar, theirs)

    return a | b, or_pullback


def _keys(a: Any, b: Any) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """The keys that only a has, and those of b."""
    return tuple(key for key in a if key not in b), tuple(b)


non_differentiable(_keys, why="gives keys")
