"""Small constructors of syntax trees, positioned where the user's own code stands."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any, TypeVar

from .syntax import PLACE, children

_START = {"lineno": 1, "col_offset": 0, "end_lineno": 1, "end_col_offset": 0}
Node = TypeVar("Node", bound=ast.AST)


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
    made = [at(ast.ExceptHandler(h.type, h.name, body), h) for h, body in handlers]
    passing = ast.ExceptHandler(error, None, [ast.Raise()])
    return [at(passing, made[0]), *made] if made else []


def assign(target: str | ast.expr, value: ast.expr, origin: Any) -> ast.stmt:
    """`target = value`, with new parts standing where `origin` does."""
    to = ast.Name(target, ast.Store()) if isinstance(target, str) else target
    return place(ast.Assign([to], value), origin)


def assign_pair(targets: tuple[str, str], function: str, arguments: list[ast.expr], origin: Any) -> ast.stmt:
    """`a, b = function(…)`, of which programs consist; what it is made of has its place at once."""
    names: list[ast.expr] = [at(ast.Name(n, ast.Store()), origin) for n in targets]
    value = at(ast.Call(at(ast.Name(function, ast.Load()), origin), arguments, []), origin)
    for a in arguments:
        if "lineno" not in a.__dict__:
            place(a, origin)
    return at(ast.Assign([at(ast.Tuple(names, ast.Store()), origin)], value), origin)


def at(new: Node, origin: ast.AST) -> Node:
    """A new node at the place of another."""
    known = origin.__dict__
    if "lineno" in known:
        to = new.__dict__
        to["lineno"], to["col_offset"] = known["lineno"], known["col_offset"]
        to["end_lineno"], to["end_col_offset"] = known.get("end_lineno"), known.get("end_col_offset")
    return new


def place(statement: Node, origin: Any) -> Node:
    """Give every part of a new statement or expression that has no position the position of its origin."""
    node = origin if isinstance(origin, ast.AST) else getattr(origin, "origin", None) or origin.statement
    known = node.__dict__
    where = {name: known[name] for name in PLACE} if "lineno" in known else _START
    pending: list[ast.AST] = [statement]
    for n in pending:
        known = n.__dict__
        if "lineno" not in known:  # what has a position is the user's, or its parts have theirs
            if n._attributes:
                known.update(where)
            if type(n) is not ast.Name:
                pending += children(n)
    return statement
