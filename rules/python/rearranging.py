"""Changes that put the items of a list or deque elsewhere: `list.sort`, heaps, and all methods of a deque.

What such a change does with tangents is told by doing it to places: each item's place before, counted
on through the items that are put in, stands where the item does after. So all of them have the two
rules of `rearrangement`: forward the tangents go with the items, in reverse the cotangents go back.
Items are compared, and a sort's key is called, twice. Keys and counts have no derivative.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Callable
from typing import Any

from ...core import frule, non_differentiable, rrule
from ...core.changes import returns_changed
from ...core.seeds import ready
from ...tangents import NO_TANGENT, ZERO, Composite, fields_of, from_fields, is_zero
from ...tangents.slots import Kind, arranged, join, pair, scattered
from ..taking import parameters_of, positional, taking
from .changing import register_in_place

Order = list[int]
Sequence = tuple | list | deque


def _parts(t: Any, count: int) -> tuple[Any, ...]:
    return (ZERO,) * count if is_zero(t) else tuple(fields_of(ready(t)))


def rearrangement(method: Any, places: Callable[..., Any], like: Callable[..., Any], put: str = "") -> None:
    """Register the rules of a method by what it does with places.

    `places(x, *given)` changes nothing; it gives the places of the items after the change, and the place
    of its value, None where that is no item. `like` has the method's parameters; `put` says what
    the second of them is: an "item", "items", or nothing that has a tangent.
    """

    def sizes(x, given):
        return len(x), {"item": 1, "items": len(given[0]) if put == "items" else 0}.get(put, 0)

    def values(x, *given, **how):
        return method(x, *given, **how), x

    non_differentiable(places, sizes, why="gives places")

    def forward(tangents, x, *given, **how):
        """The tangents go where the items go"""
        P, (n, m) = type(x), sizes(x, given)
        order, taken = places(x, *given, **how)
        y = values(x, *given, **how)
        more = _parts(tangents[1], m) if put == "items" else tangents[1 : 1 + m]
        parts = (*_parts(tangents[0], n), *more)
        dx = arranged(from_fields(P, parts), order, n + m, P)
        return y, Composite[tuple](NO_TANGENT if taken is None else parts[taken], dx)

    def reverse(x, *given, **how):
        """Each item has the cotangent of the place where it stands after"""
        P, (n, m), nothing = type(x), sizes(x, given), (NO_TANGENT,) * len(given)
        Q = type(given[0]) if put == "items" else tuple
        order, taken = places(x, *given, **how)
        y = values(x, *given, **how)

        def rearranging_pullback(y_bar):
            value_bar, x_bar = pair(y_bar)
            bars = scattered(x_bar, order, n + m, P)
            if taken is not None:
                bars = join(bars, taken, value_bar, Kind("sequence", P, (n + m,)))
            parts = _parts(bars, n + m)
            more = (from_fields(Q, parts[n:]),) if put == "items" else parts[n:]
            return (from_fields(P, parts[:n]), *more, *nothing[len(more) :])

        return y, rearranging_pullback

    own = parameters_of(like)
    every: list[Any] = [(values, own), (forward, [*positional("tangents"), *own]), (reverse, own)]
    for f, parameters in every:
        taking(f, parameters, like=like, name=f"{like.__name__.strip(chr(95))}_{f.__name__}")
    frule(values, complete=True)(forward)
    rrule(values, complete=True)(reverse)
    returns_changed(method, values)
    register_in_place(method, values, forward, reverse)


def _like_places(method: Any) -> Callable[..., Any]:
    """What a method that compares nothing does: the same with places."""

    def places(x, *given):
        order = deque(range(len(x)), x.maxlen)
        new = [range(len(x), len(x) + len(v)) if isinstance(v, Sequence) else v for v in given]
        taken = method(order, *new)
        return list(order), taken

    return places


def _item_put(method: Any) -> Callable[..., Any]:
    def places(x, value):
        order = deque(range(len(x)), x.maxlen)
        method(order, len(x))
        return list(order), None

    return places


def _removed(x: Any, value: Any) -> Any:
    order = list(range(len(x)))
    if value in x:
        del order[x.index(value)]
    return order, None


def _alone(x: deque): ...


def _with_item(x: deque, value): ...


def _with_items(x: deque, iterable: Sequence): ...


def _turned_by(x: deque, n=1): ...


_method: Any
for _method in (deque.pop, deque.popleft, deque.clear, deque.reverse):
    rearrangement(_method, _like_places(_method), _alone)
for _method in (deque.append, deque.appendleft):
    rearrangement(_method, _item_put(_method), _with_item, "item")
for _method in (deque.extend, deque.extendleft):
    rearrangement(_method, _like_places(_method), _with_items, "items")
rearrangement(deque.rotate, _like_places(deque.rotate), _turned_by)
rearrangement(deque.remove, _removed, _with_item)


# Sorts and heaps.


def _sorted_places(x: list, *, key: Any = None, reverse: bool = False) -> Any:
    keys = x if key is None else [key(v) for v in x]
    return sorted(range(len(x)), key=keys.__getitem__, reverse=reverse), None


def _sorted_in_place(x: list, *, key=None, reverse=False): ...


rearrangement(list.sort, _sorted_places, _sorted_in_place)


def _up(order: Order, values: list, at: int, top: int = 0) -> None:
    """Let the item at a position of a heap rise to where its parent is no greater, at most to the top."""
    while at > top and values[order[at]] < values[order[(at - 1) // 2]]:
        above = (at - 1) // 2
        order[at], order[above] = order[above], order[at]
        at = above


def _down(order: Order, values: list, top: int) -> None:
    """Let the item at a position sink to a leaf along the lesser children, and rise again, as in `heapq`."""
    at, child = top, 2 * top + 1
    while child < len(order):
        right = child + 1
        if right < len(order) and not values[order[child]] < values[order[right]]:
            child = right
        order[at], order[child] = order[child], order[at]
        at, child = child, 2 * child + 1
    _up(order, values, at, top)


def _pushed(heap: list, item: Any) -> Any:
    order = list(range(len(heap) + 1))
    _up(order, [*heap, item], len(heap))
    return order, None


def _popped(heap: list) -> Any:
    order = list(range(len(heap)))
    if len(heap) < 2:
        return [], 0
    order[0] = order.pop()
    _down(order, heap, 0)
    return order, 0


def _replaced(heap: list, item: Any) -> Any:
    order = [len(heap), *range(1, len(heap))] if heap else []
    _down(order, [*heap, item], 0)
    return order, 0


def _pushed_and_popped(heap: list, item: Any) -> Any:
    if heap and heap[0] < item:
        return _replaced(heap, item)
    return list(range(len(heap))), len(heap)


def _made(heap: list) -> Any:
    order = list(range(len(heap)))
    for top in reversed(range(len(heap) // 2)):
        _down(order, heap, top)
    return order, None


def _heap_alone(heap: list): ...


def _heap_with_item(heap: list, item): ...


rearrangement(heapq.heapify, _made, _heap_alone)
rearrangement(heapq.heappop, _popped, _heap_alone)
rearrangement(heapq.heappush, _pushed, _heap_with_item, "item")
rearrangement(heapq.heapreplace, _replaced, _heap_with_item, "item")
rearrangement(heapq.heappushpop, _pushed_and_popped, _heap_with_item, "item")
