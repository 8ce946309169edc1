"""Methods by which lists and dicts are changed: append, extend, insert, pop, remove, clear, reverse, update …

Each is a function of values, `(y, x) = g(x, …)`, with rules; those of the method, at the end, say the same
with the state after the call as a further output (`mutates=`). In reverse, the cotangent of the state is
brought back to that before, and what was put in gets its part. Positions and keys have no derivative.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from typing import Any

from ...core import frule, non_differentiable, rrule
from ...core.changes import returns_changed
from ...core.errors import UnsupportedArgument
from ...core.seeds import ready
from ...tangents import NO_TANGENT, ZERO, Composite, add, fields_of, from_fields, is_zero
from ...tangents.slots import chosen, inserted, join, kind_of, pair, popped, split, without
from ..taking import parameters_of, positional, taking


def _parts(t: Any, count: int) -> tuple[Any, ...]:
    """The parts of a sequence's tangent."""
    return (ZERO,) * count if is_zero(t) else tuple(fields_of(ready(t)))


def appended(x: list, value):
    """`x.append(value)`, and x"""
    return list.append(x, value), x


@frule(appended, complete=True)
def appended_frule(tangents, x, value):
    """ẋ′ is ẋ with v̇ at its end"""
    y = appended(x, value)
    return y, Composite[tuple](NO_TANGENT, inserted(tangents[0], len(x) - 1, tangents[1], kind_of(x)))


@rrule(appended, complete=True)
def appended_rrule(x, value):
    """x̄ is x̄′ without its last, which is v̄"""
    y = appended(x, value)
    kind, last = kind_of(x), len(x) - 1

    def appended_pullback(y_bar):
        return popped(pair(y_bar)[1], last, kind)

    return y, appended_pullback


def inserted_at(x: list, index, value):
    """`x.insert(index, value)`, and x"""
    return list.insert(x, index, value), x


def _place(index, length):
    """Where `insert` puts an item."""
    return max(0, length + index) if index < 0 else min(index, length)


@frule(inserted_at, complete=True)
def inserted_at_frule(tangents, x, index, value):
    """ẋ′ is ẋ with v̇ at that place"""
    place = _place(index, len(x))
    y = inserted_at(x, index, value)
    return y, Composite[tuple](NO_TANGENT, inserted(tangents[0], place, tangents[2], kind_of(x)))


@rrule(inserted_at, complete=True)
def inserted_at_rrule(x, index, value):
    """x̄ is x̄′ without that item, which is v̄"""
    place = _place(index, len(x))
    y = inserted_at(x, index, value)
    kind = kind_of(x)

    def inserted_at_pullback(y_bar):
        x_bar, value_bar = popped(pair(y_bar)[1], place, kind)
        return x_bar, NO_TANGENT, value_bar

    return y, inserted_at_pullback


def taken_out(x: list, *index):
    """`x.pop()` or `x.pop(index)`, and x"""
    return list.pop(x, *index), x


def _position(x, *index):
    """Where `pop` takes an item from."""
    return range(len(x))[index[0] if index else -1] if x else 0


@frule(taken_out, complete=True)
def taken_out_frule(tangents, x, *index):
    """ẏ is the tangent of that item"""
    kind, place = kind_of(x), _position(x, *index)
    y = taken_out(x, *index)
    dx, dy = popped(tangents[0], place, kind)
    return y, Composite[tuple](dy, dx)


@rrule(taken_out, complete=True)
def taken_out_rrule(x, *index):
    """x̄ is x̄′ with ȳ put in at that place"""
    kind, place, nothing = kind_of(x), _position(x, *index), (NO_TANGENT,) * len(index)
    y = taken_out(x, *index)

    def taken_out_pullback(y_bar):
        item_bar, x_bar = pair(y_bar)
        return (inserted(x_bar, place, item_bar, kind), *nothing)

    return y, taken_out_pullback


def lengthened(x: list, more: list | tuple | deque):
    """`x.extend(more)`, and x"""
    return list.extend(x, more), x


def _length(more: Any) -> int:
    if not isinstance(more, list | tuple | deque):
        raise UnsupportedArgument(list.extend, "more", more, next="give it list(…) of that")
    return len(more)


non_differentiable(_length, why="returns a count")


@frule(lengthened, complete=True)
def lengthened_frule(tangents, x, more):
    """The tangents of the items, one after another"""
    n, m = len(x), _length(more)
    y = lengthened(x, more)
    items = _parts(tangents[0], n) + _parts(tangents[1], m)
    return y, Composite[tuple](NO_TANGENT, from_fields(list, items))


