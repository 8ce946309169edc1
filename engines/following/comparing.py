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


class Ranked:
    """An object in an order that the method of its class says, as a site asks it."""

    def __init__(self, own: Any) -> None:
        self.own = own

    def _before(self, other: Any, name: str) -> bool:
        return bool(SITES["truth"](SITES[name](self.own, getattr(other, "own", other))))

    def __lt__(self, other: Any) -> bool:
        return self._before(other, "lt")

    def __gt__(self, other: Any) -> bool:
        return self._before(other, "gt")


def _ranked(x: Any) -> Any:
    return Ranked(x) if isinstance(type(x).__lt__, FunctionType) else x


def ranking(values: Any, key: Any) -> Any:
    """The key for C code to rank values by, which have a key or have none."""
    if key is not None:
        return lambda v: _ranked(key(v))
    own = any(isinstance(P.__lt__, FunctionType) for P in {type(v) for v in values})
    return _ranked if own else None


def _each_asked(f: Any) -> Any:
    return lambda xs: f(SITES["truth"](x) for x in iterated(xs))


RECIPES.update({f: _each_asked(f) for f in (all, any)})
RECIPES[operator.contains] = lambda xs, x: in_(x, xs)
RECIPES.update({operator.is_: is_, operator.is_not: is_not})


def _hashed(x: Any) -> Any:
    method = getattr(type(x), "__hash__", None)
    return call(method, x) if isinstance(method, FunctionType) else call_of_other(hash, (x,), {})


RECIPES[hash] = _hashed
