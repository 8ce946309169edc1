"""Ordered dicts: the methods that `OrderedDict` has of its own, and `dict.popitem`.

`pop`, `setdefault`, `update` and `clear` are those of a dict; the order of the entries, which
`move_to_end` changes, has no derivative.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from ...core import frule, non_differentiable, rrule
from ...core.changes import returns_changed
from ...tangents import NO_TANGENT, Composite
from ...tangents.slots import join, kind_of, pair, split, without
from .changing import _FIT, METHODS, register_in_place

_LAST: Any = object()  # where it is not said


def _is_last(last):
    return True if last is _LAST else last


non_differentiable(_is_last, why="returns a truth value")


def moved_to_end(x: OrderedDict, key, last=_LAST):
    """`x.move_to_end(key, last)`, and x"""
    return x.move_to_end(key, _is_last(last)), x  # type: ignore[func-returns-value]  # None, as the method returns


@frule(moved_to_end, complete=True)
def moved_to_end_frule(tangents, x, key, last=_LAST):
    """ẋ stays"""
    return moved_to_end(x, key, last), Composite[tuple](NO_TANGENT, tangents[0])


@rrule(moved_to_end, complete=True)
def moved_to_end_rrule(x, key, last=_LAST):
    """x̄ stays"""

    more = () if last is _LAST else (NO_TANGENT,)

    def moved_to_end_pullback(y_bar):
        return pair(y_bar)[1], NO_TANGENT, *more

    return moved_to_end(x, key, last), moved_to_end_pullback


def _taken(tangents, x, y):
    """The tangents of the entry y taken from x, and of the other entries."""
    (key, _), kind = y, kind_of(x)
    dy = split(tangents[0], key, kind)[1]
    return Composite[tuple](Composite[tuple](NO_TANGENT, dy), without(tangents[0], key, kind))


def _put_again(y_bar, key, kind):
    """x̄ is x̄′ with the entry's cotangent under its key"""
    item_bar, x_bar = pair(y_bar)
    return join(x_bar, key, pair(item_bar)[1], kind)


def end_taken(x: OrderedDict, last=_LAST):
    """`x.popitem(last)`, and x"""
    return x.popitem(_is_last(last)), x


@frule(end_taken, complete=True)
def end_taken_frule(tangents, x, last=_LAST):
    """The entry's tangent, and those of the others"""
    y = end_taken(x, last)
    return y, _taken(tangents, x, y[0])


@rrule(end_taken, complete=True)
def end_taken_rrule(x, last=_LAST):
    """The entry's cotangent goes under its key"""
    kind, more = kind_of(x), () if last is _LAST else (NO_TANGENT,)
    y = end_taken(x, last)
    key = y[0][0]

    def end_taken_pullback(y_bar):
        return _put_again(y_bar, key, kind), *more

    return y, end_taken_pullback


def pair_taken(x: dict):
    """`x.popitem()`, and x"""
    return x.popitem(), x


@frule(pair_taken, complete=True)
def pair_taken_frule(tangents, x):
    """The entry's tangent, and those of the others"""
    y = pair_taken(x)
    return y, _taken(tangents, x, y[0])


@rrule(pair_taken, complete=True)
def pair_taken_rrule(x):
    """The entry's cotangent goes under its key"""
    kind = kind_of(x)
    y = pair_taken(x)
    key = y[0][0]

    def pair_taken_pullback(y_bar):
        return (_put_again(y_bar, key, kind),)

    return y, pair_taken_pullback


_OWN = {
    dict.popitem: (pair_taken, pair_taken_frule, pair_taken_rrule),
    OrderedDict.move_to_end: (moved_to_end, moved_to_end_frule, moved_to_end_rrule),
    OrderedDict.popitem: (end_taken, end_taken_frule, end_taken_rrule),
    OrderedDict.pop: METHODS[dict.pop],
    OrderedDict.setdefault: METHODS[dict.setdefault],
    OrderedDict.clear: METHODS[dict.clear],
    OrderedDict.update: METHODS[dict.update],
}
for _method, (_values, *_two) in _OWN.items():
    returns_changed(_method, _values, _FIT[dict.update] if _method is OrderedDict.update else None)
    register_in_place(_method, _values, *_two)
