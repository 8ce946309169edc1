"""Texts: the specialised functions as trees, for what writes other functions from them.

The two texts of a function share their variables: what the forward text keeps under a name, the backward text
reads under the same. They have one *scope*.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from types import FunctionType
from typing import Any

from ...source.syntax.quiet import quietly


class Scope:
    """The variables of one function's texts: their kinds where known, and those that hold what was kept."""

    def __init__(self, kinds: dict[str, Any], records: set[str], helpers: dict[str, Any]) -> None:
        self.kinds, self.records, self.helpers = kinds, records, helpers
        self.names: set[str] = set()


class Text:
    """One function that was written."""

    def __init__(self, f: FunctionType, name: str, lines: Sequence[str], scope: Scope, program: Any) -> None:
        """`f`: whose module and captured cells it uses; `program`: of which it is one half, or None."""
        self.f, self.name, self.scope, self.program = f, name, scope, program
        (node,) = quietly(ast.parse, "\n".join(lines)).body
        assert isinstance(node, ast.FunctionDef)
        self.node = node
        self.parameters = [a.arg for a in node.args.args]
        scope.names |= {n.id for n in ast.walk(node) if isinstance(n, ast.Name)} | set(self.parameters)


UNKNOWN = object()
"""What a name stands for that is none of the text's own and not known outside."""


def known(text: Text, e: ast.expr) -> Any:
    """What an expression of a text stands for, where it is a helper or comes from outside."""
    if isinstance(e, ast.Name):
        if e.id in text.scope.helpers:
            return text.scope.helpers[e.id]
        if e.id in text.scope.names and e.id in text.scope.kinds:
            return UNKNOWN
        free = dict(zip(text.f.__code__.co_freevars, text.f.__closure__ or (), strict=True))
        if e.id in free:
            return free[e.id].cell_contents
        return text.f.__globals__.get(e.id, UNKNOWN)
    if isinstance(e, ast.Attribute):
        owner = known(text, e.value)
        return UNKNOWN if owner is UNKNOWN else getattr(owner, e.attr, UNKNOWN)
    return UNKNOWN


def key_of(e: ast.Subscript) -> str:
    """The text of an index."""
    text = ast.unparse(e.slice)
    return text[1:-1] if isinstance(e.slice, ast.Tuple) and len(e.slice.elts) > 1 and text[0] == "(" else text


class _Slices(ast.NodeTransformer):
    def visit_Slice(self, e: ast.Slice) -> ast.expr:
        ends = ", ".join("None" if end is None else ast.unparse(end) for end in (e.lower, e.upper, e.step))
        return ast.parse(f"slice({ends})", mode="eval").body


def as_value(key: str) -> str:
    """The text of an index as an expression of its own."""
    e = ast.parse(f"x[{key}]", mode="eval").body
    assert isinstance(e, ast.Subscript)
    return ast.unparse(_Slices().visit(e.slice))


def bare(text: str) -> str:
    """An expression without the brackets around the whole of it."""
    if text[:1] != "(" or text[-1:] != ")" or text == "()":
        return text
    depth = 0
    for i, c in enumerate(text):
        depth += (c == "(") - (c == ")")
        if not depth:
            return bare(text[1:-1]) if i == len(text) - 1 and "," not in text else text
    return text
