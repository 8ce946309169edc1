"""Boxes: variables that a function inside may set, each the entry of a dictionary.

    def f(x):                         def f(x):
        total = 0.0                       box = {"total": 0.0}
        def add(v):                       def add(v):
            nonlocal total
            total += v                        box["total"] += v
        add(x)                            add(x)
        return total                      return box["total"]

Python keeps such a variable in a cell that both functions hold. Here both hold the dictionary, an object that
changes as any other (`fields`).
"""

from __future__ import annotations

import ast
import copy
import dis
from types import CodeType

from ...source.syntax.trees import place
from .declined import Declined
from .quoted import statements


def boxed_by(code: CodeType) -> tuple[str, ...]:
    """The variables of a function that a function inside sets."""
    return tuple(n for n in code.co_cellvars if any(_sets(c, n) for c in _inside(code)))


def _inside(code: CodeType) -> list[CodeType]:
    return [c for c in code.co_consts if isinstance(c, CodeType)]


def _sets(code: CodeType, name: str) -> bool:
    if name not in code.co_freevars:
        return False
    own = any(
        i.opname in ("STORE_DEREF", "DELETE_DEREF") and i.argval == name for i in dis.get_instructions(code)
    )
    return own or any(_sets(c, name) for c in _inside(code))


def boxed(
    body: list[ast.stmt], boxes: dict[str, str], own: dict[str, str], parameters: list[str]
) -> list[ast.stmt]:
    """Statements in which the variables in `boxes` are entries of the dictionaries that these name.

    Those that are the function's own are made by their first assignment, where nothing that may read them
    stands above it; else at the start.
    """
    if not boxes:
        return body
    made = [_Opening(boxes).visit(copy.deepcopy(s)) for s in body]
    start = []
    for v, name in own.items():
        at = next(i for i, s in enumerate(body) if _has(s, v)) if v not in parameters else -1
        first: ast.stmt = made[at]
        match first:
            case ast.Assign([ast.Subscript(ast.Name(id))], value) if (
                at >= 0 and id == name and not _has(value, v) and not _has(value, name)
            ):
                made[at] = _box(name, v, value, first)
            case _:
                value = ast.Name(v, ast.Load()) if v in parameters else ast.Constant(None)
                start.append(_box(name, v, value, body[0]))
    return [*start, *made]


def _has(s: ast.AST, name: str) -> bool:
    """Whether a name stands in a statement, or in a function in it."""
    return any(getattr(n, "id", None) == name or name in getattr(n, "names", ()) for n in ast.walk(s))


def _box(name: str, variable: str, value: ast.expr, at: ast.stmt) -> ast.stmt:
    made: ast.stmt = statements(f"box = {{{variable!r}: value}}", at, box=name, value=value)[0]
    return made


class _Opening(ast.NodeTransformer):
    """Entries in the place of variables, but in functions inside, which are read by themselves."""

    def __init__(self, boxes: dict[str, str]) -> None:
        self.boxes = boxes

    def visit_Name(self, n: ast.Name) -> ast.AST:
        if n.id not in self.boxes:
            return n
        made = ast.Subscript(ast.Name(self.boxes[n.id], ast.Load()), ast.Constant(n.id), n.ctx)
        return place(made, n)

    def visit_NamedExpr(self, n: ast.NamedExpr) -> ast.AST:
        if n.target.id in self.boxes:
            raise Declined("a variable that a function inside may set, set in an expression")
        return self.generic_visit(n)

    def visit_Match(self, n: ast.Match) -> ast.AST:
        for p in ast.walk(n):
            if {getattr(p, "name", None), getattr(p, "rest", None)} & self.boxes.keys():
                raise Declined("a variable that a function inside may set, set by a pattern")
        return self.generic_visit(n)

    def visit_FunctionDef(self, n: ast.FunctionDef) -> ast.AST:
        if n.name in self.boxes:
            raise Declined("a function inside that another may set")
        return n

    def visit_Lambda(self, n: ast.Lambda) -> ast.AST:
        return n

    def visit_Nonlocal(self, n: ast.Nonlocal) -> ast.AST:
        """What it says is done: the variable is an entry of a dictionary that was captured."""
        return ast.copy_location(ast.Pass(), n)
