"""Recipes: functions of the library that go through what they are given, as followed steps."""

from __future__ import annotations

import bisect
import collections
import functools
import heapq
import itertools
import operator
from collections.abc import Iterator
from types import FunctionType
from typing import Any

import numpy as np

from ...core.lookup import find
from . import operators as operators  # which registers the sites
from .calls import SITES, call, perform
from .comparing import ranking
from .entries import given_to
from .items import getitem
from .iterating import items, iterated, refuse_opaque
from .leaves import is_leaf
from .natives import CONTAINERS, RECIPES, recipe
from .quick import quickly


def _followed(f: Any) -> Any:
    """f for a function in C to call."""
    return None if f is None else functools.partial(call, f)


_ROWS = (zip, enumerate, itertools.tee, collections.deque)
_TAKING = (
    *("extend", "extendleft", "update", "union", "intersection", "difference", "symmetric_difference"),
    *("intersection_update", "difference_update", "symmetric_difference_update", "fromkeys", "__init__"),
    "__iadd__",
)
"""Methods of containers that go through what they are given."""
_NOTHING = object.__init__
_FILTERS = (filter, itertools.filterfalse, itertools.takewhile, itertools.dropwhile)


def _gone_through(made: Any) -> Any:
    return lambda *args, **kwargs: made(*[iterated(a) for a in args], **kwargs)


def _of_entries(made: Any) -> Any:
    return lambda *args, **kwargs: made(*map(given_to, args), **kwargs)


def _filtering(made: Any) -> Any:
    return lambda f, xs: made(SITES["truth"] if f is None else _followed(f), iterated(xs))


def _filled(cls: Any) -> Any:
    return lambda *args: cls(*[items(a) for a in args])


def _keyed(f: Any) -> Any:
    return lambda *args, key=None, **words: f(*args, key=_followed(key), **words)


def _ranking(f: Any) -> Any:
    return lambda n, xs, key=None: f(n, iterated(xs), _followed(key))


RECIPES.update({made: _gone_through(made) for made in _ROWS})
RECIPES.update({made: _of_entries(made) for made in (dict, collections.OrderedDict)})
_ITERTOOLS = {v for v in vars(itertools).values() if isinstance(v, type)} - {itertools.repeat}
RECIPES.update({made: _gone_through(made) for made in _ITERTOOLS})
RECIPES.update({made: _filtering(made) for made in _FILTERS})
RECIPES.update({cls: _filled(cls) for cls in (list, tuple, set, frozenset)})
RECIPES.update({f: _ranking(f) for f in (heapq.nlargest, heapq.nsmallest)})


_BISECTING = (bisect.bisect_left, bisect.bisect_right, bisect.insort_left, bisect.insort_right)
RECIPES.update({f: _keyed(f) for f in _BISECTING})


@recipe(itertools.chain.from_iterable)
def chained(xs: Any) -> Any:
    """`itertools.chain.from_iterable(…)`"""
    return itertools.chain.from_iterable(iterated(x) for x in iterated(xs))


@recipe(map)
def mapped(f: Any, *xs: Any) -> Any:
    """`map(f, …)`"""
    return map(_followed(f), *[iterated(x) for x in xs])


@recipe(functools.cmp_to_key)
def by_comparison(f: Any) -> Any:
    """`functools.cmp_to_key(f)`"""
    return functools.cmp_to_key(_followed(f))


@recipe(itertools.starmap)
def starmapped(f: Any, xs: Any) -> Any:
    """`itertools.starmap(f, …)`"""
    return (call(f, *items(row)) for row in iterated(xs))


@recipe(itertools.groupby)
def grouped(xs: Any, key: Any = None) -> Any:
    """`itertools.groupby(…)`"""
    return itertools.groupby(iterated(xs), _followed(key))


@recipe(itertools.accumulate)
def accumulated(xs: Any, func: Any = None, *, initial: Any = None) -> Any:
    """`itertools.accumulate(…)`"""
    return itertools.accumulate(iterated(xs), _followed(func or operator.add), initial=initial)


@recipe(itertools.count)
def counted(start: Any = 0, step: Any = 1) -> Iterator[Any]:
    """`itertools.count(…)`"""
    while True:
        yield start
        start = SITES["add"](start, step)


@recipe(np.vectorize)
def to_vectorize(*args: Any, **kwargs: Any) -> Any:
    """`np.vectorize(…)`, an object that holds the very function."""
    return np.vectorize(*args, **kwargs)


