"""Methods by which lists and dicts are changed: append, extend, insert, pop, remove, clear, reverse, update …

The state of the container after the call is a further output (`mutates=`). In reverse, its cotangent is
brought back to the state before, and what was put in gets its part; items that were taken out get
none from it. Positions and keys have no derivative. Sorting in place is in builtins.py, with `sorted`.
"""

from __future__ import annotations

from typing import Any

from ...core import frule, rrule
from ...core.seeds import ready
from ...tangents import NO_TANGENT, ZERO, Composite, fields_of, is_zero
from ...tangents.slots import inserted, join, kind_of, popped, split, without


@frule(list.append, mutates=(0,))
def append_frule(tangents, x: list, value):
    """ẋ′ is ẋ with v̇ at its end"""
    dx, dvalue = tangents
    x.append(value)
    return None, NO_TANGENT, {0: inserted(dx, len(x) - 1, dvalue, kind_of(x))}


@rrule(list.append, mutates=(0,), lazy_seed=True)
def append_rrule(x: list, value):
    """x̄ is x̄′ without its last, which is v̄"""
    x.append(value)
    kind, last = kind_of(x), len(x) - 1

    def append_pullback(y_bar, states):
        return popped(states[0], last, kind)

    return None, append_pullback


@frule(list.insert, mutates=(0,))
def insert_frule(tangents, x: list, index, value):
    """ẋ′ is ẋ with v̇ at that place"""
    place = _place(index, len(x))
    x.insert(index, value)
    return None, NO_TANGENT, {0: inserted(tangents[0], place, tangents[2], kind_of(x))}


@rrule(list.insert, mutates=(0,), lazy_seed=True)
def insert_rrule(x: list, index, value):
    """x̄ is x̄′ without that item, which is v̄"""
    place = _place(index, len(x))
    x.insert(index, value)
    kind = kind_of(x)

    def insert_pullback(y_bar, states):
        x_bar, value_bar = popped(states[0], place, kind)
        return x_bar, NO_TANGENT, value_bar

    return None, insert_pullback


def _place(index: int, length: int) -> int:
    """Where `insert` puts an item."""
    return max(0, length + index) if index < 0 else min(index, length)


@frule(list.pop, mutates=(0,))
def pop_frule(tangents, x: list, index=-1):
    """ẏ is the tangent of that item"""
    kind = kind_of(x)
    y = x.pop(index)
    dx, dy = popped(tangents[0], index, kind)
    return y, dy, {0: dx}


@rrule(list.pop, mutates=(0,), lazy_seed=True)
def pop_rrule(x: list, index=-1):
    """x̄ is x̄′ with ȳ put in at that place"""
    kind = kind_of(x)
    place = range(len(x))[index] if x else 0
    y = x.pop(index)

    def pop_pullback(y_bar, states):
        return inserted(_value(states[0]), place, y_bar, kind), NO_TANGENT

    return y, pop_pullback


@frule(list.extend, mutates=(0,))
def extend_frule(tangents, x: list, more: list | tuple):
    """The tangents of the items, one after another"""
    n = len(x)
    x.extend(more)
    return None, NO_TANGENT, {0: Composite[list](*_items(tangents[0], n), *_items(tangents[1], len(more)))}


@rrule(list.extend, mutates=(0,), lazy_seed=True)
def extend_rrule(x: list, more: list | tuple):
    """Both have their items' cotangents"""
    n, P = len(x), type(more)
    count = len(more)
    x.extend(more)

    def extend_pullback(y_bar, states):
        items = _items(states[0], n + count)
        return Composite[list](*items[:n]), Composite[P](*items[n:])

    return None, extend_pullback


@frule(list.remove, mutates=(0,))
def remove_frule(tangents, x: list, value):
    """The tangents of the items that stay"""
    kind, place = kind_of(x), x.index(value)
    del x[place]
    return None, NO_TANGENT, {0: without(tangents[0], place, kind)}


@rrule(list.remove, mutates=(0,), lazy_seed=True)
def remove_rrule(x: list, value):
    """The removed item has no cotangent"""
    kind, place = kind_of(x), x.index(value)
    del x[place]

    def remove_pullback(y_bar, states):
        return inserted(_value(states[0]), place, ZERO, kind), ZERO

    return None, remove_pullback


@frule(list.reverse, mutates=(0,))
def reverse_frule(tangents, x: list):
    """The tangents in the other order"""
    x.reverse()
    return None, NO_TANGENT, {0: Composite[list](*_items(tangents[0], len(x))[::-1])}


