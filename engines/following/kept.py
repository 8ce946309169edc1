"""Kept: arrays that pullbacks hold are replaced by copies before their memory is changed.

A pullback holds arrays in its variables, and in what these hold. What the user's program has itself is left
alone: rules are given copies of containers, objects and functions (giving.py).
"""

from __future__ import annotations

import functools
from collections import deque
from collections.abc import Callable, Iterable
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from ...core.callables import describe
from ...core.errors import AliasedMutationError
from ...tangents.own_dict import own_dict
from ...tangents.sparse import is_sparse
from ..source.syntax.codes import content_of
from .here import below, here
from .leaves import holders, holds, is_leaf
from .memory import memory_of, owner_of

_FLAT = (
    *(int, float, complex, str, bytes, bool, type(None), type),
    *(ModuleType, np.generic, BuiltinFunctionType, np.ufunc),
)
_SIMPLE = frozenset((int, float, str, bool, type(None), np.float64, type(np.dtype(float)), slice))
_HELD = (np.ndarray, tuple, list, dict)  # of what a function has by name
RECORDS: set[type] = set()
"""Classes of what holds a run that ended, whose pullbacks are looked through in its place."""
_OF_REGISTRY = "rule"  # the field of a pullback that leads to the registry, which holds no values


def before_change(a: np.ndarray[Any, Any]) -> None:
    """See to it that no pullback sees the change of an array that is about to be made.

    Raises:  AliasedMutationError where an object of a library may hold the array.
    """
    owner = owner_of(a)
    for run in here.runs:
        if id(owner) in run.held:
            holder = run.held[id(owner)][1][0]
            raise AliasedMutationError(
                f"an array is changed in place that shares memory with {describe(holder)}, or may",
                next="give the object a copy of the array",
            )
    _release(owner)


def before_calls(arrays: Iterable[Any]) -> list[Any]:
    """The same before a call that may change arrays, where those are given back that may be held.

    A sparse array is seen to with the arrays that it keeps.
    """
    held = []
    for a in arrays:
        if is_sparse(a):
            for m in memory_of(a):
                _release(m)
            continue
        owner = owner_of(a)
        if any(id(owner) in run.held for run in here.runs):
            held.append(a)
            continue
        try:
            _release(owner)
        except AliasedMutationError:  # a container of the user's holds it
            held.append(a)
    return held


def is_bare(back: Any) -> bool:
    """Whether a pullback is a function that holds numbers, shapes, places and other such functions alone."""
    if type(back) is not FunctionType or back.__defaults__ or back.__kwdefaults__ or back.__dict__:
        return False
    for cell in back.__closure__ or ():
        x = content_of(cell)
        kind = type(x)
        if kind in _SIMPLE or (kind is tuple and _is_flat(x)):
            continue
        if kind is not FunctionType or not is_bare(x):
            return False
    return True


def _is_flat(x: tuple[Any, ...]) -> bool:
    """Whether there are numbers, shapes and places alone in a tuple."""
    return _SIMPLE.issuperset(map(type, x)) or all(
        type(v) in _SIMPLE or (type(v) is tuple and _is_flat(v)) for v in x
    )


def _release(owner: Any) -> None:
    for run in (*here.runs, *here.ended):
        for back, given in run.holding(owner):
            users = frozenset(id(x) for v in given if not is_leaf(v) for x in holders(v))
            _Release(owner, run.outer, users).inside(back)


class _Release:
    """One walk through what a pullback holds."""

    def __init__(self, owner: Any, outer: tuple[Any, ...], users: frozenset[int]) -> None:
        self.owner, self.outer = owner, outer
        self.users = users  # the user's own containers, objects and functions
        self.seen: dict[int, Any] = {}

    def new(self, x: Any) -> Any:
        """What is to stand in place of x."""
        kind = type(x)
        if kind in _SIMPLE or (kind is tuple and _SIMPLE.issuperset(map(type, x))):
            return x
        if kind is not np.ndarray:
            if isinstance(x, _FLAT):
                return x
            if is_sparse(x):
                return self.sparse(x)
            if not isinstance(x, np.ndarray):
                return self.inside(x)
        if owner_of(x) is not self.owner:
            return x
        if id(x) not in self.seen:
            self.seen[id(x)] = below(self.outer, np.copy, x)
        return self.seen[id(x)]

    def sparse(self, x: Any) -> Any:
        """A copy of a sparse array in this memory; any other as it is."""
        if id(x) not in self.seen:
            here = any(m is self.owner for m in memory_of(x))
            self.seen[id(x)] = below(self.outer, type(x).copy, x) if here else x
        return self.seen[id(x)]

    def inside(self, x: Any) -> Any:
        """x with what it holds replaced; another object only for a tuple."""
        if id(x) in self.seen:
            return self.seen[id(x)]
        self.seen[id(x)] = x
        if type(x) in RECORDS:
            for back, _ in x.run.holding(self.owner):
                _Release(self.owner, x.run.outer, self.users).inside(back)
            return x
        if id(x) in self.users:
            self.refuse(x)
        elif isinstance(x, tuple):
            self.seen[id(x)] = self.of_tuple(x)
        elif isinstance(x, FunctionType):
            self.of_function(x)
        elif isinstance(x, MethodType):
            self.new(x.__self__)
        elif isinstance(x, functools.partial):
            args = self.of_tuple(x.args)
            self.each(x.keywords.items(), x.keywords.__setitem__)
            x.__setstate__((self.new(x.func), args, x.keywords, x.__dict__))  # type: ignore[attr-defined]
        else:
            self.of_object(x)
        return self.seen[id(x)]

    def refuse(self, x: Any) -> None:
        """Refuse the change where the pullback sees the array in what is the user's own."""
        if any(isinstance(v, np.ndarray) and owner_of(v) is self.owner for v in holds(x)):
            raise AliasedMutationError(
                f"an array is changed in place that {describe(x)} holds, which a rule was given",
                next="give the rule a copy of the array, or change a copy",
            )
        for v in holds(x):
            self.new(v)

    def of_tuple(self, x: Any) -> Any:
        items = [self.new(v) for v in x]
        if all(a is b for a, b in zip(items, x, strict=True)):
            return x
        return x._make(items) if hasattr(x, "_make") else tuple(items)

    def of_function(self, f: FunctionType) -> None:
        if f.__defaults__:
            f.__defaults__ = self.of_tuple(f.__defaults__)
        for held in (f.__kwdefaults__, f.__dict__):
            if held:
                self.each([(n, v) for n, v in held.items() if type(v) in _HELD], held.__setitem__)
        for cell in f.__closure__ or ():
            try:
                v = cell.cell_contents
            except ValueError:  # not bound yet
                continue
            new = self.new(v)
            if new is not v:
                cell.cell_contents = new

    def of_object(self, x: Any) -> None:
        if isinstance(x, list | deque):
            self.each(enumerate(x), x.__setitem__)
        elif isinstance(x, dict):
            self.each(list(x.items()), x.__setitem__)
        held = own_dict(x)
        names = list(held) if type(held) is dict else []
        for cls in type(x).__mro__:
            slots = cls.__dict__.get("__slots__", ())
            names += [slots] if isinstance(slots, str) else list(slots)
        fields = [(n, getattr(x, n)) for n in names if n != _OF_REGISTRY and hasattr(x, n)]
        self.each(fields, functools.partial(object.__setattr__, x))

    def each(self, parts: Iterable[tuple[Any, Any]], put: Callable[[Any, Any], Any]) -> None:
        for key, v in parts:
            new = self.new(v)
            if new is not v:
                put(key, new)
