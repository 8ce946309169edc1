"""A function without its first fault, so that the next one can be found.

The statement that was refused gives way to simple ones that keep what varies varying: each name
that it binds becomes the tuple of what it reads, a `return` returns that tuple, and of a compound
statement the bodies stay, one after the other. The result is analysed and never runs.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from types import CellType, FunctionType
from typing import Any

from ..syntax.kinds import JUMPS
from ..syntax.scopes import binds, copied, own_statements, reads
from .locate import Source, recompile, remember


def without(f: FunctionType, source: Source, line: int, column: int) -> FunctionType | None:
    """f with the statement at this place replaced; None where there is none, or nothing is left of it."""
    node = copied(source.node)
    if isinstance(node, ast.Lambda):
        return None
    around = [s for s in own_statements(node.body) if _holds(s, line, column)]
    if not around:
        return None
    replaced: Any = _Replace(around[-1]).visit(node)
    ast.fix_missing_locations(replaced)
    code = recompile(replaced, source.code, source.class_name)
    remember(code, lambda: replaced)
    made = FunctionType(code, f.__globals__, f.__name__, f.__defaults__, _cells(f, code.co_freevars))
    made.__kwdefaults__ = f.__kwdefaults__
    return made


def _cells(f: FunctionType, names: tuple[str, ...]) -> tuple[CellType, ...]:
    own = dict(zip(f.__code__.co_freevars, f.__closure__ or (), strict=True))
    return tuple(own[n] for n in names)


def _holds(s: ast.stmt, line: int, column: int) -> bool:
    end = (s.end_lineno or s.lineno, s.end_col_offset or 0)
    return (s.lineno, s.col_offset) <= (line, column) < end


class _Replace(ast.NodeTransformer):
    """Replaces one statement."""

    def __init__(self, target: ast.stmt) -> None:
        self.target = target

    def visit(self, node: ast.AST) -> ast.AST | list[ast.stmt]:
        if node is self.target:
            assert isinstance(node, ast.stmt)
            return [ast.copy_location(s, node) for s in self.simpler(node)] or ast.copy_location(
                ast.Pass(), node
            )
        return self.generic_visit(node)

    def simpler(self, s: ast.stmt) -> list[ast.stmt]:
        if isinstance(s, ast.FunctionDef | ast.ClassDef):
            return self.bound({s.name}, s)
        bodies = [
            b for field in ("body", "handlers", "cases", "orelse", "finalbody") for b in getattr(s, field, [])
        ]
        if not bodies:
            return [ast.Return(self.read(s))] if isinstance(s, ast.Return) else self.bound(binds(s), s)
        header = binds(s).difference(*(binds(b) for b in bodies))
        found = self.bound(header, s)
        for b in bodies:
            found += b.body if isinstance(b, ast.ExceptHandler | ast.match_case) else [b]
        return [ast.Pass() if isinstance(b, JUMPS) else b for b in found]

    def bound(self, names: Iterable[str], s: ast.AST) -> list[ast.stmt]:
        return [ast.Assign([ast.Name(n, ast.Store())], self.read(s)) for n in sorted(names)]

    def read(self, s: ast.AST) -> ast.expr:
        return ast.Tuple([ast.Name(n, ast.Load()) for n in sorted(reads(s))], ast.Load())
