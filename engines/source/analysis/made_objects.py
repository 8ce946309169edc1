"""Made objects: the classes of objects that a function makes itself, by the variables that hold them.

    cell = Cell(w)
    for v in rows:
        cell.step(v)        # Cell.step, and no other class's method of that name

Such a variable is bound by calls of one class alone, whose objects are made as Python makes them.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator
from typing import Any

from .outside import taken_apart


def classes_made(body: Iterable[ast.stmt], parameters: Collection[str], resolver: Any) -> dict[str, type]:
    """The class of the object that each such variable holds."""
    found: dict[str, type] = {}
    bound: dict[str, int] = {}
    other = {*parameters}
    for n in (n for s in body for n in ast.walk(s)):
        if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load):
            bound[n.id] = bound.get(n.id, 0) + 1
        match n:
            case ast.Assign():
                for name, P in _made_by(n, resolver):
                    if found.setdefault(name, P) is P:
                        bound[name] = bound.get(name, 0) - 1
            case ast.Nonlocal(names) | ast.Global(names):
                other.update(names)
            case ast.ExceptHandler() | ast.FunctionDef() | ast.ClassDef() | ast.MatchAs() | ast.MatchStar():
                other.add(n.name or "")
            case ast.alias():
                other.add(n.asname or n.name)
            case ast.arg():  # of a function inside, which may be given any object
                other.add(n.arg)
    return {name: P for name, P in found.items() if bound[name] == 0 and name not in other}


def _made_by(s: ast.stmt, resolver: Any) -> Iterator[tuple[str, type]]:
    """The variables that an assignment binds to new objects, and their classes."""
    for one in taken_apart(s):
        match one:
            case ast.Assign([ast.Name(id=name)], ast.Call(func)) if _is_plain(P := resolver.value(func)[1]):
                yield name, P


def _is_plain(P: Any) -> bool:
    """Whether calling a class gives an object of it."""
    plain = type(P) is type and P.__module__ != "builtins"
    return plain and not any("__new__" in vars(c) for c in P.__mro__[:-1])
