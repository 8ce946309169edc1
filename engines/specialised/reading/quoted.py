"""Quoted: syntax trees, written as the Python that they are the trees of.

    expression("[x for row in rows for x in row]", at, rows=e)

A name that is given stands for another name, for an expression or for several, and alone in a line for
statements.
"""

from __future__ import annotations

import ast
from typing import Any

from ...source.syntax import trees

Parts = dict[str, Any]


def statements(text: str, at: ast.AST, /, **parts: Any) -> list[Any]:
    """The statements of a text, where another stands, with parts in the place of names."""
    return _Putting(parts, at).visit(ast.parse(text)).body  # type: ignore[no-any-return]  # of a module


def expression(text: str, at: ast.AST, /, **parts: Any) -> Any:
    """The same of an expression."""
    return statements(text, at, **parts)[0].value


def target(text: str, at: ast.AST, /, **parts: Any) -> Any:
    """The same of what something is assigned to."""
    return statements(f"{text} = 0", at, **parts)[0].targets[0]


class _Putting(ast.NodeTransformer):
    """Puts the parts in, and everything where the origin stands."""

    def __init__(self, parts: Parts, at: ast.AST) -> None:
        self.parts, self.at = parts, at

    def visit(self, n: ast.AST) -> Any:
        """What is put in the place of a node."""
        named = n.value if isinstance(n, ast.Expr) else n
        part = self.parts.get(named.id) if isinstance(named, ast.Name) else None
        if type(part) is list and (isinstance(n, ast.Name) or all(isinstance(x, ast.stmt) for x in part)):
            return [trees.place(x, self.at) for x in part]
        if isinstance(part, ast.AST) and isinstance(n, ast.Name):
            return trees.place(part, self.at)
        if type(part) is str and isinstance(n, ast.Name):
            n.id = part
        self.generic_visit(n)
        return trees.at(n, self.at) if n._attributes else n
