"""Stores: where a function changes in place what a pullback may have kept.

A pullback keeps values as they were when its call ran. What varies is never stored into. An array
that does not vary may be: freely before anything was computed with it, but not after. This walk
follows which variables may share memory with something kept; a store into one of them is checked
as the program runs, for only then is it known whether it is an array.
"""

from __future__ import annotations

import ast

from .activity import Activity, varies
from .flow import ForwardWalk, Names, with_names
from .resolver import Resolver
from .syntax import (
    base,
    binds,
    captured,
    children,
    default_reads,
    own_expressions,
    own_statements,
    reads,
)

# fmt: off
_FRESH = frozenset((
    "arange", "array", "copy", "deepcopy", "dict", "empty", "empty_like", "eye", "full", "full_like",
    "len", "linspace", "list", "ones", "ones_like", "range", "zeros", "zeros_like",
))
# fmt: on
"""Calls whose result shares memory with nothing."""


class Stores(ForwardWalk):
    """The names, before each statement, of what a pullback may have kept."""

    def __init__(self, body: list[ast.stmt], activity: Activity, resolver: Resolver) -> None:
        super().__init__()
        self.activity = activity
        self.resolver = resolver
        self.kept: dict[ast.stmt, Names] = {}
        self.groups = self._groups(body)
        self.counters = _counters(body)
        self.block(body, frozenset())

    def lent(self, s: ast.stmt, copied: Names) -> list[str]:
        """Variables that a pullback may have kept and that this statement gives to a Python function.

        What may change later is `copied` where a pullback keeps it.
        """
        given: set[str] = set()
        for e in own_expressions(s):
            if isinstance(e, ast.Call) and self.resolver.may_write(e):
                arguments = [*e.args, *(k.value for k in e.keywords), e.func]
                given = given.union(*(base(a) for a in arguments))
        return sorted(given & (self.kept.get(s, frozenset()) - self.counters - copied))

    def before(self, s: ast.stmt, state: Names) -> Names:
        state |= self.kept.get(s, frozenset())
        self.kept[s] = state
        varied = self.activity.varied.get(s, frozenset())
        for e in own_expressions(s):
            if varies(e, varied, self.resolver):
                state = state.union(*(self.groups.get(n, {n}) for n in reads(e)))
        if isinstance(s, ast.FunctionDef) and captured(s) & self.activity.ever_varied:
            state = state.union(*(self.groups.get(n, {n}) for n in captured(s) | default_reads(s)))
        return state

    def bound(self, target: ast.expr, value: ast.expr, at: Names, state: Names) -> Names:
        return with_names(state, binds(target), bool(self._shared(value) & at))

    def simple(self, s: ast.stmt, state: Names) -> Names:
        if isinstance(s, ast.Assign | ast.AnnAssign) and s.value is not None:
            return with_names(state, binds(s), bool(self._shared(s.value) & state))
        return state

    def _groups(self, body: list[ast.stmt]) -> dict[str, Names]:
        """For each name, those that may share memory with it, wherever they are bound."""
        groups: dict[str, Names] = {}
        for s in own_statements(body):
            for linked in self._links(s):
                united = linked.union(*(groups.get(n, frozenset()) for n in linked))
                groups.update(dict.fromkeys(united, united))
        return groups

    def _links(self, s: ast.stmt) -> list[Names]:
        """The sets of names that may share memory once this statement has run."""
        if isinstance(s, ast.Assign | ast.AnnAssign) and s.value is not None:
            targets = s.targets if isinstance(s, ast.Assign) else [s.target]
            return [base(t).union(binds(t), self._shared(s.value)) for t in targets]
        if isinstance(s, ast.For):
            return [self._shared(s.iter).union(binds(s.target))]
        if isinstance(s, ast.With):
            return [
                self._shared(i.context_expr).union(binds(i.optional_vars)) for i in s.items if i.optional_vars
            ]
        if isinstance(s, ast.FunctionDef):
            return [frozenset({s.name}).union(captured(s), default_reads(s))]
        return []

    def _shared(self, e: ast.expr) -> Names:
        """The variables with whose values the value of an expression may share memory."""
        if isinstance(e, ast.BinOp | ast.UnaryOp | ast.Compare | ast.Constant | ast.JoinedStr):
            return frozenset()
        if isinstance(e, ast.Call):
            if getattr(e.func, "attr", getattr(e.func, "id", "")) in _FRESH:
                return frozenset()
            given = [e.func, *e.args, *(k.value for k in e.keywords)]
            return frozenset().union(*map(self._shared, given))
        if isinstance(e, ast.Subscript):
            return self._shared(e.value)
        if isinstance(e, ast.Lambda):
            return frozenset(captured(e) | default_reads(e))
        inner = [n for n in children(e) if isinstance(n, ast.expr)]
        own = frozenset({e.id}) if isinstance(e, ast.Name) and self.resolver.is_value(e.id) else frozenset()
        return own.union(*map(self._shared, inner))


def _counters(body: list[ast.stmt]) -> Names:
    """Names that are only ever bound to constants and counted up or down by them: numbers."""
    counted: set[str] = set()
    other: set[str] = set()
    for s in own_statements(body):
        if isinstance(s, ast.Assign | ast.AugAssign) and isinstance(s.value, ast.Constant):
            targets = s.targets if isinstance(s, ast.Assign) else [s.target]
            counted |= {t.id for t in targets if isinstance(t, ast.Name) and isinstance(s, ast.Assign)}
            other = other.union(*(binds(t) for t in targets if not isinstance(t, ast.Name)))
        elif not isinstance(s, ast.If | ast.While):
            other |= binds(s)
    return frozenset(counted - other)
