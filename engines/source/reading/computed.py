"""Computed attributes: a property that changes its object, as one that keeps what it computed.

Reading it is a call that changes what it is given, and is written as one, `chainrules_computed(x, "name")`.
Which names are meant is told by the classes in sight.
"""

from __future__ import annotations

import ast
from types import FunctionType

from ....core.installed import is_followed
from ..syntax.scopes import copied, walk

READER = "chainrules_computed"


def getters_of(P: type) -> dict[str, FunctionType]:
    """The functions that compute the properties of a class, by name, where they are followed."""
    getters = {n: p.fget for n in dir(P) if isinstance(p := getattr(P, n, None), property)}
    return {n: g for n, g in getters.items() if isinstance(g, FunctionType) and is_followed(g)}


def read_by_calls(
    body: list[ast.stmt], names: frozenset[str], methods: frozenset[str] = frozenset()
) -> list[ast.stmt]:
    """The body with attributes of these names read by calls; itself where none is read.

    Those of which there are `methods` too stay as they are where they are called.
    """
    if not names or not any(_is_read(n, names) for s in body for n in walk(s)):
        return body
    return [_Reading(names, methods).visit(s) for s in copied(body)]


def _is_read(n: ast.AST, names: frozenset[str]) -> bool:
    return isinstance(n, ast.Attribute) and n.attr in names and isinstance(n.ctx, ast.Load)


class _Reading(ast.NodeTransformer):
    def __init__(self, names: frozenset[str], methods: frozenset[str]) -> None:
        self.names, self.methods = names, methods

    def visit_Call(self, node: ast.Call) -> ast.expr:
        f = node.func
        if not isinstance(f, ast.Attribute) or f.attr not in self.methods:
            return self.generic_visit(node)  # type: ignore[return-value]  # the node
        f.value = self.visit(f.value)
        node.args = [self.visit(a) for a in node.args]
        node.keywords = [self.visit(k) for k in node.keywords]
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        self.generic_visit(node)
        by_super = isinstance(node.value, ast.Call) and getattr(node.value.func, "id", "") == "super"
        if by_super or not _is_read(node, self.names):
            return node
        call = ast.Call(ast.Name(READER, ast.Load()), [node.value, ast.Constant(node.attr)], [])
        for n in (call, call.func, call.args[1]):
            ast.copy_location(n, node)
        return call
