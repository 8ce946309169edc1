"""Equivalents: functions that stand for a line of Python, or copy, or ask a class for a method of its own."""

from __future__ import annotations

import _thread
import contextvars
import copy
import functools
import math
import operator
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any

import numpy as np

from ...core.errors import NotDifferentiableError, UnsupportedSyntaxError, copied_otherwise
from ...core.registry import rules_of
from ...tangents.sparse import is_sparse
from . import operators as operators  # which registers the sites
from . import recipes as recipes  # some of which are asked first
from .attributes import attr, del_by_object, delattr_, got_by_object, put_by_object, setattr_
from .calls import SITES, call, call_of_other, perform
from .here import here
from .items import delitem, getitem, setitem
from .leaves import OUTSIDE, SIMPLE, holds, is_foreign, is_leaf, leaves_in
from .natives import BINARY, CONTAINERS, GETTERS, RECIPES, UNARY, recipe


@recipe(getattr)
def attribute_got(x: Any, name: str, *default: Any) -> Any:
    """`getattr(x, name)`, or the default."""
    try:
        return attr(x, name)
    except AttributeError:
        if default:
            return default[0]
        raise


@recipe(vars)
def fields_got(*x: Any) -> Any:
    """`vars(x)`"""
    by_rule = len(x) == 1 and any(run.varies(x[0]) for run in here.runs)
    return attr(x[0], "__dict__") if by_rule else vars(*x)


@recipe(setattr)
def attribute_set(x: Any, name: str, v: Any) -> None:
    """`setattr(x, name, v)`"""
    setattr_(v, x, name)


@recipe(operator.setitem)
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


@recipe(operator.methodcaller)
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


@recipe(contextvars.Context.run)
def run_in(context: contextvars.Context, f: Any, *args: Any, **words: Any) -> Any:
    """`context.run(f, …)`"""
    return context.run(call, f, *args, **words)


_THREADS = ("start_new_thread", "start_joinable_thread")
RECIPES.update({f: _starting(f) for name in _THREADS if (f := getattr(_thread, name, None)) is not None})
RECIPES.update({eval: _evaluated, exec: _evaluated})


@recipe(copy.copy)
def copied(x: Any) -> Any:
    """`copy.copy(x)`"""
    f = getattr(type(x), "__copy__", None)
    if isinstance(f, FunctionType):
        return call(f, x)
    if isinstance(x, np.ndarray):
        return perform(np.copy, (x,), {})
    if is_sparse(x) or (is_foreign(x) and any(run.varies(x) for run in here.runs)):
        return perform(copy.copy, (x,), {})
    return copy.copy(x) if type(x) in CONTAINERS else _complete(copy.copy(x), x, {})


@recipe(copy.deepcopy)
def copied_deeply(x: Any, memo: Any = None) -> Any:
    """`copy.deepcopy(x)`"""
    f = getattr(type(x), "__deepcopy__", None)
    if isinstance(f, FunctionType):
        return call(f, x, {} if memo is None else memo)
    memo = {} if memo is None else memo
    for v in list(leaves_in(x)):
        if id(v) not in memo and not isinstance(v, str | bytes) and any(run.varies(v) for run in here.runs):
            memo[id(v)] = perform(np.copy, (v,), {}) if isinstance(v, np.ndarray) else v
    own = [*_copied_by_their_own(x)]
    for v in own:
        if id(v) not in memo and any(run.marks((v,)) for run in here.runs):
            memo[id(v)] = call(type(v).__deepcopy__, v, memo)
    return _complete(copy.deepcopy(x, memo), x, memo, own)


def _copied_by_their_own(x: Any) -> Iterator[Any]:
    """The objects in x whose classes have a `__deepcopy__` in Python, which asks for what is in them."""
    pending, seen = [x], set()
    while pending:
        x = pending.pop()
        if id(x) in seen or type(x) in SIMPLE or is_leaf(x) or isinstance(x, OUTSIDE):
            continue
        seen.add(id(x))
        if isinstance(getattr(type(x), "__deepcopy__", None), FunctionType):
            yield x
        else:
            pending += reversed(holds(x))


def _complete(made: Any, x: Any, memo: dict[int, Any], own: list[Any] | None = None) -> Any:
    """A copy that holds what varies in x, as it is or as the memo has it; `own`: what copies itself.

    Raises:  NotDifferentiableError where it does not, since a class says in another way how it is copied.
    """
    varying = [
        v for v in leaves_in(x) if not isinstance(v, str | bytes) and any(r.varies(v) for r in here.runs)
    ]
    if varying:
        there = {id(v) for v in leaves_in(made)}
        apart = {id(v) for h in own or () for v in leaves_in(h)}
        varying = [v for v in varying if id(v) not in apart]
        if any(id(memo.get(id(v), v)) not in there for v in varying):
            raise copied_otherwise(type(x))
    return made


def _by_method(f: Any, name: str) -> Any:
    before = RECIPES.get(f)

    def found(*args: Any, **words: Any) -> Any:
        if f is len and len(args) == 1 and type(args[0]) in _SIZED:
            return len(args[0])
        method: Any = getattr(type(args[0]), name, None) if args else None
        if isinstance(method, FunctionType) and (not is_leaf(args[0]) or rules_of(method) is not None):
            return call(method, *args, **words)
        return call_of_other(f, args, words) if before is None else before(*args, **words)

    return found


_SIZED = frozenset((tuple, list, dict, range, np.ndarray))
_BY_METHOD = {abs: "abs", float: "float", int: "int", complex: "complex", len: "len", round: "round"}
_BY_METHOD |= {math.floor: "floor", math.ceil: "ceil", math.trunc: "trunc", bool: "bool"}
RECIPES.update({f: _by_method(f, f"__{name}__") for f, name in _BY_METHOD.items()})
