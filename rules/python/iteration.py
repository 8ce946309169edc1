"""Iteration: the items of a container, and what is made of them: tuple, list, zip, enumerate, sorted.

What Python would make lazily (a `zip`, a view of a dict) is a tuple here, so that it can be gone
through again in reverse. The keys of a dict, the counts of `enumerate` have no derivative. Equal
items keep their order in `sorted`, and their derivatives with them. A container's cotangent is
built from those of its items by `gathered`.
"""

from __future__ import annotations

from _collections_abc import dict_items, dict_keys, dict_values
from collections import deque
from typing import Any

import numpy as np

from ...core import frule, non_differentiable, rrule
from ...core.seeds import absorbs, answer_to, ready
from ...core.sequences import items
from ...tangents import (
    NO_TANGENT,
    ZERO,
    Composite,
    IndexedTangent,
    NotImplementedTangent,
    add,
    from_fields,
    is_zero,
    primal_type,
)
from ...tangents.naturals import tangent_dtype

Sequence = tuple | list | deque | np.ndarray
"""What has items with derivatives, by position."""
Bare = dict | str | bytes | range | set | frozenset | dict_keys | dict_values | dict_items
"""What has items without derivatives: those of a dict are its keys."""
Items = Sequence | Composite | Bare
"""What can be gone through."""


def layout(x: Any) -> Any:
    """What `gathered` has to know of a container: its type and length, or its shape and dtype."""
    if isinstance(x, np.ndarray):
        return np.ndarray, x.shape, tangent_dtype(x.dtype)
    return primal_type(x) if isinstance(x, Composite) else type(x), len(x), None


non_differentiable(layout, why="returns a type and a shape")


def gathered(kind: Any, bars: Any) -> Any:
    """The cotangent of a container of this layout from those of its first items; the rest are zero."""
    P, shape, dtype = kind
    if issubclass(P, Bare) or (P is np.ndarray and dtype is None):
        return NotImplementedTangent("a set has no tangent") if issubclass(P, set | frozenset) else NO_TANGENT
    if P is np.ndarray:
        x_bar = ZERO
        for i in range(len(bars)):
            if not is_zero(bars[i]):
                x_bar = add(x_bar, IndexedTangent(shape, dtype, i, np.asarray(ready(bars[i]))))
        return x_bar
    return from_fields(P, (*bars, *(ZERO,) * (shape - len(bars))))


def spread(x: Any, dx: Any) -> Any:
    """The tangents of the items of a container, as a tuple."""
    P = primal_type(x) if isinstance(x, Composite) else type(x)
    return (ZERO,) * len(x) if dx is ZERO or issubclass(P, Bare) else tuple(dx)


def _register_copy(make: Any) -> None:
    """The rules of a function that makes a tuple or list of the items of its argument."""

    @frule(make, signature="x, /", complete=True)
    def items_frule(tangents, x: Items):
        """The tangents of the items."""
        y = make(x)
        dx = tangents[0]
        return y, dx if absorbs(dx) else from_fields(type(y), spread(x, ready(dx)))

    @rrule(make, signature="x, /", complete=True)
    def items_rrule(x: Items):
        """x̄ is gathered from the cotangents of the items."""
        kind = layout(x)

        def items_pullback(y_bar):
            return (answer_to(y_bar) if absorbs(y_bar) else gathered(kind, ready(y_bar)),)

        return make(x), items_pullback


for make in (items, tuple, list, list.copy, deque.copy):
    _register_copy(make)


@frule(deque, signature="iterable=(), maxlen=None")
def deque_frule(tangents, iterable: Items, *, maxlen=None):
    """The tangents of the items that are kept, the last ones."""
    y = deque(iterable, maxlen)
    dx = spread(iterable, tangents[0])
    return y, from_fields(deque, dx[len(dx) - len(y) :])


@rrule(deque, signature="iterable=(), maxlen=None")
def deque_rrule(iterable: Items, *, maxlen=None):
    """x̄ is gathered from the cotangents of the items; those that were dropped have none."""
    y = deque(iterable, maxlen)
    kind, dropped = layout(iterable), (ZERO,) * (len(iterable) - len(y))

    def deque_pullback(y_bar):
        return gathered(kind, (*dropped, *y_bar))

    return y, deque_pullback


@frule(reversed)
def reversed_frule(tangents, x: Sequence):
    """The tangents of the items, last first."""
    return tuple(reversed(x)), Composite[tuple](*spread(x, tangents[0])[::-1])


@rrule(reversed)
def reversed_rrule(x: Sequence):
    """x̄ has the cotangents, last first."""
    kind = layout(x)

    def reversed_pullback(y_bar):
        return gathered(kind, y_bar[::-1])

    return tuple(reversed(x)), reversed_pullback


@frule(enumerate)
def enumerate_frule(tangents, iterable: Items, *, start=0):
    """Each pair has the tangent of its item."""
    pairs = tuple([Composite[tuple](NO_TANGENT, dx) for dx in spread(iterable, tangents[0])])
    return tuple(enumerate(iterable, start)), Composite[tuple](*pairs)


@rrule(enumerate)
def enumerate_rrule(iterable: Items, *, start=0):
    """x̄ has the second cotangent of each pair."""
    kind = layout(iterable)

    def enumerate_pullback(y_bar):
        return gathered(kind, _column(y_bar, 1))

    return tuple(enumerate(iterable, start)), enumerate_pullback


def _column(rows, i):
    """The i-th part of each row, `Zero()` where the whole row is."""
    return tuple([ready(row)[i] for row in rows])


@frule(zip)
def zip_frule(tangents, *x: Items, strict=False):
    """Each row has the tangents of its items."""
    columns = tuple([spread(sequence, dx) for dx, sequence in zip(tangents, x, strict=True)])
    rows = tuple([Composite[tuple](*row) for row in zip(*columns, strict=strict)])
    return tuple(zip(*x, strict=strict)), Composite[tuple](*rows)


@rrule(zip)
def zip_rrule(*x: Items, strict=False):
    """Each argument has its column of the cotangents; what is beyond the shortest has zero"""
    kinds = tuple([layout(sequence) for sequence in x])

    def zip_pullback(y_bar):
        return tuple([gathered(kinds[i], _column(y_bar, i)) for i in range(len(kinds))])

    return tuple(zip(*x, strict=strict)), zip_pullback


def _order(x: Any, key: Any, reverse: bool) -> list[int]:
    """For each place of the sorted items, the place in x."""
    keys = tuple(x) if key is None else tuple(map(key, x))
    return sorted(range(len(keys)), key=keys.__getitem__, reverse=reverse)


non_differentiable(_order, why="returns indices")


@frule(sorted)
def sorted_frule(tangents, iterable: Sequence, *, key=None, reverse=False):
    """The tangents in the order of the values."""
    order = _order(iterable, key, reverse)
    dx = spread(iterable, tangents[0])
    return list(_picked(tuple(iterable), order)), Composite[list](*_picked(dx, order))


@rrule(sorted)
def sorted_rrule(iterable: Sequence, *, key=None, reverse=False):
    """Each item has the cotangent of the place that it is sorted to."""
    order = _order(iterable, key, reverse)
    places = _order(order, None, False)
    kind = layout(iterable)

    def sorted_pullback(y_bar):
        return gathered(kind, _picked(y_bar, places))

    return list(_picked(tuple(iterable), order)), sorted_pullback


def _picked(values: Any, places: Any) -> tuple[Any, ...]:
    """The values at these places."""
    return tuple([values[place] for place in places])
