"""Small constructors of syntax trees, positioned where the user's own code stands."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

from .syntax import children


def load(name: str) -> ast.Name:
    """The name, read."""
    return ast.Name(name, ast.Load())


def tuple_of(elements: Sequence[ast.expr], context: ast.expr_context | None = None) -> ast.Tuple:
    """A tuple display, or a tuple of targets."""
    return ast.Tuple(list(elements), context or ast.Load())


def call(function: ast.expr, arguments: Sequence[ast.expr]) -> ast.Call:
    """A call of positional arguments."""
    return ast.Call(function, list(arguments), [])


def clauses(error: ast.expr, handlers: Sequence[tuple[ast.ExceptHandler, list[ast.stmt]]]) -> list[Any]:
    """The clauses of a `try` with new bodies, after one that lets `error` pass."""
    made = [ast.copy_location(ast.ExceptHandler(h.type, h.name, body), h) for h, body in handlers]
    passing = ast.ExceptHandler(error, None, [ast.Raise()])
    return [ast.copy_location(passing, made[0]), *made] if made else []


def assign(target: str | ast.expr, value: ast.expr, origin: Any) -> ast.stmt:
    """`target = value`, with new parts standing where `origin` does."""
    to = ast.Name(target, ast.Store()) if isinstance(target, str) else target
    return place(ast.Assign([to], value), origin)


def place(statement: ast.stmt, origin: Any) -> ast.stmt:
    """Give every node of a new statement that has no position the position of its origin."""
    node = (
        origin
        if isinstance(origin, ast.AST)
        else getattr(origin, "origin", getattr(origin, "statement", None))
    )
    line, column = getattr(node, "lineno", 1), getattr(node, "col_offset", 0)
    end_line, end_column = getattr(node, "end_lineno", line), getattr(node, "end_col_offset", column)
    pending: list[ast.AST] = [statement]
    while pending:
        n = pending.pop()
        if not hasattr(n, "lineno"):  # what has a position is the user's, or gets its parts placed at the end
            if isinstance(n, ast.expr | ast.stmt):
                n.lineno, n.col_offset = line, column
                n.end_lineno, n.end_col_offset = end_line, end_column
            pending += children(n)
    return statement
