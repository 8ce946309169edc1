"""Writers: which parameters a Python function may change in place, told from its source.

A caller has to know before it runs: what a callee writes into is looked after by the caller, which
hands over its adjoint. A global function is known when the caller is transformed. Of a method, the
class is not; so a method counts as a writer when any class that the function can name, or whose
objects an engine was given, has one by that name that is. What is not foreseen in this way is
refused by name when a store happens, never missed.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import CodeType, FunctionType
from typing import Any

import numpy as np

from ...core.caches import new_cache
from ...core.loading import load_for
from .locate import locate
from .mutation import Mutation
from .resolver import Resolver
from .syntax import binds, own_statements, parameter_names

_known: dict[CodeType, frozenset[int]] = new_cache()
_open: dict[CodeType, frozenset[int]] = {}  # those being found out, with what is known so far
_methods: dict[str, list[FunctionType]] = {}
_met: set[type] = set()
HELPERS_OF: dict[CodeType, frozenset[str]] = {}
"""Of each generated program, the names that are its helpers."""


def writes(f: FunctionType) -> frozenset[int]:
    """The parameters that f may change in place, counted as `parameter_names` orders them."""
    code = f.__code__
    found = _known.get(code)
    if found is not None:
        return found
    if code in _open:
        return _open[code]
    _open[code] = frozenset()
    try:
        found = _find(f)
        while found != _open[code]:  # it calls itself
            _open[code] = found
            found = _find(f)
    finally:
        del _open[code]
    if not _open:
        _known[code] = found
    return found


def _find(f: FunctionType) -> frozenset[int]:
    try:
        source = locate(f.__code__)
    except Exception:  # no source: making a program of it says why
        return frozenset()
    node = source.node
    if isinstance(node, ast.Lambda):
        return frozenset()
    ordered = parameter_names(node.args)
    resolver = resolver_of(f, ordered, node.body)
    mutation = Mutation(node.body, resolver, ())
    changed = frozenset[str]().union(*map(mutation.affected, own_statements(node.body)))
    return frozenset(i for i, n in enumerate(ordered) if n in changed)


def resolver_of(f: FunctionType, parameters: list[str], body: list[ast.stmt]) -> Resolver:
    """What can be told of the calls in a function's body."""
    local = {*parameters, *f.__code__.co_freevars}.union(*(binds(s) for s in body))
    namespace = _Namespace(f)
    return Resolver(f.__globals__, local, load_for, writes, namespace.methods, HELPERS_OF.get(f.__code__, ()))


class _Namespace:
    """The classes that a function can name."""

    def __init__(self, f: FunctionType) -> None:
        self.f = f

    def methods(self, name: str, resolver: Resolver) -> Iterator[FunctionType]:
        """The methods by this name of classes that f can name, or that were met."""
        seen: set[int] = set()
        for method in (*_methods.get(name, ()), *self._named(name)):
            if id(method) not in seen:
                seen.add(id(method))
                yield method

    def _named(self, name: str) -> Iterator[FunctionType]:
        cells = (cell for cell in self.f.__closure__ or ())
        contents = [*self.f.__globals__.values(), *(c for c in map(_content, cells) if c is not None)]
        for value in contents:
            if isinstance(value, type) and value.__module__ not in ("numpy", "builtins"):
                method = getattr(value, name, None)
                if isinstance(method, FunctionType):
                    yield method


def _content(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return None


def meet(x: Any) -> None:
    """Take note of the methods of an object that is differentiated, and of what it holds."""
    P = type(x)
    if P in _met or P.__module__ in ("builtins", "numpy"):
        if isinstance(x, list | tuple):
            for item in x[:1]:
                meet(item)
        elif isinstance(x, dict):
            for item in x.values():
                meet(item)
        return
    _met.add(P)
    for cls in P.__mro__:
        if cls.__module__ != "builtins":
            for name, member in vars(cls).items():
                if isinstance(member, FunctionType) and member not in _methods.get(name, ()):
                    _methods.setdefault(name, []).append(member)
    for value in getattr(x, "__dict__", {}).values():
        if not isinstance(value, np.ndarray | float | int | str):
            meet(value)
