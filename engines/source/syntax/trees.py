"""Small constructors of syntax trees, positioned where the user's own code stands."""

from __future__ import annotations

import ast
import functools
from ast import Name
from typing import Any, TypeVar

from .scopes import PLACE, children

_START = {"lineno": 1, "col_offset": 0, "end_lineno": 1, "end_col_offset": 0}
LOAD, STORE = ast.Load(), ast.Store()
Node = TypeVar("Node", bound=ast.AST)


def located(tree: Node) -> Node:
    """The same tree, where each part without a place now stands where what it is in does."""
    _locate(tree, _START)
    return tree


def _locate(node: ast.AST, at: dict[str, Any]) -> None:
    known = node.__dict__
    if node._attributes:
        if "end_col_offset" not in known:
            for name in PLACE:
                known.setdefault(name, at[name])
        at = known
    for name in node._fields:
        part = known.get(name)
        if type(part) is list:
            for item in part:
                if isinstance(item, ast.AST):
                    _locate(item, at)
        elif isinstance(part, ast.AST) and part._fields:
            _locate(part, at)


def load(name: str) -> ast.Name:
    """The name, read."""
    return ast.Name(name, LOAD)


def assign(target: str | ast.expr, value: ast.expr, origin: Any) -> ast.stmt:
    """`target = value`, with new parts standing where `origin` does."""
    to = own(target, STORE) if isinstance(target, str) else target
    return place(ast.Assign([to], value), origin)


@functools.lru_cache(maxsize=8192)
def own(name: str, context: ast.expr_context = LOAD) -> ast.Name:
    """A name of the program's own, which stands nowhere: Python gives it the place of what is before it.

    So one node does for all of them, in all programs.
    """
    new = Name.__new__(Name)
    new.__dict__ = {
        "id": name, "ctx": context, "lineno": -1, "col_offset": -1, "end_lineno": -1, "end_col_offset": -1,
    }  # fmt: skip
    return new


def at(new: Node, origin: ast.AST) -> Node:
    """A new node at the place of another."""
    known = origin.__dict__
    if "lineno" in known:
        new.__dict__.update(
            lineno=known["lineno"],
            col_offset=known["col_offset"],
            end_lineno=known.get("end_lineno"),
            end_col_offset=known.get("end_col_offset"),
        )
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
