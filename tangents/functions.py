"""What a function stores: the variables that it captured, the object it is bound to, the arguments it holds.

    a closure            each captured variable, by its name
    a bound method       __self__
    functools.partial    func, args, keywords

A variable that is not bound yet is no field, nor is the function itself where it calls itself. A
function whose captured values lead back to it, as a method kept by its own object does, has no fields:
what it holds belongs to the object. Global variables are not captured, and defaults are not fields.
Rebuilt, a function keeps its code, defaults, attributes and names, and has variables of its own.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from types import CellType, FunctionType, MethodType
from typing import Any

from . import algebra
from .composite import SEQUENCES
from .equality import same_values
from .registered import constructors

FUNCTIONS = (FunctionType, MethodType, functools.partial)
"""Callables that other values are stored in."""


CONSTANT = "__chainrules_constant__"
"""Where a copy of a function has the names of what it captured that is no field, such as a log."""


def captured(f: Any) -> dict[str, Any]:
    """The values that a function stores, by name.

    Example: >>> captured(functools.partial(pow, 2.0))
             {'func': <built-in function pow>, 'args': (2.0,), 'keywords': {}}
    """
    stored = held(f)
    return {} if any(below is f for below in _below(stored.values())) else stored


def held(f: Any) -> dict[str, Any]:
    """The same, whether or not they lead back to the function."""
    if isinstance(f, functools.partial):
        return {"func": f.func, "args": f.args, "keywords": f.keywords}
    if isinstance(f, MethodType):
        return {"__self__": f.__self__}
    bound = ((name, cell.cell_contents) for name, cell in _cells(f) if _is_bound(cell))
    without = f.__dict__.get(CONSTANT, ())
    return {name: value for name, value in bound if value is not f and name not in without}


def _cells(f: FunctionType) -> Iterator[tuple[str, CellType]]:
    return zip(f.__code__.co_freevars, f.__closure__ or (), strict=True)


def _below(values: Any) -> Iterator[Any]:
    """Everything stored in these values, each once: the objects of a graph that may have cycles."""
    pending, seen = list(values), set()
    while pending:
        x = pending.pop()
        if id(x) in seen or isinstance(x, _LEAVES):
            continue
        seen.add(id(x))
        yield x
        if isinstance(x, dict):
            pending += x.values()
        elif isinstance(x, SEQUENCES):
            pending += x
        else:
            pending += (held(x) if isinstance(x, FUNCTIONS) else algebra.fields(x)).values()


_LEAVES = (int, float, complex, str, bytes, type(None))


def _is_bound(cell: CellType) -> bool:
    try:
        cell.cell_contents  # noqa: B018  # asking is the only way to find out
    except ValueError:
        return False
    return True


def _holds(cell: CellType, f: Any) -> bool:
    return _is_bound(cell) and cell.cell_contents is f


def _moved(cell: CellType) -> CellType:
    return CellType(cell.cell_contents) if _is_bound(cell) else CellType()


def alike(f: Any, g: Any) -> bool:
    """Whether two functions differ in what they captured at most."""
    if isinstance(f, MethodType):
        return f.__func__ is g.__func__
    if isinstance(f, functools.partial):
        return len(f.args) == len(g.args) and f.keywords.keys() == g.keywords.keys()
    if f.__code__ is not g.__code__:
        return False
    defaults = ((h.__defaults__ or (), h.__kwdefaults__ or {}) for h in (f, g))
    return same_values(*defaults)


@constructors.register(FunctionType)
def _closure_of(P: Any, values: Any, like: FunctionType) -> FunctionType:
    cells = {name: _moved(cell) for name, cell in _cells(like)}
    for name, value in values.items():
        cells[name] = CellType(value)
    closure = tuple(cells.values())
    made = FunctionType(like.__code__, like.__globals__, like.__name__, like.__defaults__, closure)
    for cell in closure:
        if _holds(cell, like):  # it calls itself: the new one calls the new one
            cell.cell_contents = made
    made.__kwdefaults__ = like.__kwdefaults__
    made.__qualname__, made.__doc__, made.__module__ = like.__qualname__, like.__doc__, like.__module__
    made.__annotations__ = like.__annotations__
    made.__dict__.update(like.__dict__)
    return made


@constructors.register(MethodType)
def _method_of(P: Any, values: Any, like: MethodType) -> MethodType:
    return MethodType(like.__func__, values.get("__self__", like.__self__))


@constructors.register(functools.partial)
def _partial_of(P: Any, values: Any, like: Any) -> Any:
    stored = held(like) | values
    made = P(stored["func"], *stored["args"], **stored["keywords"])
    made.__dict__.update(like.__dict__)
    return made
