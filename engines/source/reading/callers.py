"""Callers: functions of libraries that call a function, written out for one that changes what it captured.

A rule of theirs differentiates the function, or runs it for a key or a test that has no derivative; what
it changes is then nobody's. So a call that is given such a function is one of these, which runs
as any function that is lent its arguments. `map` and `filter` make their items at once: they are taken
here only where something takes all of them at once.
"""

from __future__ import annotations

import ast
import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ....core import non_differentiable

_NONE = object()


def mapped(function: Any, *iterables: Any) -> Any:
    """`map(f, …)`"""
    made = []
    for row in zip(*iterables, strict=False):
        made.append(function(*row))
    return made


def filtered(function: Any, iterable: Any) -> Any:
    """`filter(f, x)`"""
    made = []
    for item in iterable:
        if item if function is None else function(item):
            made.append(item)
    return made


def reduced(function: Any, iterable: Any, *initial: Any) -> Any:
    """`functools.reduce(f, x)`"""
    items = [*initial, *iterable]
    if not items:
        raise TypeError("reduce() of an empty iterable with no initial value")
    y = items[0]
    for i in range(1, len(items)):
        y = function(y, items[i])
    return y


def keys_of(items: Any, key: Any) -> Any:
    """The key of each item."""
    keys = []
    for item in items:
        keys.append(item if key is None else key(item))
    return keys


def ordered(iterable: Any, /, *, key: Any = None, reverse: bool = False) -> Any:
    """`sorted(x, key=f)`"""
    items = list(iterable)
    keys = keys_of(items, key)
    return [items[i] for i in places_in_order(keys, reverse)]


def greatest(*values: Any, key: Any = None, default: Any = _NONE) -> Any:
    """`max(x, key=f)`"""
    items = list(values[0]) if len(values) == 1 else list(values)
    if not items and default is not _NONE:
        return default
    keys = keys_of(items, key)
    return items[place_of(max, keys)]


def least(*values: Any, key: Any = None, default: Any = _NONE) -> Any:
    """`min(x, key=f)`"""
    items = list(values[0]) if len(values) == 1 else list(values)
    if not items and default is not _NONE:
        return default
    keys = keys_of(items, key)
    return items[place_of(min, keys)]


def along_axis(func1d: Any, axis: int, arr: Any, *args: Any, **kwargs: Any) -> Any:
    """`np.apply_along_axis(f, axis, a)`"""
    moved = np.moveaxis(np.asarray(arr), axis, -1)
    rest = moved.shape[:-1]
    lines = np.reshape(moved, (math.prod(rest), moved.shape[-1]))
    made = []
    for i in range(len(lines)):
        made.append(np.asarray(func1d(lines[i], *args, **kwargs)))
    y = np.stack(made, dtype=made[0].dtype, casting="unsafe")  # the first line's, as NumPy has it
    place = axis % np.ndim(arr)
    last = y.shape[1:]
    y = np.reshape(y, (*rest, *last))
    return np.moveaxis(y, range(len(rest), y.ndim), range(place, place + len(last)))


def places_in_order(keys: Any, reverse: bool) -> list[int]:
    """The places of keys in their order."""
    return sorted(range(len(keys)), key=keys.__getitem__, reverse=reverse)


def place_of(extremum: Any, keys: Any) -> int:
    """The place of the first of the greatest or least keys."""
    return extremum(range(len(keys)), key=keys.__getitem__)  # type: ignore[no-any-return]  # a place


non_differentiable(places_in_order, place_of, why="return places")

_CALLERS: dict[Any, Callable[..., Any]] = {
    map: mapped,
    filter: filtered,
    functools.reduce: reduced,
    sorted: ordered,
    max: greatest,
    min: least,
    np.apply_along_axis: along_axis,
}
"""What is written out, and as what."""
_BY_IDENTITY = {id(f): g for f, g in _CALLERS.items()}
_EAGER = frozenset(map(id, (list, tuple, sum, sorted, max, min, dict, any, all, math.fsum)))


def caller_of(f: Any) -> Callable[..., Any] | None:
    """The function that is called in the place of f; None where there is none."""
    return _BY_IDENTITY.get(id(f))


def is_lazy(f: Any) -> bool:
    """Whether f makes its items as they are asked for."""
    return f is map or f is filter


def is_eager(f: Any) -> bool:
    """Whether f takes all items of what it is given at once."""
    return id(f) in _EAGER


_ORDERING = frozenset(("sorted", "sort", "max", "min", "nlargest", "nsmallest", "merge", "groupby"))
_TESTING = frozenset(("filter", "filterfalse", "takewhile", "dropwhile"))
"""The names of what runs keys or tests without a derivative."""


def run_natively(call: ast.Call) -> list[ast.expr]:
    """The functions that a call, by its name, runs without a derivative: keys and tests."""
    name = getattr(call.func, "attr", getattr(call.func, "id", ""))
    keys = [k.value for k in call.keywords if k.arg == "key"] if name in _ORDERING else []
    return [*keys, *(call.args[:1] if name in _TESTING else [])]
