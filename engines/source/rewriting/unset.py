"""Variables that may have no value yet where the program asks what they share.

A store tells every name of an object of its change; and before or after a statement that reads a name
only sometimes, as `acc = x if first else f(acc)`, the program may ask about that name. Asking for one that
is not bound would raise. So a flag says whether it is: false at the start, true after each statement that
binds it.
"""

from __future__ import annotations

import ast
from typing import Any

from ..analysis.mutation import Mutation
from ..syntax.flow import ForwardWalk, Names, with_names
from ..syntax.kinds import COMPOUND
from ..syntax.scopes import binds, copied, own
from ..syntax.trees import assign
from .names import Names as Reserved

_SOMETIMES = frozenset((ast.IfExp, ast.BoolOp))


def told_of_unset(
    body: list[ast.stmt], mutation: Mutation, names: Reserved, parameters: list[str]
) -> tuple[list[ast.stmt], dict[str, str]]:
    """The body with those flags kept, and the flag of each such variable."""
    sometimes = {s for s in mutation.statements if not _SOMETIMES.isdisjoint(map(type, own(s).expressions))}
    if not sometimes and not any(len(mutation.affected(s)) > 1 for s in mutation.statements):
        return body, {}
    unset: Names = frozenset()
    for s, before in unset_before(body, parameters).items():
        if before and (affected := mutation.affected(s)):
            unset |= before & affected & mutation.live.get(s, frozenset())
        if before and s in sometimes:
            unset |= before & own(s).reads
    if not unset:
        return body, {}
    flags = {name: names.fresh(f"{name}_bound") for name in sorted(unset)}
    body = _flagged(copied(body), flags)
    start = [assign(flag, ast.Constant(False), body[0]) for flag in flags.values()]
    return [*start, *body], flags


def unset_before(body: list[ast.stmt], parameters: list[str]) -> dict[ast.stmt, Names]:
    """The names that may have no value before each statement."""
    walk = _Unset()
    walk.block(body, frozenset[str]().union(*map(binds, body)).difference(parameters))
    return walk.seen


class _Unset(ForwardWalk):
    """The forward walk. A state is the set of names that may have no value."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: dict[ast.stmt, Names] = {}

    def before(self, s: ast.stmt, state: Names) -> Names:
        known = self.seen.get(s)
        self.seen[s] = state if known is None else known | state
        return state

    def simple(self, s: ast.stmt, state: Names) -> Names:
        if isinstance(s, ast.AnnAssign) and s.value is None:
            return state
        return with_names(state, binds(s), isinstance(s, ast.Delete))

    def bound(self, target: ast.expr, value: ast.expr, at: Names, state: Names) -> Names:
        return state - binds(target)


def _flagged(body: list[ast.stmt], flags: dict[str, str]) -> list[ast.stmt]:
    made: list[ast.stmt] = []
    for s in body:
        made.append(s)
        if isinstance(s, COMPOUND):
            _flag_inside(s, flags)
        elif not (isinstance(s, ast.AnnAssign) and s.value is None):
            made += _set(binds(s), flags, s, not isinstance(s, ast.Delete))
    return made


def _flag_inside(s: Any, flags: dict[str, str]) -> None:
    for part in ("body", "orelse", "finalbody"):
        if inner := getattr(s, part, None):
            setattr(s, part, _flagged(inner, flags))
    for handler in getattr(s, "handlers", ()):
        name = frozenset((handler.name,)) if handler.name else frozenset()
        handler.body = [*_set(name, flags, handler, True), *_flagged(handler.body, flags)]
    targets = [s.target] if isinstance(s, ast.For) else [i.optional_vars for i in getattr(s, "items", ())]
    bound = frozenset[str]().union(*(binds(t) for t in targets if t is not None))
    s.body[:0] = _set(bound, flags, s, True)


def _set(bound: frozenset[str], flags: dict[str, str], origin: ast.AST, value: bool) -> list[ast.stmt]:
    return [assign(flags[n], ast.Constant(value), origin) for n in sorted(bound & set(flags))]
