"""Matching: `match` as branches.

What a pattern asks of a subject (patterns.py of the ordinary program) is asked by plain Python here, so that
it is decided where a subject's kind is known:

    case [a, *b]:        isinstance(subject, (tuple, list)) and len(subject) >= 1
    case {"k": v}:       isinstance(subject, dict) and "k" in subject
    case P(a):           isinstance(subject, P); a = the attribute that P.__match_args__ names
"""

from __future__ import annotations

import ast
from typing import Any

from ...source.syntax import patterns
from ...source.syntax.trees import place
from .declined import Declined
from .reader import Reader


def matched(s: ast.Match, reader: Reader) -> list[ast.stmt]:
    """The statements of a `match`."""
    return [_Plain(reader).visit(x) for x in patterns.match_as_if(s, reader.own)]


_SEQUENCE = "isinstance(x, (tuple, list))"


class _Plain(ast.NodeTransformer):
    """Plain Python in the place of the helpers of a pattern."""

    def __init__(self, reader: Reader) -> None:
        self.constant, self.written = reader.constant, reader.written

    def visit_Call(self, n: ast.Call) -> Any:
        self.generic_visit(n)
        known = patterns.HELPERS.get(n.func.id) if isinstance(n.func, ast.Name) else None
        if known is patterns.is_sequence:
            x, least, exact = n.args
            sort = "==" if exact.value else ">="  # type: ignore[attr-defined]  # a constant
            return self.written(f"{_SEQUENCE} and len(x) {sort} least", n, x=x, least=least)
        if known is patterns.is_mapping:
            x, *keys = n.args
            tests = [self.written("isinstance(x, dict)", n, x=x)]
            tests += [self.written("key in x", n, key=k, x=x) for k in keys]
            return place(ast.BoolOp(ast.And(), tests), n)
        if known is patterns.has_attributes:
            return self.written("isinstance(given)", n, given=n.args[:2])
        return self._positional(*n.args) if known is patterns.positional else n

    def _positional(self, x: ast.expr, P: ast.expr, index: Any) -> Any:
        found = self.constant(P)
        names = getattr(found, "__match_args__", ())
        if not isinstance(found, type) or found.__module__ == "builtins" or index.value >= len(names):
            raise Declined("a pattern of a class whose fields are not named")
        return self.written(f"x.{names[index.value]}", x, x=x)
