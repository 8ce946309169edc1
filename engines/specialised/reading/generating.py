"""Generating: a generator function as one that returns the list of what it yields.

That is the same where whoever calls it goes through all of it at once, and changes nothing meanwhile that the
generator may still read. A generator that may have no end is declined.
"""

from __future__ import annotations

import ast
import copy
from types import FunctionType
from typing import Any

from .declined import Declined
from .expressions import YIELDED
from .quoted import statements
from .resolving import Resolving
from .steps import Step, is_name, walk

_GENERATOR = 0x20


def is_generator(f: Any) -> bool:
    """Whether a call of f makes a generator."""
    return type(f) is FunctionType and bool(f.__code__.co_flags & _GENERATOR)


def listed(body: list[ast.stmt]) -> list[ast.stmt]:
    """The body of a generator function as that of a function that returns a list."""
    made = [_Writer().visit(copy.deepcopy(s)) for s in body]
    start = statements("own = []", body[0], own=YIELDED)
    return [*start, *made, *statements("return own", body[-1], own=YIELDED)]


class _Writer(ast.NodeTransformer):
    def visit_Expr(self, s: ast.Expr) -> Any:
        value = s.value
        if not isinstance(value, ast.Yield | ast.YieldFrom):
            return self.generic_visit(s)
        name = "append" if isinstance(value, ast.Yield) else "extend"
        what = self.visit(value.value or ast.Constant(None))
        return statements(f"own.{name}(what)", s, own=YIELDED, what=what)[0]

    def visit_Yield(self, e: ast.Yield) -> ast.expr:
        raise Declined("a generator that is sent something")

    def visit_YieldFrom(self, e: ast.YieldFrom) -> ast.expr:
        raise Declined("a generator that is sent something")

    def visit_While(self, s: ast.While) -> ast.stmt:
        raise Declined("a generator that may have no end")

    def visit_Return(self, s: ast.Return) -> ast.stmt:
        if s.value is not None:
            raise Declined("a generator that returns something")
        return statements("return own", s, own=YIELDED)[0]  # type: ignore[no-any-return]  # a statement

    def visit_FunctionDef(self, s: ast.FunctionDef) -> ast.stmt:
        return s

    def visit_Lambda(self, e: ast.Lambda) -> ast.expr:
        return e


def made_lazily(steps: list[Step]) -> dict[str, set[Step]]:
    """The steps that make each list in whose place Python would take one item after another."""
    found: dict[str, set[Step]] = {}
    for i, s in enumerate(steps):
        if s.op == "list" and "lazily" in s.facts:
            appends = ("append", s.target)
            fills = [x for x in steps[i:] if any((y.op, *y.args[:1]) == appends for y in walk(x.body))]
            found[s.target] = {*walk(fills)}
        found |= made_lazily(s.body) | made_lazily(s.orelse)
    return found


def hold_still(steps: list[Step], found: Resolving, generated: dict[str, set[Step]]) -> None:
    """Declined where a loop over what a generator yields changes what the generator may read.

    `generated` has, for the list of each generator, the steps that make it.
    """
    for loop in walk(steps):
        if loop.op != "loop" or "items" not in loop.facts:
            continue
        taken = [s for s in loop.body if s.op == "get" and "item" in s.facts]
        lists = {m.target for s in taken if (m := found.maker(s.args[0])) is not None}
        for name in lists & generated.keys():
            read = {found.maker(n) for s in generated[name] for n in s.args if is_name(n)}
            for s in walk(loop.body):
                if not _harmless(s, found, read):
                    raise Declined("a loop that changes something, over what gives one item after another")


def _harmless(s: Step, found: Resolving, read: set[Any]) -> bool:
    if s.op in ("append", "extend"):
        maker = found.maker(s.args[0])
        return maker is not None and maker.op == "list" and maker not in read
    if s.op == "binary" and s.facts.get("in place"):
        return found.seen.get(s.number) in ("f", "d", "s", "i", "q", "b")
    return s.op not in ("set", "setattr", "put", "drop")
