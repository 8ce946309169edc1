"""Held functions: those that change what they are given, as values of variables, lists, dicts and fields.

In `for boundary in (left, right): boundary(u)` nobody can tell from the call what it changes. What can be
told is which functions are about: those that the body uses otherwise than by calling them, and those that
came with the arguments. So a call of what is not known may change what stands at any place at which one of
them changes something. A caller tells that of those that it sees; who is called is told as it runs, by
its form.
"""

from __future__ import annotations

import ast
import functools
import itertools
from collections import deque
from collections.abc import Callable, Iterable
from types import CellType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from ....core.registry import rules_of
from ..reading.callees import WRITING
from ..reading.passed import ITSELF
from ..reading.resolver import Resolver
from ..syntax.scopes import binds, own, own_statements, parameter_names, walk

Positions = frozenset[int]
Asked = Callable[[FunctionType], Positions]
NOWHERE: Positions = frozenset()
_LISTED = (list, tuple, deque)
_EMPTY = CellType()
_DEPTH, _FIRST = 4, 8
"""How deep in objects and containers functions are looked for, and among how many of a container."""
_WITHOUT_FUNCTIONS = frozenset((float, int, bool, np.float64, np.ndarray, str, type(None)))
_PLAIN = (np.ndarray, np.generic, int, float, complex, str, bytes, type(None), type, ModuleType)


def in_body(
    resolver: Resolver, body: list[ast.stmt], known: set[str], makes: Iterable[type] = ()
) -> Positions:
    """The places at which functions that a body holds as values change what they are given.

    `known`: the names that its code knows; `makes`: the classes of objects that it may make.
    """
    writes, found = resolver.writes, dict[str, Positions]()
    places = NOWHERE.union(*(_of_object(P, writes) for P in makes))
    for name in known:
        if name in resolver.defined:
            found[name] = frozenset(resolver.defined[name])
        elif not resolver.is_local(name) and name in resolver.namespace:
            value = resolver.namespace[name]
            found[name] = _of(value, writes)
            if not isinstance(value, FunctionType):
                places |= found[name]  # also where it is called: it may call what it holds
    methods = {n: _of_methods(named, writes) for n in known if (named := resolver.methods(n, resolver))}
    several = WRITING & known or any((*found.values(), *methods.values()))
    nodes = [n for s in body for n in walk(s)] if several else _lambdas(body)
    called = {id(n.func) for n in nodes if isinstance(n, ast.Call)}
    for n in nodes:
        if isinstance(n, ast.Call) and resolver.value(n.func)[1] is functools.partial:
            of, first = getattr(n.args[0], "id", getattr(n.args[0], "attr", "")), len(n.args) - 1
            places = places.union(i - first for i in {*found.get(of, ()), *methods.get(of, ())} if i >= first)
        elif isinstance(n, ast.Lambda):
            places |= _of_lambda(n, resolver)
        elif id(n) not in called and isinstance(n, ast.Name):
            places |= found.get(n.id, NOWHERE)
        elif id(n) not in called and isinstance(n, ast.Attribute):
            places |= methods.get(n.attr, NOWHERE)
            writing = n.attr in WRITING and resolver.value(n.value)[0]  # of NumPy, as in `np.copyto`
            if writing and not isinstance(resolver.value(n)[1], np.ufunc):
                places |= {0}
    return places


def is_held(e: ast.expr, resolver: Resolver) -> bool:
    """Whether an expression is a function that changes what it is given, as far as it says."""
    if isinstance(e, ast.Lambda):
        return bool(_of_lambda(e, resolver))
    if isinstance(e, ast.Name):
        known, value = resolver.value(e)
        return not known or bool(_of(value, resolver.writes))
    methods = resolver.methods(e.attr, resolver) if isinstance(e, ast.Attribute) else ()
    return bool(_of_methods(methods, resolver.writes))


def _lambdas(body: list[ast.stmt]) -> list[ast.AST]:
    return [e for s in own_statements(body) for e in own(s).lambdas]


def _of_lambda(node: ast.Lambda, resolver: Resolver) -> Positions:
    names = parameter_names(node.args)
    nodes = walk(node.body)
    owners = [e for c in nodes if isinstance(c, ast.Call) for e in resolver.changed(c)]
    owners += [e.value for e in nodes if isinstance(e, ast.Attribute) and resolver.changes_itself(e)]
    changed = {e.id for e in owners if isinstance(e, ast.Name)} - binds(node.body)
    return frozenset(i for i, name in enumerate(names) if name in changed)


def _of_methods(methods: Iterable[FunctionType], writes: Asked) -> Positions:
    return NOWHERE.union(*({i - 1 for i in writes(m) if i} for m in methods))


def _of(x: Any, writes: Asked, depth: int = _DEPTH) -> Positions:
    """The places at which a function, or those that something holds, change what they are given."""
    if type(x) is FunctionType:
        return writes(x) if rules_of(x) is None else NOWHERE
    if isinstance(x, MethodType):
        return _of_methods([x.__func__], writes) if isinstance(x.__func__, FunctionType) else NOWHERE
    if isinstance(x, functools.partial):
        return frozenset(i - len(x.args) for i in _of(x.func, writes, 0) if i >= len(x.args))
    if isinstance(x, _PLAIN):
        return NOWHERE
    own = _of_object(type(x), writes)
    return own | among(_held(x), writes, depth - 1) if depth else own


def _of_object(P: type, writes: Asked) -> Positions:
    """The places at which objects of a class change what they are given when called, or themselves."""
    call = getattr(P, "__call__", None)  # noqa: B004  # the method is wanted, not whether there is one
    if not isinstance(call, FunctionType) or rules_of(call) is not None:
        return NOWHERE
    return frozenset(i - 1 if i else ITSELF for i in writes(call))


def _held(x: Any) -> Iterable[Any]:
    """What an object has in its fields; what is in a container, if functions are among its first."""
    P: Any = next((P for P in (*_LISTED, dict) if isinstance(x, P)), None)
    if P is None:
        try:
            fields: dict[str, Any] = object.__getattribute__(x, "__dict__")  # whatever `__getattr__` there is
        except AttributeError:
            return ()
        return fields.values()
    held: Callable[[Any], Iterable[Any]] = dict.values if P is dict else P.__iter__  # those of Python
    first = [*itertools.islice(held(x), _FIRST)]
    return held(x) if any(map(callable, first)) else first


def among(values: Iterable[Any], writes: Asked, depth: int = _DEPTH) -> Positions:
    """The same of several, such as what a call is given."""
    found = (_of(x, writes, depth) for x in values if type(x) not in _WITHOUT_FUNCTIONS)
    return NOWHERE.union(*found)


def given(f: FunctionType, args: Iterable[Any], words: Iterable[Any], writes: Asked) -> Positions:
    """The same of what comes with a call of f, and of what f captured."""
    return among((*args, *words, *captured_by(f)), writes)


def captured_by(f: FunctionType) -> Iterable[Any]:
    """The values of the variables that f captured, and those that its parameters have by default."""
    cells = (c.cell_contents for c in f.__closure__ or () if c != _EMPTY)
    return (*cells, *(f.__defaults__ or ()), *(f.__kwdefaults__ or {}).values())
