"""Repeating: `[0.0, x] * n`, as a comprehension of items that are computed once."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from .declined import Declined
from .steps import Step

_CONSTANT = (ast.Constant, ast.Tuple, ast.UnaryOp, ast.unaryop, ast.expr_context)
"""Parts of what is a constant."""


class Repeating:
    """Reads these lists; Iterating reads comprehensions."""

    now: dict[str, str]
    fresh: Callable[..., str]
    value: Callable[[ast.expr, list[Step]], str]
    constant: Callable[[ast.expr], Any]
    _listcomp: Callable[..., str]
    _own_name: Callable[[str], str]
    _step: Callable[..., str]

    def _repeated(self, e: ast.BinOp, out: list[Step]) -> str:
        """The list."""
        assert isinstance(e.left, ast.List)
        if self.constant(ast.Name("range", ast.Load())) is not range:
            raise Declined("another range")
        if any(isinstance(x, ast.Starred) for x in e.left.elts):
            raise Declined("a list with stars that is repeated")
        times = ast.Call(ast.Name("range", ast.Load()), [e.right], [])
        loops = [ast.comprehension(ast.Name(self.fresh("item"), ast.Store()), times, [], 0)]
        items = [self._held_item(x, out) for x in e.left.elts]
        each = items[0] if len(items) == 1 else ast.Name(self.fresh("item"), ast.Load())
        if len(items) != 1:
            store = ast.Name(each.id, ast.Store())  # type: ignore[attr-defined]  # a name
            loops.append(ast.comprehension(store, ast.Tuple(items, ast.Load()), [], 0))
        made = ast.copy_location(ast.ListComp(each, loops), e)
        return self._listcomp(ast.fix_missing_locations(made), out)

    def _held_item(self, e: ast.expr, out: list[Step]) -> ast.expr:
        """What is a constant, or a variable that holds it."""
        if all(isinstance(n, _CONSTANT) for n in ast.walk(e)):
            return e
        name = self._own_name("item")
        self.now[name] = self._step(out, "copy", self.fresh(), (self.value(e, out),), e.lineno)
        return ast.Name(name, ast.Load())
