"""Read again: what a function captured, puts something into, and reads, as one with a memory does."""

from __future__ import annotations

import ast
from types import FunctionType

from ..reading.locate import NoSource, locate
from ..syntax.codes import ByCode

_PUTTING = frozenset(("append", "appendleft", "extend", "add", "insert", "update", "clear"))
_known: ByCode[frozenset[str]] = ByCode()


def read_again(f: FunctionType) -> frozenset[str]:
    """The captured variables that f reads, beside what puts something into them; all without source."""
    known = _known.get(f.__code__)
    if known is None:
        known = _known[f.__code__] = _read(f)
    return known


def _read(f: FunctionType) -> frozenset[str]:
    try:
        tree = locate(f.__code__).written
    except NoSource:
        return frozenset(f.__code__.co_freevars)
    putting = {id(n) for s in ast.walk(tree) for n in _put_into(s)}
    names = (n for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load))
    return frozenset(n.id for n in names if id(n) not in putting).intersection(f.__code__.co_freevars)


def _put_into(s: ast.AST) -> list[ast.expr]:
    """The names that a statement or call only puts something into."""
    if isinstance(s, ast.Call) and isinstance(s.func, ast.Attribute) and s.func.attr in _PUTTING:
        return [s.func.value]
    if isinstance(s, ast.Subscript | ast.Attribute) and isinstance(s.ctx, ast.Store):
        return [s.value]
    return []