@rrule(list.reverse, mutates=(0,), lazy_seed=True)
def reverse_rrule(x: list):
    """The cotangents in the other order"""
    n = len(x)
    x.reverse()

    def reverse_pullback(y_bar, states):
        return Composite[list](*_items(states[0], n)[::-1])

    return None, reverse_pullback


@frule(dict.clear, mutates=(0,))
@frule(list.clear, mutates=(0,))
def clear_frule(tangents, x: list | dict):
    """Nothing is left"""
    x.clear()
    return None, NO_TANGENT, {0: ZERO}


@rrule(dict.clear, mutates=(0,), lazy_seed=True)
@rrule(list.clear, mutates=(0,), lazy_seed=True)
def clear_rrule(x: list | dict):
    """x̄ = 0"""
    x.clear()

    def clear_pullback(y_bar, states):
        return ZERO

    return None, clear_pullback


@frule(dict.pop, mutates=(0,))
def dict_pop_frule(tangents, x: dict, key, *default):
    """ẏ is the tangent of that entry, or of the default"""
    dx, _, *ddefault = tangents
    kind, found = kind_of(x), key in x
    y = x.pop(key, *default)
    if not found:
        return y, ddefault[0], {0: dx}
    rest, dy = split(dx, key, kind)
    return y, dy, {0: rest}


@rrule(dict.pop, mutates=(0,), lazy_seed=True)
def dict_pop_rrule(x: dict, key, *default):
    """x̄ is x̄′ with ȳ under that key; without it ȳ goes to the default"""
    kind, found, count = kind_of(x), key in x, len(default)
    y = x.pop(key, *default)

    def pop_pullback(y_bar, states):
        x_bar = _value(states[0])
        if found:
            return join(x_bar, key, y_bar, kind), NO_TANGENT, *(ZERO,) * count
        return x_bar, NO_TANGENT, y_bar

    return y, pop_pullback


@frule(dict.setdefault, mutates=(0,))
def setdefault_frule(tangents, x: dict, key, default):
    """ẏ is the tangent of that entry, which may be the default put in"""
    dx, _, ddefault = tangents
    kind, found = kind_of(x), key in x
    y = x.setdefault(key, default)
    if found:
        return y, split(dx, key, kind)[1], {0: dx}
    return y, ddefault, {0: join(dx, key, ddefault, kind)}


@rrule(dict.setdefault, mutates=(0,), lazy_seed=True)
def setdefault_rrule(x: dict, key, default):
    """ȳ and the entry's part of x̄′ go to the entry, or to the default where that was put in"""
    kind, found = kind_of(x), key in x
    y = x.setdefault(key, default)

    def setdefault_pullback(y_bar, states):
        rest, entry = split(_value(states[0]), key, kind)
        total = entry + y_bar if not is_zero(y_bar) else entry
        if found:
            return join(rest, key, total, kind), NO_TANGENT, ZERO
        return rest, NO_TANGENT, total

    return y, setdefault_pullback


@frule(dict.update, mutates=(0,))
def update_frule(tangents, x: dict, more: dict):
    """The tangents of the entries, those of the second where it has the key"""
    dx = dict(fields_of(tangents[0])) if not is_zero(tangents[0]) else {}
    dmore = dict(fields_of(tangents[1])) if not is_zero(tangents[1]) else {}
    x.update(more)
    kept = {k: v for k, v in dx.items() if k not in more}
    return None, NO_TANGENT, {0: Composite[dict]({**kept, **dmore})}


@rrule(dict.update, mutates=(0,), lazy_seed=True)
def update_rrule(x: dict, more: dict):
    """Each entry's cotangent goes to the dict that it is from"""
    keys = tuple(more)
    x.update(more)

    def update_pullback(y_bar, states):
        if is_zero(states[0]):
            return ZERO, ZERO
        entries = dict(fields_of(ready(states[0])))
        theirs = {k: entries.get(k, ZERO) for k in keys}
        mine = {k: v for k, v in entries.items() if k not in theirs}
        return Composite[dict](mine), Composite[dict](theirs)

    return None, update_pullback


def _items(t: Any, count: int) -> tuple[Any, ...]:
    return (ZERO,) * count if is_zero(t) else tuple(fields_of(ready(t)))


def _value(t: Any) -> Any:
    return t if is_zero(t) else ready(t)
