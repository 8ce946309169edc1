"""Dicts: making one, copying one, and its values and items, which are tuples that remember the dict."""

from __future__ import annotations

import operator
from collections import OrderedDict
from typing import Any

from ...core import frule, non_differentiable, rrule
from ...core.sequences import view_of
from ...tangents import NO_TANGENT, ZERO, Composite, add, fields_of, from_fields
from ...tangents.slots import chosen, pair


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


@frule(OrderedDict.copy)
def ordered_copy_frule(tangents, x: OrderedDict):
    """The tangents of the entries."""
    return x.copy(), from_fields(type(x), _entries(x, tangents[0]))


@rrule(OrderedDict.copy)
def ordered_copy_rrule(x: OrderedDict):
    """x̄ has the same entries."""
    P = type(x)

    def copy_pullback(y_bar):
        return from_fields(P, fields_of(y_bar))

    return x.copy(), copy_pullback


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
        pairs = tuple(
            [Composite[tuple](NO_TANGENT, y_bar[keys[i]]) if i in keys else ZERO for i in range(length)]
        )
        return from_fields(P, pairs)

    return dict(x), dict_pullback


def _entries(x: Any, dx: Any) -> Any:
    return dict.fromkeys(x, ZERO) if dx is ZERO else {key: dx[key] for key in x}


def values_of(x: dict[Any, Any]) -> Any:
    """`x.values()`: what they are now, in a tuple that remembers x."""
    return view_of(x, "values")


def items_of(x: dict[Any, Any]) -> Any:
    """`x.items()`, the same."""
    return view_of(x, "items")


@frule(values_of)
@frule(OrderedDict.values)
@frule(dict.values)
def values_frule(tangents, x: dict):
    """The tangents of the values."""
    return values_of(x), Composite[tuple](*_entries(x, tangents[0]).values())


@rrule(values_of)
@rrule(OrderedDict.values)
@rrule(dict.values)
def values_rrule(x: dict):
    """x̄ has the cotangent of each value under its key."""
    P, keys = type(x), tuple(x)

    def values_pullback(y_bar):
        return from_fields(P, dict(zip(keys, y_bar, strict=True)))

    return values_of(x), values_pullback


@frule(items_of)
@frule(OrderedDict.items)
@frule(dict.items)
def items_frule(tangents, x: dict):
    """Each pair has the tangent of its value."""
    pairs = tuple([Composite[tuple](NO_TANGENT, dvalue) for dvalue in _entries(x, tangents[0]).values()])
    return items_of(x), Composite[tuple](*pairs)


@rrule(items_of)
@rrule(OrderedDict.items)
@rrule(dict.items)
def items_rrule(x: dict):
    """x̄ has the second cotangent of each pair under its key."""
    P, keys = type(x), tuple(x)

    def items_pullback(y_bar):
        entries = tuple([(key, pair(pair_bar)[1]) for key, pair_bar in zip(keys, y_bar, strict=True)])
        return from_fields(P, dict(entries))

    return items_of(x), items_pullback


@frule(operator.or_)
def union_frule(tangents, a: dict, b: dict):
    """The tangents of the entries, those of b where it has the key."""
    y, (mine, theirs) = a | b, _keys(a, b)
    P = type(y)
    return y, add(_typed(P, chosen(tangents[0], mine)), _typed(P, chosen(tangents[1], theirs)))


@rrule(operator.or_)
def union_rrule(a: dict, b: dict):
    """Each entry's cotangent goes to the dict that it is from."""
    mine, theirs = _keys(a, b)
    P, Q = type(a), type(b)  # the union of a dict and an OrderedDict is of the second type

    def or_pullback(y_bar):
        return _typed(P, chosen(y_bar, mine)), _typed(Q, chosen(y_bar, theirs))

    return a | b, or_pullback


def _typed(P: type, t: Any) -> Any:
    """The tangent of the same entries in a dict of another type."""
    return t if t is ZERO else from_fields(P, fields_of(t))


def _keys(a: Any, b: Any) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """The keys that only a has, and those of b."""
    return tuple(key for key in a if key not in b), tuple(b)


non_differentiable(_keys, why="gives keys")
