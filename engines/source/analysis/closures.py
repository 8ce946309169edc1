"""Closures: whether a variable that a nested function captured is bound anew after its definition."""

from __future__ import annotations

import ast
import functools

from ..syntax.kinds import COMPOUND, LOOPS
from ..syntax.scopes import binds


class Closures:
    """What the statements of one function's body bind."""

    def __init__(self, parameters: list[str], body: list[ast.stmt]) -> None:
        self.parameters = frozenset(parameters)
        self.body = body

    @functools.cached_property
    def stores(self) -> dict[str, list[tuple[ast.stmt, bool]]]:
        """For each name, the statements that bind it, and whether in a loop."""
        found: dict[str, list[tuple[ast.stmt, bool]]] = {}
        self._collect(self.body, False, found)
        return found

    def _collect(
        self, body: list[ast.stmt], in_loop: bool, found: dict[str, list[tuple[ast.stmt, bool]]]
    ) -> None:
        for s in body:
            compound = isinstance(s, COMPOUND)
            names = binds(s.target) if isinstance(s, ast.For) else set() if compound else binds(s)
            if isinstance(s, ast.With):
                names = set().union(*(binds(i.optional_vars) for i in s.items if i.optional_vars), set())
            looped = in_loop or isinstance(s, ast.For)
            for name in names:
                found.setdefault(name, []).append((s, looped))
            inner = in_loop or isinstance(s, LOOPS)
            for part in ("body", "orelse", "finalbody"):
                if compound:
                    self._collect(getattr(s, part, []), inner, found)
            for handler in getattr(s, "handlers", []):
                self._collect(handler.body, in_loop, found)

    def settled_before(self, name: str, node: ast.FunctionDef | ast.Lambda) -> bool:
        """Whether nothing rebinds this name once the definition has run."""
        stores = self.stores.get(name, [])
        if not stores:
            return name in self.parameters
        place = (node.lineno, node.col_offset)
        return all(not in_loop and _end(s) <= place for s, in_loop in stores)


def _end(s: ast.stmt) -> tuple[int, int]:
    return s.end_lineno or s.lineno, s.end_col_offset or s.col_offset
