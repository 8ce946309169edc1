"""Iterating: what loops, unpacking and `with` go over."""

from __future__ import annotations

from collections.abc import Iterator
from types import FunctionType, GeneratorType
from typing import Any

import numpy as np

from .calls import SITES, call, site
from .here import here
from .items import getitem, part_of_text
from .overlapping import is_writeable
from .refusing import no_rule

SITES["slice"] = slice
_BY_ITEMS = np.ndarray.__iter__
"""What goes over an array, unless its class says otherwise."""


@site
def iterated(x: Any) -> Any:
    """What a loop goes over."""
    if not here.runs:
        return x
    kind = type(x)
    if kind is list or kind is tuple or kind is dict or kind is range:
        return x
    if kind is GeneratorType:
        refuse_opaque(x)
        return x
    if kind is str or kind is bytes:
        return [part_of_text(x, i) for i in range(len(x))] if any(id(x) in r.live for r in here.runs) else x
    if kind is np.flatiter:
        return iterated(call(np.ravel, x.base))
    f = getattr(kind, "__iter__", None)
    if isinstance(x, np.ndarray) and f is _BY_ITEMS:
        return of_array(x) if x.ndim and may_vary(x) else x
    if isinstance(f, FunctionType):
        it = call(f, x)
        return _stepped(it) if isinstance(getattr(type(it), "__next__", None), FunctionType) else iterated(it)
    if f is None and isinstance(getattr(kind, "__getitem__", None), FunctionType):
        return _subscripted(x)
    refuse_opaque(x)
    return _stepped(x) if isinstance(getattr(kind, "__next__", None), FunctionType) else x


def refuse_opaque(x: Any) -> None:
    """Refuse to go through what an opaque function made."""
    for run in here.runs:
        if id(x) in run.live:
            raise run.why.get(id(x)) or no_rule(iter, (x,), {}, run)


def may_vary(x: Any) -> bool:
    """Whether an array varies, or may before its last number is read: a store into it would be seen then."""
    if x.ndim == 1 and x.dtype.kind in "fc" and is_writeable(x):
        return True
    return any(run.varies(x) for run in here.runs)


def of_array(x: Any) -> Iterator[Any]:
    """The items of an array that varies."""
    for i in range(len(x)):
        yield getitem(x, i)


def _stepped(it: Any) -> Iterator[Any]:
    step = type(it).__next__
    while True:
        try:
            v = call(step, it)
        except StopIteration:
            return
        yield v


def _subscripted(x: Any) -> Iterator[Any]:
    i = 0
    while True:
        try:
            v = getitem(x, i)
        except IndexError:
            return
        yield v
        i += 1


@site
def items(x: Any) -> Any:
    """What x gives when it is gone through at once."""
    by_items = here.runs and isinstance(x, np.ndarray) and type(x).__iter__ is _BY_ITEMS
    return list(of_array(x)) if by_items else iterated(x)


@site
def unpacked_items(it: Any, pattern: Any) -> Any:
    """The items of an iterable, each taken apart as a target does."""
    return (_unpacked(v, pattern) for v in it) if here.runs else it


def _unpacked(v: Any, pattern: Any) -> Any:
    v = items(v)
    if any(p is not None for p in pattern):
        v = list(v)
        if len(v) == len(pattern):
            return [x if p is None else _unpacked(x, p) for x, p in zip(v, pattern, strict=True)]
    return v


class Manager:
    """A context manager whose methods are followed."""

    def __init__(self, own: Any) -> None:
        self.own = own

    def __enter__(self) -> Any:
        return call(type(self.own).__enter__, self.own)

    def __exit__(self, *error: Any) -> Any:
        return call(type(self.own).__exit__, self.own, *error)


@site
def manager(x: Any) -> Any:
    """What a `with` statement enters."""
    own = here.runs and isinstance(getattr(type(x), "__exit__", None), FunctionType)
    return Manager(x) if own else x
