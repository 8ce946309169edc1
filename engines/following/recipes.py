"""Recipes: functions of the library that call functions, go through arrays or copy, as followed steps."""

from __future__ import annotations

import _thread
import bisect
import collections
import copy
import functools
import heapq
import itertools
import math
import operator
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any

import numpy as np

from ...core.errors import NotDifferentiableError, UnsupportedSyntaxError
from ...core.registry import rules_of
from . import operators as operators  # which registers the sites
from .attributes import attr, del_by_object, delattr_, got_by_object, put_by_object, setattr_
from .calls import SITES, call, call_of_other, perform
from .comparing import ranking
from .here import here
from .items import delitem, getitem, setitem
from .iterating import items, iterated, refuse_opaque
from .leaves import is_leaf, leaves_in
from .natives import BINARY, CONTAINERS, GETTERS, RECIPES, UNARY
from .quick import quickly


def _recipe(*functions: Any) -> Callable[[Any], Any]:
    def put(g: Any) -> Any:
        RECIPES.update(dict.fromkeys(functions, g))
        return g

    return put


def _followed(f: Any) -> Any:
    """f for a function in C to call."""
    return None if f is None else functools.partial(call, f)


def _is_python(f: Any) -> bool:
    return isinstance(f, FunctionType)


# ---------------------------------------------------------------- what goes through iterables

_ROWS = (*(zip, enumerate, itertools.tee, collections.deque, dict, collections.OrderedDict),)
_TAKING = (
    *("extend", "extendleft", "update", "union", "intersection", "difference", "symmetric_difference"),
    *("intersection_update", "difference_update", "symmetric_difference_update", "fromkeys", "__init__"),
)
"""Methods of containers that go through what they are given."""
_FILTERS = (filter, itertools.filterfalse, itertools.takewhile, itertools.dropwhile)


def _gone_through(made: Any) -> Any:
    return lambda *args, **kwargs: made(*[iterated(a) for a in args], **kwargs)


def _filtering(made: Any) -> Any:
    return lambda f, xs: made(SITES["truth"] if f is None else _followed(f), iterated(xs))


def _filled(cls: Any) -> Any:
    return lambda *args: cls(*[items(a) for a in args])


def _keyed(f: Any) -> Any:
    return lambda *args, key=None, **words: f(*args, key=_followed(key), **words)


def _ranking(f: Any) -> Any:
    return lambda n, xs, key=None: f(n, iterated(xs), _followed(key))


RECIPES.update({made: _gone_through(made) for made in _ROWS})
_ITERTOOLS = {v for v in vars(itertools).values() if isinstance(v, type)} - {itertools.repeat}
RECIPES.update({made: _gone_through(made) for made in _ITERTOOLS})
RECIPES.update({made: _filtering(made) for made in _FILTERS})
RECIPES.update({cls: _filled(cls) for cls in (list, tuple, set, frozenset)})
RECIPES.update({f: _ranking(f) for f in (heapq.nlargest, heapq.nsmallest)})


_BISECTING = (bisect.bisect_left, bisect.bisect_right, bisect.insort_left, bisect.insort_right)
RECIPES.update({f: _keyed(f) for f in _BISECTING})


@_recipe(itertools.chain.from_iterable)
def chained(xs: Any) -> Any:
    """`itertools.chain.from_iterable(…)`"""
    return itertools.chain.from_iterable(iterated(x) for x in iterated(xs))


@_recipe(map)
def mapped(f: Any, *xs: Any) -> Any:
    """`map(f, …)`"""
    return map(_followed(f), *[iterated(x) for x in xs])


@_recipe(itertools.starmap)
def starmapped(f: Any, xs: Any) -> Any:
    """`itertools.starmap(f, …)`"""
    return (call(f, *items(row)) for row in iterated(xs))


@_recipe(itertools.groupby)
def grouped(xs: Any, key: Any = None) -> Any:
    """`itertools.groupby(…)`"""
    return itertools.groupby(iterated(xs), _followed(key))


@_recipe(itertools.accumulate)
def accumulated(xs: Any, func: Any = None, *, initial: Any = None) -> Any:
    """`itertools.accumulate(…)`"""
    return itertools.accumulate(iterated(xs), _followed(func or operator.add), initial=initial)


@_recipe(itertools.count)
def counted(start: Any = 0, step: Any = 1) -> Iterator[Any]:
    """`itertools.count(…)`"""
    while True:
        yield start
        start = SITES["add"](start, step)