@recipe(np.vectorize.__call__)
def vectorized(v: Any, *args: Any, **kwargs: Any) -> Any:
    """`np.vectorize(f)(…)`, as the program that its rule is, so that all that f does is seen."""
    found: Any = find("reverse", np.vectorize.__call__, (v, *args), kwargs)
    return call(found.method.rule.body_of(1 + len(args)), v, *args, **kwargs)


@recipe(np.ndenumerate)
def numbered(x: Any) -> Iterator[Any]:
    """`np.ndenumerate(x)`"""
    x = np.asarray(x) if not isinstance(x, np.ndarray) else x
    for i in np.ndindex(x.shape):
        yield i, getitem(x, i)


@recipe(np.flatiter.copy)
def flattened(it: Any) -> Any:
    """`x.flat.copy()`"""
    return call(np.ndarray.flatten, it.base)


@recipe(functools.reduce)
def reduced(f: Any, xs: Any, *initial: Any) -> Any:
    """`functools.reduce(f, …)`"""
    return functools.reduce(_followed(f), iterated(xs), *initial)


@recipe(sorted)
def ordered(xs: Any, *, key: Any = None, reverse: bool = False) -> Any:
    """`sorted(…)`"""
    values = list(iterated(xs))
    return sorted(values, key=ranking(values, _followed(key)), reverse=reverse)


@recipe(list.sort)
def sort(xs: Any, *, key: Any = None, reverse: bool = False) -> None:
    """`xs.sort(…)`"""
    list.sort(xs, key=ranking(xs, _followed(key)), reverse=reverse)


def _taking(f: Any) -> Any:
    """A method that goes through what it is given after its object; a method of the class has none."""
    if isinstance(getattr(f, "__self__", None), type):
        return lambda xs, *value: f(items(xs), *value)
    given = given_to if issubclass(getattr(f, "__objclass__", object), dict) else items
    return lambda x, *args, **kwargs: f(x, *map(given, args), **kwargs)


RECIPES.update(
    {f: _taking(f) for t in CONTAINERS for name in _TAKING if (f := getattr(t, name, _NOTHING)) != _NOTHING}
)


@recipe(list.__setitem__)
def stored(xs: Any, i: Any, v: Any) -> None:
    """`xs.__setitem__(i, v)`"""
    list.__setitem__(xs, i, items(v) if isinstance(i, slice) else v)


@recipe(reversed)
def backwards(x: Any) -> Any:
    """`reversed(x)`"""
    f = getattr(type(x), "__reversed__", None)
    if isinstance(x, np.ndarray):
        return (getitem(x, i) for i in range(len(x) - 1, -1, -1))
    if isinstance(f, FunctionType):
        return iterated(call(f, x))
    if f is None and isinstance(getattr(type(x), "__getitem__", None), FunctionType):
        return (getitem(x, i) for i in range(call(len, x) - 1, -1, -1))
    return reversed(x)


def _extreme(f: Any) -> Any:
    def found(*args: Any, key: Any = None, **default: Any) -> Any:
        if len(args) == 2 and key is None and not default:
            y = quickly(f, args)
            if y is not NotImplemented:
                return y
        values = list(iterated(args[0])) if len(args) == 1 else list(args)
        if len(values) > 1 and key is None and all(map(is_leaf, values)):
            return perform(f, (values,), {})
        return f(values, key=ranking(values, _followed(key)), **default)

    return found


RECIPES.update({f: _extreme(f) for f in (max, min)})


@recipe(sum)
def summed(xs: Any, start: Any = 0) -> Any:
    """`sum(…)`"""
    values = list(iterated(xs))
    if values and type(start) in (int, float) and all(type(v) in (int, float, np.float64) for v in values):
        return perform(sum, (values, start), {}) if start else perform(sum, (values,), {})
    total = start
    for v in values:
        total = SITES["add"](total, v)
    return total


@recipe(iter)
def iterator(x: Any, *end: Any) -> Any:
    """`iter(…)`"""
    return iter(_followed(x), *end) if end else iter(iterated(x))


@recipe(next)
def next_of(it: Any, *default: Any) -> Any:
    """`next(…)`"""
    f = getattr(type(it), "__next__", None)
    if not isinstance(f, FunctionType):
        refuse_opaque(it)
        return next(it, *default)
    try:
        return call(f, it)
    except StopIteration:
        if default:
            return default[0]
        raise
