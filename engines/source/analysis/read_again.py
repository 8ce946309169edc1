"""Read again: what a function is given or captured, puts something into, and reads, as one with a memory."""

from __future__ import annotations

import ast
from types import FunctionType

from ..reading.locate import NoSource, locate
from ..syntax.codes import ByCode

_PUTTING = frozenset(("append", "appendleft", "extend", "add", "insert", "update", "clear"))
_known: ByCode[frozenset[str]] = ByCode()


def read_again(f: FunctionType) -> frozenset[str]:
    """The variables from outside that f reads, beside what puts something into them; all without source."""
    known = _known.get(f.__code__)
    if known is None:
        known = _known[f.__code__] = _read(f)
    return known


def _read(f: FunctionType) -> frozenset[str]:
    names = f.__code__.co_freevars + f.__code__.co_varnames[: f.__code__.co_argcount]
    try:
        found = _reading(f)
    except NoSource:
        return frozenset(names)
    return frozenset(n.id for n in found if isinstance(n, ast.Name)).intersection(names)


def fields_read_again(f: FunctionType) -> frozenset[str]:
    """The fields of anything that f reads, beside what puts something into them; all names without source."""
    try:
        return frozenset(n.attr for n in _reading(f) if isinstance(n, ast.Attribute))
    except NoSource:
        return frozenset(f.__code__.co_names)


def _reading(f: FunctionType) -> list[ast.expr]:
    """The names and attributes that f reads."""
    tree = locate(f.__code__).written
    putting = {id(n) for s in ast.walk(tree) for n in _put_into(s)}
    every = (n for n in ast.walk(tree) if isinstance(n, ast.Name | ast.Attribute) and id(n) not in putting)
    return [n for n in every if isinstance(n.ctx, ast.Load)]


def _put_into(s: ast.AST) -> list[ast.expr]:
    """The names that a statement or call only puts something into."""
    if isinstance(s, ast.Call) and isinstance(s.func, ast.Attribute) and s.func.attr in _PUTTING:
        return [s.func.value]
    if isinstance(s, ast.Subscript | ast.Attribute) and isinstance(s.ctx, ast.Store):
        return [s.value]
    return []