@rrule(lengthened, complete=True)
def lengthened_rrule(x, more):
    """Both have their items' cotangents"""
    n, m, P = len(x), _length(more), type(more)
    y = lengthened(x, more)

    def lengthened_pullback(y_bar):
        items = _parts(pair(y_bar)[1], n + m)
        return from_fields(list, items[:n]), from_fields(P, items[n:])

    return y, lengthened_pullback


def removed(x: list, value):
    """`x.remove(value)`, and x"""
    return x.remove(value), x  # type: ignore[func-returns-value]  # None, as the method returns


def _found(x, value):
    return x.index(value)


@frule(removed, complete=True)
def removed_frule(tangents, x, value):
    """The tangents of the items that stay"""
    kind, place = kind_of(x), _found(x, value)
    y = removed(x, value)
    return y, Composite[tuple](NO_TANGENT, without(tangents[0], place, kind))


@rrule(removed, complete=True)
def removed_rrule(x, value):
    """The removed item has no cotangent"""
    kind, place = kind_of(x), _found(x, value)
    y = removed(x, value)

    def removed_pullback(y_bar):
        return inserted(pair(y_bar)[1], place, ZERO, kind), ZERO

    return y, removed_pullback


def turned(x: list):
    """`x.reverse()`, and x"""
    return x.reverse(), x  # type: ignore[func-returns-value]  # None, as the method returns


@frule(turned, complete=True)
def turned_frule(tangents, x):
    """The tangents in the other order"""
    y = turned(x)
    return y, Composite[tuple](NO_TANGENT, from_fields(list, _parts(tangents[0], len(x))[::-1]))


@rrule(turned, complete=True)
def turned_rrule(x):
    """The cotangents in the other order"""
    n = len(x)
    y = turned(x)

    def turned_pullback(y_bar):
        return (from_fields(list, _parts(pair(y_bar)[1], n)[::-1]),)

    return y, turned_pullback


def emptied(x: list | dict):
    """`x.clear()`, and x"""
    return x.clear(), x


@frule(emptied, complete=True)
def emptied_frule(tangents, x):
    """Nothing is left"""
    return emptied(x), ZERO


@rrule(emptied, complete=True)
def emptied_rrule(x):
    """x̄ = 0"""

    def emptied_pullback(y_bar):
        return (ZERO,)

    return emptied(x), emptied_pullback


def _class(x):  # whose methods are meant, past those of a subclass that overrides them
    return OrderedDict if isinstance(x, OrderedDict) else dict


def popped_entry(x: dict, key, *default):
    """`x.pop(key, default)`, and x"""
    return _class(x).pop(x, key, *default), x


@frule(popped_entry, complete=True)
def popped_entry_frule(tangents, x, key, *default):
    """ẏ is the tangent of that entry, or of the default"""
    kind, found = kind_of(x), key in x
    y = popped_entry(x, key, *default)
    if not found:
        return y, Composite[tuple](tangents[2], tangents[0])
    rest, dy = split(tangents[0], key, kind)
    return y, Composite[tuple](dy, rest)


@rrule(popped_entry, complete=True)
def popped_entry_rrule(x, key, *default):
    """x̄ is x̄′ with ȳ under that key; without it ȳ goes to the default"""
    kind, found, count = kind_of(x), key in x, len(default)
    y = popped_entry(x, key, *default)

    def popped_entry_pullback(y_bar):
        entry_bar, x_bar = pair(y_bar)
        if found:
            return join(x_bar, key, entry_bar, kind), NO_TANGENT, *((ZERO,) * count)
        return x_bar, NO_TANGENT, entry_bar

    return y, popped_entry_pullback


def entry_or(x: dict, key, default):
    """`x.setdefault(key, default)`, and x"""
    return _class(x).setdefault(x, key, default), x


@frule(entry_or, complete=True)
def entry_or_frule(tangents, x, key, default):
    """ẏ is the tangent of that entry, which may be the default put in"""
    kind, found = kind_of(x), key in x
    y = entry_or(x, key, default)
    dx = tangents[0] if found else join(tangents[0], key, tangents[2], kind)
    return y, Composite[tuple](split(dx, key, kind)[1], dx)


