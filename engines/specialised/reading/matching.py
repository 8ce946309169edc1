"""Matching: `match` as branches.

What a pattern asks of a subject (patterns.py of the ordinary program) is asked by plain Python here, so that
it is decided where a subject's kind is known:

    case [a, *b]:        isinstance(subject, (tuple, list)) and len(subject) >= 1
    case {"k": v}:       isinstance(subject, dict) and "k" in subject
    case P(a):           isinstance(subject, P); a = the attribute that P.__match_args__ names
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from ...source.syntax import patterns
from ...source.syntax.trees import place
from .declined import Declined


def matched(s: ast.Match, fresh: Callable[[str], str], constant: Callable[[ast.expr], Any]) -> list[ast.stmt]:
    """The statements of a `match`; `constant` says what a class's name stands for."""
    return [_Plain(constant).visit(x) for x in patterns.match_as_if(s, fresh)]


class _Plain(ast.NodeTransformer):
    """Plain Python in the place of the helpers of a pattern."""

    def __init__(self, constant: Callable[[ast.expr], Any]) -> None:
        self.constant = constant

    def visit_Call(self, n: ast.Call) -> ast.AST:
        self.generic_visit(n)
        known = patterns.HELPERS.get(n.func.id) if isinstance(n.func, ast.Name) else None
        if known is patterns.is_sequence:
            return self._sequence(*n.args)
        if known is patterns.is_mapping:
            tests = [ast.Compare(k, [ast.In()], [n.args[0]]) for k in n.args[1:]]
            return place(ast.BoolOp(ast.And(), [_is(n.args[0], "dict"), *tests]), n)
        if known is patterns.has_attributes:
            return place(ast.Call(_name("isinstance"), n.args[:2], []), n)
        if known is patterns.positional:
            return self._positional(*n.args)
        return n

    def _sequence(self, x: ast.expr, least: ast.expr, exact: Any) -> ast.AST:
        op = ast.Eq() if exact.value else ast.GtE()
        long = ast.Compare(ast.Call(_name("len"), [x], []), [op], [least])
        return place(ast.BoolOp(ast.And(), [_is(x, "tuple", "list"), long]), x)

    def _positional(self, x: ast.expr, P: ast.expr, index: Any) -> ast.AST:
        found = self.constant(P)
        names = getattr(found, "__match_args__", ())
        if not isinstance(found, type) or found.__module__ == "builtins" or index.value >= len(names):
            raise Declined("a pattern of a class whose fields are not named")
        return place(ast.Attribute(x, names[index.value], ast.Load()), x)


def _name(text: str) -> ast.expr:
    return ast.Name(text, ast.Load())


def _is(x: ast.expr, *classes: str) -> ast.expr:
    wanted = [_name(c) for c in classes]
    return ast.Call(
        _name("isinstance"), [x, wanted[0] if len(wanted) == 1 else ast.Tuple(wanted, ast.Load())], []
    )
