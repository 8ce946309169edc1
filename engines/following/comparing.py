"""Comparing: `is`, `in`, and what C code asks of an object by itself, by the methods of its class."""

from __future__ import annotations

import operator
from types import FunctionType
from typing import Any

from .calls import SITES, call, call_of_other, site
from .here import here
from .iterating import iterated
from .natives import RECIPES

_SCANNED = (list, tuple)


def _own_of(x: Any) -> Any:
    """What the user gave, of what a run has in its place."""
    for run in reversed(here.runs):
        x = run.given.get(id(x), x)
    return x


@site
def is_(a: Any, b: Any) -> bool:
    """`a is b`, of what the user gave"""
    return a is b or (bool(here.runs) and a is not None and b is not None and _own_of(a) is _own_of(b))


@site
def is_not(a: Any, b: Any) -> bool:
    """`a is not b`"""
    return not is_(a, b)


@site
def in_(x: Any, xs: Any) -> bool:
    """`x in xs`"""
    kind = type(xs)
    f = getattr(kind, "__contains__", None)
    if not here.runs:
        return x in xs
    if isinstance(f, FunctionType):
        return bool(SITES["truth"](call(f, xs, x)))
    if f is None and isinstance(getattr(kind, "__iter__", None), FunctionType):
        xs = list(iterated(xs))
    if type(xs) in _SCANNED and isinstance(getattr(type(x), "__eq__", None), FunctionType):
        return any(v is x or SITES["truth"](SITES["eq"](v, x)) for v in xs)
    return x in xs


@site
def not_in(x: Any, xs: Any) -> bool:
    """`x not in xs`"""
    return not in_(x, xs)


def _each_asked(f: Any) -> Any:
    return lambda xs: f(SITES["truth"](x) for x in iterated(xs))


RECIPES.update({f: _each_asked(f) for f in (all, any)})
RECIPES[operator.contains] = lambda xs, x: in_(x, xs)
RECIPES.update({operator.is_: is_, operator.is_not: is_not})


def _hashed(x: Any) -> Any:
    method = getattr(type(x), "__hash__", None)
    return call(method, x) if isinstance(method, FunctionType) else call_of_other(hash, (x,), {})


RECIPES[hash] = _hashed