@rrule(entry_or, complete=True)
def entry_or_rrule(x, key, default):
    """ȳ and the entry's part of x̄′ go to the entry, or to the default where that was put in"""
    kind, found = kind_of(x), key in x
    y = entry_or(x, key, default)

    def entry_or_pullback(y_bar):
        entry_bar, x_bar = pair(y_bar)
        rest, stored = split(x_bar, key, kind)
        total = add(stored, entry_bar)
        if found:
            return join(rest, key, total, kind), NO_TANGENT, ZERO
        return rest, NO_TANGENT, total

    return y, entry_or_pullback


def merged(x: dict, more: dict):
    """`x.update(more)`, and x"""
    return _class(x).update(x, more), x


def _keys(x, more):
    """The keys that only x has, and those of the other."""
    return tuple(k for k in x if k not in more), tuple(more)


def _of(P, t):
    """The tangent of a dict as that of one of class P."""
    return t if is_zero(t) else from_fields(P, fields_of(ready(t)))


@frule(merged, complete=True)
def merged_frule(tangents, x, more):
    """The tangents of the entries, those of the second where it has the key"""
    mine, theirs = _keys(x, more)
    P = type(x)
    dx = add(_of(P, chosen(tangents[0], mine)), _of(P, chosen(tangents[1], theirs)))
    return merged(x, more), Composite[tuple](NO_TANGENT, dx)


@rrule(merged, complete=True)
def merged_rrule(x, more):
    """Each entry's cotangent goes to the dict that it is from"""
    P, Q, (mine, theirs) = type(x), type(more), _keys(x, more)
    y = merged(x, more)

    def merged_pullback(y_bar):
        x_bar = pair(y_bar)[1]
        return _of(P, chosen(x_bar, mine)), _of(Q, chosen(x_bar, theirs))

    return y, merged_pullback


non_differentiable(_place, _position, _found, _keys, why="give places")

METHODS: dict[Any, Any] = {
    list.append: (appended, appended_frule, appended_rrule),
    list.insert: (inserted_at, inserted_at_frule, inserted_at_rrule),
    list.pop: (taken_out, taken_out_frule, taken_out_rrule),
    list.extend: (lengthened, lengthened_frule, lengthened_rrule),
    list.remove: (removed, removed_frule, removed_rrule),
    list.reverse: (turned, turned_frule, turned_rrule),
    list.clear: (emptied, emptied_frule, emptied_rrule),
    dict.clear: (emptied, emptied_frule, emptied_rrule),
    dict.pop: (popped_entry, popped_entry_frule, popped_entry_rrule),
    dict.setdefault: (entry_or, entry_or_frule, entry_or_rrule),
    dict.update: (merged, merged_frule, merged_rrule),
}
"""For each method the function of values and its rules."""


def register_in_place(method, values, values_frule, values_rrule):
    """The rules of a method, whose arguments are those of the function of values that stands for it."""

    def forward(tangents, *x, **how):
        (y, _), t = values_frule(tangents, *x, **how)
        dy, dx = (ZERO, ZERO) if is_zero(t) else fields_of(t)
        return y, dy, {0: dx}

    def reverse(*x, **how):
        (y, _), back = values_rrule(*x, **how)

        def mutating_pullback(y_bar, states):
            return back(Composite[tuple](y_bar, states[0]))

        return y, mutating_pullback

    own = parameters_of(values)
    for rule, parameters in ((forward, [*positional("tangents"), *own]), (reverse, own)):
        taking(rule, parameters, like=values, name=f"{values.__name__}_in_place_{rule.__name__}")
    frule(method, mutates=(0,))(forward)
    rrule(method, mutates=(0,), lazy_seed=True)(reverse)


def _is_listed(x, more):
    return isinstance(more, list | tuple | deque)


def _is_dict(x, *more, **named):
    return not named and len(more) == 1 and isinstance(more[0], dict)


_FIT = {list.extend: _is_listed, dict.update: _is_dict}
for _method, (_values, *_two) in METHODS.items():
    returns_changed(_method, _values, _FIT.get(_method))
    register_in_place(_method, _values, *_two)


def lengthened_by_any(x, more):
    """`x.extend(more)` of whatever can be gone through, and x"""
    return lengthened(x, list(more))


def merged_with_any(x, *more, **named):
    """`x.update(*more, **named)`, of pairs too, and x"""
    for entries in (*more, named):
        x = merged(x, dict(entries))[1]
    return None, x


returns_changed(list.extend, lengthened_by_any)
returns_changed(dict.update, merged_with_any)