@_recipe(np.ndenumerate)
def numbered(x: Any) -> Iterator[Any]:
    """`np.ndenumerate(x)`"""
    x = np.asarray(x) if not isinstance(x, np.ndarray) else x
    for i in np.ndindex(x.shape):
        yield i, getitem(x, i)


@_recipe(np.flatiter.copy)
def flattened(it: Any) -> Any:
    """`x.flat.copy()`"""
    return call(np.ndarray.flatten, it.base)


@_recipe(functools.reduce)
def reduced(f: Any, xs: Any, *initial: Any) -> Any:
    """`functools.reduce(f, …)`"""
    return functools.reduce(_followed(f), iterated(xs), *initial)


@_recipe(sorted)
def ordered(xs: Any, *, key: Any = None, reverse: bool = False) -> Any:
    """`sorted(…)`"""
    values = list(iterated(xs))
    return sorted(values, key=ranking(values, _followed(key)), reverse=reverse)


@_recipe(list.sort)
def sort(xs: Any, *, key: Any = None, reverse: bool = False) -> None:
    """`xs.sort(…)`"""
    list.sort(xs, key=ranking(xs, _followed(key)), reverse=reverse)


def _taking(f: Any) -> Any:
    return lambda *args, **kwargs: f(*[items(a) if isinstance(a, np.ndarray) else a for a in args], **kwargs)


RECIPES.update(
    {f: _taking(f) for t in CONTAINERS for name in _TAKING if (f := getattr(t, name, None)) is not None}
)


@_recipe(reversed)
def backwards(x: Any) -> Any:
    """`reversed(x)`"""
    f = getattr(type(x), "__reversed__", None)
    if isinstance(x, np.ndarray):
        return (getitem(x, i) for i in range(len(x) - 1, -1, -1))
    if _is_python(f):
        return iterated(call(f, x))
    if f is None and _is_python(getattr(type(x), "__getitem__", None)):
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


@_recipe(sum)
def summed(xs: Any, start: Any = 0) -> Any:
    """`sum(…)`"""
    values = list(iterated(xs))
    if values and type(start) in (int, float) and all(type(v) in (int, float, np.float64) for v in values):
        return perform(sum, (values, start), {}) if start else perform(sum, (values,), {})
    total = start
    for v in values:
        total = SITES["add"](total, v)
    return total


@_recipe(iter)
def iterator(x: Any, *end: Any) -> Any:
    """`iter(…)`"""
    return iter(_followed(x), *end) if end else iter(iterated(x))


@_recipe(next)
def next_of(it: Any, *default: Any) -> Any:
    """`next(…)`"""
    f = getattr(type(it), "__next__", None)
    if not _is_python(f):
        refuse_opaque(it)
        return next(it, *default)
    try:
        return call(f, it)
    except StopIteration:
        if default:
            return default[0]
        raise


# ---------------------------------------------------------------- what stands for a line of Python


@_recipe(getattr)
def attribute_got(x: Any, name: str, *default: Any) -> Any:
    """`getattr(x, name)`, or the default."""
    try:
        return attr(x, name)
    except AttributeError:
        if default:
            return default[0]
        raise


@_recipe(setattr)
def attribute_set(x: Any, name: str, v: Any) -> None:
    """`setattr(x, name, v)`"""
    setattr_(v, x, name)


@_recipe(operator.setitem)
def item_set(x: Any, i: Any, v: Any) -> None:
    """`operator.setitem(x, i, v)`"""
    setitem(v, x, i)


for _name in BINARY:
    RECIPES[getattr(operator, _name)] = SITES[_name]
    _in_place = f"i{_name.strip('_')}"
    RECIPES[getattr(operator, _in_place)] = SITES[_in_place]
RECIPES.update({getattr(operator, name): SITES[name] for name in UNARY})
RECIPES.update({object.__setattr__: put_by_object, object.__getattribute__: got_by_object})
RECIPES.update({delattr: delattr_, object.__delattr__: del_by_object})
RECIPES.update({operator.getitem: getitem, operator.delitem: delitem})
RECIPES.update({operator.concat: SITES["add"], operator.iconcat: SITES["iadd"]})
if hasattr(operator, "call"):
    RECIPES[operator.call] = call


def caller(name: str, *args: Any, **kwargs: Any) -> Callable[[Any], Any]:
    """`operator.methodcaller(name, …)`"""
    return lambda x: getattr(x, name)(*args, **kwargs)


