"""Assignments in expressions (`:=`), written out as statements before the one they stand in.

What Python evaluates before such an assignment is computed before it, into a name of its own; what it
evaluates only sometimes (`and`, `or`, `… if … else …`) becomes an `if`. An assignment in a part that stays an
expression, as in a comprehension, is left as it is.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

Fresh = Callable[[str], str]
_KEPT = (
    ast.Lambda,
    ast.ListComp,
    ast.SetComp,
    ast.DictComp,
    ast.GeneratorExp,
    ast.JoinedStr,
    ast.Await,
    ast.Yield,
    ast.YieldFrom,
)


def assigned_before(e: ast.expr, fresh: Fresh, placed: Callable[..., Any]) -> tuple[list[ast.stmt], ast.expr]:
    """The statements to run first, and what is left of an expression."""
    lifting = _Lifting(fresh, placed)
    left = lifting.lift(e)
    return lifting.out, left


def assigns(e: ast.AST) -> bool:
    """Whether there is an assignment in an expression that can be written out."""
    if isinstance(e, ast.NamedExpr):
        return True
    return not isinstance(e, _KEPT) and any(map(assigns, ast.iter_child_nodes(e)))


class _Lifting:
    def __init__(self, fresh: Fresh, placed: Callable[..., Any]) -> None:
        self.fresh = fresh
        self.placed = placed
        self.out: list[ast.stmt] = []

    def lift(self, e: ast.expr) -> ast.expr:
        """What is left of e after the statements that are added for it."""
        if not assigns(e):
            return e
        if isinstance(e, ast.NamedExpr):
            self.bind(e.target.id, self.lift(e.value), e)
            return ast.copy_location(ast.Name(e.target.id, ast.Load()), e)
        if isinstance(e, ast.BoolOp):
            return self.chosen(e, e.values)
        if isinstance(e, ast.IfExp):
            test, name = self.lift(e.test), self.fresh("chosen")
            self.branch(test, name, e.body, e.orelse, e)
            return ast.copy_location(ast.Name(name, ast.Load()), e)
        self.operands(e)
        return e

    def chosen(self, e: ast.BoolOp, values: list[ast.expr]) -> ast.expr:
        """`a and b` as `t = a`, and b under an `if`."""
        name = self.fresh("chosen")
        self.bind(name, self.lift(values[0]), e)
        for value in values[1:]:
            test: ast.expr = ast.Name(name, ast.Load())
            if isinstance(e.op, ast.Or):
                test = ast.UnaryOp(ast.Not(), test)
            self.branch(test, name, value, None, e)
        return ast.copy_location(ast.Name(name, ast.Load()), e)

    def branch(
        self, test: ast.expr, name: str, body: ast.expr, orelse: ast.expr | None, origin: ast.expr
    ) -> None:
        blocks: list[list[ast.stmt]] = []
        outer = self.out
        for part in (body, orelse):
            self.out = []
            if part is not None:
                self.bind(name, self.lift(part), origin)
            blocks.append(self.out)
        self.out = outer
        self.out.append(self.placed(ast.If(test, *blocks), origin))

    def operands(self, e: ast.expr) -> None:
        """Lift the operands of e, in the order of evaluation; what comes before an assignment is kept."""
        slots = _slots(e)
        last = max(i for i, (part, _) in enumerate(slots) if assigns(part))
        for i, (part, put) in enumerate(slots):
            later = {
                n.target.id for p, _ in slots[i + 1 :] for n in ast.walk(p) if isinstance(n, ast.NamedExpr)
            }
            left = self.lift(part)
            stays = isinstance(left, ast.Constant) or (isinstance(left, ast.Name) and left.id not in later)
            if i < last and not stays:
                name = self.fresh("before")
                self.bind(name, left, part)
                left = ast.copy_location(ast.Name(name, ast.Load()), part)
            put(left)

    def bind(self, name: str, value: ast.expr, origin: ast.AST) -> None:
        self.out.append(self.placed(ast.Assign([ast.Name(name, ast.Store())], value), origin))


def _slots(e: ast.expr) -> list[tuple[ast.expr, Callable[[ast.expr], None]]]:
    """The operands of an expression in the order of evaluation, each with what puts another in its place."""
    found: list[tuple[ast.expr, Callable[[ast.expr], None]]] = []

    def add(owner: Any, field: str) -> None:
        found.append((getattr(owner, field), lambda new: setattr(owner, field, new)))

    def add_item(items: list[Any], i: int) -> None:
        part = items[i]
        if isinstance(part, ast.Starred | ast.keyword):
            add(part, "value")
        elif part is not None:
            found.append((part, lambda new: items.__setitem__(i, new)))

    if isinstance(e, ast.Dict):
        for i in range(len(e.keys)):
            add_item(e.keys, i)
            add_item(e.values, i)
        return found
    if isinstance(e, ast.Call) and isinstance(e.func, ast.Attribute):
        add(e.func, "value")  # the method is looked up on the object as it is then
        fields = [("args", e.args), ("keywords", e.keywords)]
    else:
        fields = list(ast.iter_fields(e))
    for name, value in fields:
        if isinstance(value, list):
            for i in range(len(value)):
                if isinstance(value[i], ast.expr | ast.keyword):
                    add_item(value, i)
        elif isinstance(value, ast.expr):
            add(e, name)
    return found
