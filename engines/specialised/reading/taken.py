"""Taken apart: objects that a function captured, as templates of what they are made of.

An object of a library that varies is made of what its rule says that it holds; one that does not is known. An
object of a plain class is made of its fields, if no method sets any: one that remembers something is not. A
list or dictionary is made of its entries; who captured it sees to it that nobody changes it.
"""

from __future__ import annotations

import dis
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from types import FunctionType, MethodType
from typing import Any

import numpy as np

from ....core.holdings import holding_of
from ....core.registry import rules_of
from ....tangents import ZERO
from ...source.analysis.writers import writes
from ...source.syntax.codes import content_of
from .anew import holding_anew, still_anew
from .declined import Declined
from .held import MADE, Held, is_made, is_moving, is_standing
from .kinds import LONG, is_keyed
from .objects import fields_of, is_named, is_object, object_anew
from .templates import Bind, Fixed, Leaf, OfPartial, Parts, Template

_STILL = (int, bool, str, type(None))
_DEEP = 4


class NotTaken(Exception):
    """What is not taken apart."""


@dataclass(frozen=True)
class Still(Fixed):
    """A number, text or truth value that is the same in each call, and tells how others are read."""

    of: type

    def text(self, given: Iterator[str], bind: Bind) -> str:
        return repr(self.value)


@dataclass(frozen=True)
class OfCode(Fixed):
    """A function that captured nothing; another one of the same code does the same."""

    value: Any = field(compare=False)
    code: Any


@dataclass(frozen=True)
class OfLibrary(Parts):
    """An object of a library, of which a rule said what it holds."""

    def inside(self, v: Any) -> Iterable[Any]:
        return [Held(v), *holding_of(v).values]  # type: ignore[union-attr]  # it was asked before

    def text(self, given: Iterator[str], bind: Bind) -> str:
        raw, *values = [item.text(given, bind) for item in self.items]
        return f"{bind(holding_anew)}({', '.join([raw, repr(self.keys[1:]), *values])})"

    def tangent(self, given: Iterator[Any]) -> Any:
        next(given)
        return Parts(self.of, self.keys[1:], self.items[1:]).tangent(given)


@dataclass(frozen=True)
class OfStanding(Leaf):
    """An object of a library that does not vary."""

    of: type

    def leaves(self, v: Any) -> Iterator[Any]:
        yield Held(v, still=True)

    def text(self, given: Iterator[str], bind: Bind) -> str:
        return f"{bind(still_anew)}({next(given)})"

    def tangent(self, given: Iterator[Any]) -> Any:
        next(given)
        return ZERO

    def spread(self, t: Any) -> Iterator[Any]:
        yield ZERO


@dataclass(frozen=True)
class OfUsers(Parts):
    """An object of a plain class, a list or a dictionary."""

    def text(self, given: Iterator[str], bind: Bind) -> str:
        values = [item.text(given, bind) for item in self.items]
        return f"{bind(object_anew)}({', '.join([bind(self.of), repr(self.keys), *values])})"


def taken(v: Any, depth: int = 0) -> Template:
    """What a captured object, or a tuple with some in it, is made of; NotTaken where that is not known."""
    if depth > _DEEP:
        raise NotTaken
    t = type(v)
    if is_floating(v) or isinstance(v, np.integer) or (t is np.ndarray and v.dtype.kind in "bi" and v.ndim):
        return Leaf()
    if t in _STILL:
        return Still(v, t)
    if t is tuple:
        return Parts(tuple, (), tuple([taken(x, depth + 1) for x in v]))
    if t is list and len(v) <= LONG:
        return OfUsers(list, (), tuple([taken(x, depth + 1) for x in v]))
    if t is dict and is_keyed(v):
        return OfUsers(dict, tuple(v), tuple([taken(x, depth + 1) for x in v.values()]))
    if isinstance(v, tuple) and is_named(t):
        return Parts(t, t._fields, tuple([taken(x, depth + 1) for x in v]))
    if t is partial or t is MethodType:
        return _of_partial(v, depth)
    if is_made(v) and not is_moving(v):
        return _of_library(v, depth)
    if is_object(v) and not _sets(t):
        try:
            fields = fields_of(v)
        except Declined:
            raise NotTaken from None
        return OfUsers(t, tuple(fields), tuple([taken(x, depth + 1) for x in fields.values()]))
    raise NotTaken


def _of_partial(v: Any, depth: int) -> Template:
    """What a method, or a function of which some arguments are given, is made of."""
    f, *given = OfPartial(type(v), (), ()).inside(v)
    if type(f) is not FunctionType or rules_of(f) is not None or writes(f):
        raise NotTaken
    local = "<locals>" in f.__qualname__
    if (local and (f.__defaults__ or f.__kwdefaults__)) or not _has_classes(f):
        raise NotTaken
    function = OfCode(f, f.__code__) if local and not f.__closure__ else Fixed(f)
    words = {} if type(v) is MethodType else v.keywords
    keys = ("func", *map(str, range(len(given) - len(words))), *words)
    return OfPartial(type(v), keys, (function, *[taken(x, depth + 1) for x in given]))


def _has_classes(f: FunctionType) -> bool:
    """Whether a function captured nothing but classes, as one that calls `super()`."""
    return all(isinstance(content_of(cell), type) for cell in f.__closure__ or ())


def _of_library(v: Any, depth: int) -> Template:
    holding = holding_of(v)
    if holding is None and is_standing(v):
        return Fixed(v) if _is_of_module(v) else OfStanding(type(v))
    if holding is None or holding.names is None:
        raise NotTaken
    values = tuple([taken(x, depth + 1) for x in holding.values])
    return OfLibrary(type(v), (MADE, *holding.names), (Leaf(), *values))


def _is_of_module(v: Any) -> bool:
    """Whether an object belongs to its module, as a distribution that is not frozen."""
    name = getattr(v, "name", None)
    return type(name) is str and getattr(sys.modules.get(type(v).__module__), name, None) is v


def _sets(P: type) -> bool:
    """Whether a method of a class sets a field of anything, or changes what a field holds."""
    named = [(n, f) for Q in P.__mro__[:-1] for n, f in vars(Q).items() if type(f) is FunctionType]
    methods = [f for n, f in named if n not in ("__init__", "__post_init__")]
    return any(sets_fields(f.__code__) or writes(f) for f in methods)


def sets_fields(code: Any) -> bool:
    """Whether code itself sets a field of anything."""
    return any(i.opname in ("STORE_ATTR", "DELETE_ATTR") for i in dis.get_instructions(code))


def is_floating(v: Any) -> bool:
    """Whether a value is a float or an array of them."""
    return (
        type(v) is float
        or type(v) is np.float64
        or (type(v) is np.ndarray and v.dtype == float and v.ndim > 0)
    )