def parts_of_caller(f: Any) -> tuple[str, tuple[Any, ...], dict[str, Any]]:
    """The name and arguments of a methodcaller."""
    made, args = f.__reduce__()
    if isinstance(made, functools.partial):
        return made.args[0], args, dict(made.keywords)
    return args[0], args[1:], {}


def _item_got(f: Any, x: Any) -> Any:
    """`operator.itemgetter(k, …)(x)`"""
    keys = f.__reduce__()[1]
    return getitem(x, keys[0]) if len(keys) == 1 else tuple([getitem(x, k) for k in keys])


def _attributes_got(f: Any, x: Any) -> Any:
    """`operator.attrgetter(name, …)(x)`"""
    found = [functools.reduce(attr, name.split("."), x) for name in f.__reduce__()[1]]
    return found[0] if len(found) == 1 else tuple(found)


def _method_called(f: Any, x: Any) -> Any:
    """`operator.methodcaller(name, …)(x)`"""
    name, args, kwargs = parts_of_caller(f)
    return call(attr(x, name), *args, **kwargs)


GETTERS[operator.itemgetter], GETTERS[operator.attrgetter] = _item_got, _attributes_got
GETTERS[operator.methodcaller] = _method_called


@_recipe(operator.methodcaller)
def caller_made(name: str, *args: Any, **kwargs: Any) -> Any:
    """`operator.methodcaller(name, …)`, as a function whose variables show what it holds"""
    return call(caller, name, *args, **kwargs)


RECIPES[functools.update_wrapper] = functools.update_wrapper  # which only moves what it is given


def _evaluated(*args: Any, **words: Any) -> Any:
    raise UnsupportedSyntaxError(
        "text is run as code in a differentiated function", next="write a function, and call it"
    )


def _starting(start: Any) -> Any:
    def started(function: Any, *args: Any, **words: Any) -> Any:
        if any(run.marks((function, *args)) for run in here.runs):
            raise NotDifferentiableError(
                "another thread is started with differentiated values, which no site sees there",
                next="compute in this thread, or start threads around the derivative",
            )
        return start(function, *args, **words)

    return started


_THREADS = ("start_new_thread", "start_joinable_thread")
RECIPES.update({f: _starting(f) for name in _THREADS if (f := getattr(_thread, name, None)) is not None})
RECIPES.update({eval: _evaluated, exec: _evaluated})


# ---------------------------------------------------------------- copies, and what classes say of themselves


@_recipe(copy.copy)
def copied(x: Any) -> Any:
    """`copy.copy(x)`"""
    f = getattr(type(x), "__copy__", None)
    if _is_python(f):
        return call(f, x)
    return perform(np.copy, (x,), {}) if isinstance(x, np.ndarray) else copy.copy(x)


@_recipe(copy.deepcopy)
def copied_deeply(x: Any, memo: Any = None) -> Any:
    """`copy.deepcopy(x)`"""
    f = getattr(type(x), "__deepcopy__", None)
    if _is_python(f):
        return call(f, x, {} if memo is None else memo)
    memo = {} if memo is None else memo
    for v in list(leaves_in(x)):
        if id(v) not in memo and not isinstance(v, str | bytes) and any(run.varies(v) for run in here.runs):
            memo[id(v)] = perform(np.copy, (v,), {}) if isinstance(v, np.ndarray) else v
    return copy.deepcopy(x, memo)


def _by_method(f: Any, name: str) -> Any:
    before = RECIPES.get(f)

    def found(*args: Any, **words: Any) -> Any:
        if f is len and len(args) == 1 and type(args[0]) in _SIZED:
            return len(args[0])
        method: Any = getattr(type(args[0]), name, None) if args else None
        if _is_python(method) and (not is_leaf(args[0]) or rules_of(method) is not None):
            return call(method, *args, **words)
        return call_of_other(f, args, words) if before is None else before(*args, **words)

    return found


_SIZED = frozenset((tuple, list, dict, range, np.ndarray))
_BY_METHOD = {abs: "abs", float: "float", int: "int", complex: "complex", len: "len", round: "round"}
_BY_METHOD |= {math.floor: "floor", math.ceil: "ceil", math.trunc: "trunc", bool: "bool"}
RECIPES.update({f: _by_method(f, f"__{name}__") for f, name in _BY_METHOD.items()})
