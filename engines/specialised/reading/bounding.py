"""Bounding: deques with a limit, as lists that drop what is at their other end.

    q = deque(xs, maxlen=3)         q_most = 3; q = deque(xs); for k in range(len(q) - q_most): q.popleft()
    q.append(v)                     q.append(v); if len(q) > q_most: q.popleft()

The limit belongs to a variable that is bound once and that nobody else is given.
"""

from __future__ import annotations

import ast
import builtins
import collections
import copy
from collections.abc import Callable
from typing import Any

from ...source.analysis.outside import taken_apart
from ...source.syntax.scopes import reads
from .declined import Declined
from .quoted import statements

_DROPS = {"append": "popleft", "appendleft": "pop"}
_METHODS = frozenset({*_DROPS, "popleft", "pop"})
_MADE = """
most = limit
q = made
assert most > 0
for place in range(len(q) - most):
    q.popleft()
"""


def bounded(
    body: list[ast.stmt], constant: Callable[[ast.expr], Any], own: Callable[[str], str]
) -> list[ast.stmt]:
    """The body with such deques as lists; the same where there are none."""
    limits: dict[str, str] = {}
    for n in (n for b in body for n in ast.walk(b)):
        for s in _assigned(n):
            if _limit(s.value, constant):
                limits.setdefault(s.targets[0].id, own(f"{s.targets[0].id}_most"))
    if not limits:
        return body
    if any(constant(ast.Name(n, ast.Load())) is not getattr(builtins, n) for n in ("len", "range")):
        raise Declined("another len or range")
    made = _Bounded(limits, own("place"), constant)
    whole = ast.Module(copy.deepcopy(body), [])
    result: ast.Module = ast.fix_missing_locations(made.visit(whole))
    made.hold(result)
    return result.body


def _assigned(n: ast.AST) -> list[Any]:
    """An assignment to names as one for each; nothing of anything else."""
    if isinstance(n, ast.AnnAssign):
        n = ast.copy_location(ast.Assign([n.target], n.value or ast.Constant(None)), n)
    parts = [*taken_apart(n)] if isinstance(n, ast.Assign) else []
    plain = all(isinstance(s, ast.Assign) and _is_one_name(s.targets) for s in parts)
    return parts if plain else []


def _limit(e: ast.expr, constant: Callable[[ast.expr], Any]) -> ast.expr | None:
    """The limit of a deque that is made; None of anything else."""
    if not isinstance(e, ast.Call) or getattr(e.func, "attr", getattr(e.func, "id", "")) != "deque":
        return None
    found = [k.value for k in e.keywords if k.arg == "maxlen"] or e.args[1:2]
    if not found or (isinstance(found[0], ast.Constant) and found[0].value is None):
        return None
    if constant(e.func) is not collections.deque:
        return None
    return found[0]


class _Bounded(ast.NodeTransformer):
    """Writes such deques as lists."""

    def __init__(self, limits: dict[str, str], place: str, constant: Callable[[ast.expr], Any]) -> None:
        self.limits, self.place, self.constant = limits, place, constant

    def visit_Assign(self, s: ast.Assign) -> Any:
        return self._visited(s)

    def visit_AnnAssign(self, s: ast.AnnAssign) -> Any:
        return self._visited(s)

    def _visited(self, s: ast.stmt) -> Any:
        """Assignments of which one may make such a deque."""
        parts = [*_assigned(s)]
        if not any(_limit(part.value, self.constant) for part in parts):
            return self.generic_visit(s)
        names = {part.targets[0].id for part in parts}
        if len(parts) > 1 and any(not names.isdisjoint(reads(part.value)) for part in parts):
            raise Declined("a deque with a limit, assigned together with what reads it")
        return [x for part in parts for x in self._made(part)]

    def _made(self, s: Any) -> list[ast.stmt]:
        """One assignment, of such a deque or of something else."""
        limit = _limit(s.value, self.constant)
        if limit is None:
            return [s]
        q, most = s.targets[0].id, self.limits[s.targets[0].id]
        made = ast.Call(s.value.func, s.value.args[:1], [])
        return statements(_MADE, s, q=q, most=most, limit=limit, made=made, place=self.place)

    def visit_Expr(self, s: ast.Expr) -> Any:
        match s.value:
            case ast.Call(ast.Attribute(ast.Name(q), method)) if q in self.limits and method in _DROPS:
                drop = f"if len(q) > most: q.{_DROPS[method]}()"
                return [s, *statements(drop, s, q=q, most=self.limits[q])]
        return self.generic_visit(s)

    def hold(self, body: ast.Module) -> None:
        """Declined where one of the variables is bound twice, or where another may have what it holds."""
        known = {id(n) for p in ast.walk(body) for n in self._read_alone(p)}
        bound: dict[str, int] = {}
        for n in ast.walk(body):
            if not isinstance(n, ast.Name) or n.id not in self.limits:
                continue
            bound[n.id] = bound.get(n.id, 0) + isinstance(n.ctx, ast.Store)
            if bound[n.id] > 1 or (isinstance(n.ctx, ast.Load) and id(n) not in known):
                raise Declined("a deque with a limit that others may have")

    def _read_alone(self, p: ast.AST) -> list[ast.expr]:
        """The operands of a node that it only reads."""
        match p:
            case ast.Call(ast.Attribute(q, method), _, _) if method in _METHODS:
                return [q]
            case ast.Call(f, args, _):
                g = self.constant(f)
                numpys = (getattr(g, "__module__", None) or "").startswith("numpy")
                return args if numpys or getattr(builtins, getattr(g, "__name__", ""), self) is g else []
            case ast.Subscript(q, _, ast.Load()) | ast.For(_, q) | ast.comprehension(_, q) | ast.Starred(q):
                return [q]
            case ast.If(test) | ast.While(test) | ast.IfExp(test):
                return [test]
        return []


def _is_one_name(targets: list[ast.expr]) -> bool:
    return len(targets) == 1 and isinstance(targets[0], ast.Name)
