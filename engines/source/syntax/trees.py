"""Small constructors of syntax trees, positioned where the user's own code stands."""

from __future__ import annotations

import ast
import functools
from ast import Assign, Call, Name, Tuple
from collections.abc import Sequence
from typing import Any, TypeVar

from .scopes import PLACE, children

_START = {"lineno": 1, "col_offset": 0, "end_lineno": 1, "end_col_offset": 0}
_NOWHERE = {"lineno": -1, "col_offset": -1, "end_lineno": -1, "end_col_offset": -1}
LOAD, STORE = ast.Load(), ast.Store()
_NO_KEYWORDS: list[ast.keyword] = []  # of all calls that a program makes: trees are not changed
Node = TypeVar("Node", bound=ast.AST)


def load(name: str) -> ast.Name:
    """The name, read."""
    return ast.Name(name, LOAD)


def tuple_of(elements: Sequence[ast.expr], context: ast.expr_context | None = None) -> ast.Tuple:
    """A tuple display, or a tuple of targets."""
    return ast.Tuple(list(elements), context or LOAD)


def call(function: ast.expr, arguments: Sequence[ast.expr]) -> ast.Call:
    """A call of positional arguments."""
    return ast.Call(function, list(arguments), [])


class Leaving(ast.ExceptHandler):
    """A clause that leaves a context manager, of this name; our own errors leave it too as they pass."""

    _fields = (*ast.ExceptHandler._fields, "manager")
    _field_types = {**getattr(ast.ExceptHandler, "_field_types", {}), "manager": str}  # noqa: RUF012
    manager: str

    def __init__(self, kind: ast.expr, name: str | None, body: list[ast.stmt], manager: str) -> None:
        super().__init__(kind, name, body, manager)  # type: ignore[call-overload]


def trying(
    origin: ast.AST,
    names: Any,
    body: list[ast.stmt],
    handlers: Sequence[tuple[ast.ExceptHandler, list[ast.stmt]]],
    orelse: list[ast.stmt],
    final: list[ast.stmt],
) -> ast.stmt:
    """A `try` with new parts, whose first clause lets our own errors pass, out of a group if need be."""
    error = names.helper("ChainRulesError")
    made = [at(ast.ExceptHandler(h.type, h.name, inside), h) for h, inside in handlers]
    if not isinstance(origin, ast.TryStar):
        left = [call(names.helper("left"), [load(h.manager)]) for h, _ in handlers if isinstance(h, Leaving)]
        passing = ast.ExceptHandler(error, None, [*map(ast.Expr, left), ast.Raise()])
        return ast.Try(body, [place(passing, made[0]), *made] if made else [], orelse, final)
    caught = names.fresh("error")
    again = ast.Expr(call(names.helper("ungrouped"), [load(caught)]))
    passing = ast.ExceptHandler(error, caught, [again])
    return ast.TryStar(body, [place(passing, made[0]), *made], orelse, final)


def assign(target: str | ast.expr, value: ast.expr, origin: Any) -> ast.stmt:
    """`target = value`, with new parts standing where `origin` does."""
    to = own(target, STORE) if isinstance(target, str) else target
    return place(ast.Assign([to], value), origin)


def assign_pair(
    targets: tuple[str, str], function: ast.expr, arguments: list[ast.expr], origin: Any
) -> ast.stmt:
    """`a, b = function(…)`, of which programs consist; what it is made of has its place at once."""
    known = origin.__dict__
    if "lineno" not in known:
        known = _START
    line, column = known["lineno"], known["col_offset"]
    end_line, end = known["end_lineno"], known["end_col_offset"]
    for a in arguments:
        if "lineno" not in a.__dict__:
            place(a, origin)
    value, statement = Call.__new__(Call), Assign.__new__(Assign)
    value.__dict__ = {
        "func": function, "args": arguments, "keywords": _NO_KEYWORDS,
        "lineno": line, "col_offset": column, "end_lineno": end_line, "end_col_offset": end,
    }  # fmt: skip
    pair = own_tuple([own(targets[0], STORE), own(targets[1], STORE)], STORE)
    statement.__dict__ = {
        "targets": [pair], "value": value, "type_comment": None,
        "lineno": line, "col_offset": column, "end_lineno": end_line, "end_col_offset": end,
    }  # fmt: skip
    return statement


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


def own_tuple(elements: list[ast.expr], context: ast.expr_context = LOAD) -> ast.Tuple:
    """A tuple of such names."""
    new = Tuple.__new__(Tuple)
    new.__dict__ = {"elts": elements, "ctx": context, **_NOWHERE}
    return new


def number(value: int) -> ast.Constant:
    """A number of the program's own."""
    new = ast.Constant(value)
    new.__dict__.update(_NOWHERE)
    return new


def nothing() -> ast.stmt:
    """A statement that does nothing, nowhere."""
    return ast.Pass(**_NOWHERE)


def name_at(name: str, origin: ast.AST) -> ast.Name:
    """The name, read, at the place of a node."""
    known = origin.__dict__
    new = Name.__new__(Name)
    if "lineno" not in known:
        new.__dict__ = {"id": name, "ctx": LOAD}
        return new
    new.__dict__ = {
        "id": name, "ctx": LOAD, "lineno": known["lineno"], "col_offset": known["col_offset"],
        "end_lineno": known["end_lineno"], "end_col_offset": known["end_col_offset"],
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


def like(node: Node, **new: Any) -> Node:
    """A node like another at its place, with these new parts."""
    return at(type(node)(**dict(ast.iter_fields(node)) | new), node)


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
