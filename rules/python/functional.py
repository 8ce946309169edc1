"""Functions that call the function they are given: map, filter, reduce, accumulate, starmap.

Each is written out, and differentiated by whoever calls the rule, so that what the function captured
has its cotangent too. What Python would make lazily is a tuple here. A filter keeps or drops an
item by a test that has no derivative. The function runs once for each item, in both modes.
`functools.wraps` copies names onto a function, which keeps its derivative.
"""

from __future__ import annotations

import functools
import heapq
import itertools
from collections.abc import Callable
from typing import Any

from ...core import frule, non_differentiable, rrule
from ...tangents import ZERO
from ..written import written_out
from .iteration import Items, Sequence


@written_out(map)
def mapped(function: object, *iterables: Items):
    """y = (f(x₁, …), f(x₂, …), …)"""
    return tuple([function(*row) for row in zip(*iterables, strict=False)])  # type: ignore[operator]  # a callable has any type


@written_out(itertools.starmap)
def starmapped(function: object, iterable: Sequence):
    """y = (f(*x₁), f(*x₂), …)"""
    return tuple([function(*row) for row in iterable])  # type: ignore[operator]  # a callable has any type


def places_kept(function: Any, iterable: Any, keep: bool) -> tuple[int, ...]:
    """The places of the items that pass the test, or of those that fail it."""
    test = bool if function is None else function
    return tuple(i for i, item in enumerate(iterable) if bool(test(item)) is keep)


non_differentiable(places_kept, why="returns indices")


@written_out(filter)
def filtered(function: object, iterable: Sequence):
    """y = the items that pass the test"""
    return tuple([iterable[i] for i in places_kept(function, iterable, True)])


@written_out(itertools.filterfalse)
def filtered_false(function: object, iterable: Sequence):
    """y = the items that fail the test"""
    return tuple([iterable[i] for i in places_kept(function, iterable, False)])


@written_out(functools.reduce)
def reduced(function: object, iterable: Items, *initial: object):
    """y = f(… f(f(x₁, x₂), x₃) …), from an initial value where there is one"""
    items: Any = (*initial, *iterable)
    y = items[0]
    for i in range(1, len(items)):
        y = function(y, items[i])  # type: ignore[operator]  # a callable has any type
    return y


@written_out(itertools.accumulate)
def accumulated(iterable: Items, func: object = None, initial: object = None):
    """y = (x₁, f(x₁, x₂), f(f(x₁, x₂), x₃), …), and before them an initial value where there is one"""
    rest: Any = tuple(iterable) if initial is None else (initial, *iterable)
    made = list(rest[:1])
    for i in range(1, len(rest)):
        last = made[i - 1]
        made.append(last + rest[i] if func is None else func(last, rest[i]))  # type: ignore[operator]  # a callable has any type
    return tuple(made)


@written_out(heapq.nlargest)
def greatest(n: int, iterable: Items, *, key=None):
    """y = the n greatest items, the greatest first"""
    return sorted(iterable, key=key, reverse=True)[: max(n, 0)]


@written_out(heapq.nsmallest)
def least(n: int, iterable: Items, *, key=None):
    """y = the n least items, the least first"""
    return sorted(iterable, key=key)[: max(n, 0)]


def _merging(*iterables: Any, key: Any = None, reverse: bool = False) -> list[int]:
    """The places, among those of all items, that `heapq.merge` takes one after another."""
    every = list(itertools.chain(*iterables))
    keys = every if key is None else [key(v) for v in every]
    ends = list(itertools.accumulate(map(len, iterables)))
    ranges = [range(end - len(x), end) for end, x in zip(ends, iterables, strict=True)]
    return list(heapq.merge(*ranges, key=keys.__getitem__, reverse=reverse))


non_differentiable(_merging, why="returns places")


@written_out(heapq.merge)
def merged(*iterables: Items, key=None, reverse=False):
    """y = the items of sorted sequences, as one sorted sequence"""
    every: tuple[Any, ...] = tuple(itertools.chain(*iterables))
    return tuple([every[place] for place in _merging(*iterables, key=key, reverse=reverse)])


@frule(functools.update_wrapper, complete=True)
def update_wrapper_frule(tangents, wrapper: Callable, wrapped: Callable, **names):
    """y = the wrapper        ẏ is its own"""
    return functools.update_wrapper(wrapper, wrapped, **names), tangents[0]


@rrule(functools.update_wrapper, complete=True)
def update_wrapper_rrule(wrapper: Callable, wrapped: Callable, **names):
    """y = the wrapper, whose cotangent is ȳ"""

    def update_wrapper_pullback(y_bar):
        return y_bar, ZERO

    return functools.update_wrapper(wrapper, wrapped, **names), update_wrapper_pullback
