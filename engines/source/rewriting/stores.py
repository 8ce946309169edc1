"""Stores: where a function changes in place what a pullback may have kept.

A pullback keeps values as they were when its call ran. What varies is never stored into. An array
that does not vary may be: freely before anything was computed with it, but not after. This walk
follows which variables may share memory with something kept; a store into one of them is checked
as the program runs, for only then is it known whether it is an array.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterable

from ..analysis.activity import Activity, varies
from ..reading.resolver import Resolver
from ..reading.running import may_write, runs_later
from ..syntax.flow import ForwardWalk, Names, with_names
from ..syntax.kinds import BINDINGS
from ..syntax.scopes import (
    Scope,
    assigned,
    binds,
    captured,
    children,
    default_reads,
    own,
    own_statements,
    reads,
    yields,
)
from .unset import unset_before

_NONE: Names = frozenset()

# fmt: off
_FRESH = frozenset((
    "arange", "array", "copy", "deepcopy", "empty", "empty_like", "eye", "full", "full_like", "len",
    "linspace", "ones", "ones_like", "range", "zeros", "zeros_like",
))
# fmt: on
"""Calls whose result shares memory with nothing."""


class Stores(ForwardWalk):
    """The names, before each statement, of what a pullback may have kept."""

    def __init__(
        self,
        body: list[ast.stmt],
        activity: Activity,
        resolver: Resolver,
        counters: Names,
        parameters: list[str],
    ) -> None:
        super().__init__()
        self.parameters = parameters
        self.activity = activity
        self.resolver = resolver
        self.body = body
        self.counters = counters
        self.seen: dict[ast.stmt, Names] = {}
        self._uses: dict[ast.stmt, Names] = {}
        self._writing: dict[ast.stmt, tuple[ast.Call, ...]] = {}

    @functools.cached_property
    def kept(self) -> dict[ast.stmt, Names]:
        """By statement, the names of what a pullback may have kept before it."""
        self.block(self.body, _NONE)
        return self.seen

    @functools.cached_property
    def groups(self) -> dict[str, Names]:
        """For each name, those that may share memory with it, wherever they are bound."""
        groups: dict[str, Names] = {}
        for s in own_statements(self.body):
            for linked in self._links(s):
                united = linked.union(*(groups.get(n, _NONE) for n in linked))
                groups.update(dict.fromkeys(united, united))
        return groups

    @functools.cached_property
    def unset(self) -> dict[ast.stmt, Names]:
        """The names that may have no value before each statement."""
        return unset_before(self.body, self.parameters)

    @functools.cached_property
    def lazy(self) -> Names:
        """The names of what runs functions of the user's as its items are taken."""
        statements = own_statements(self.body)
        makers = {s.name for s in statements if isinstance(s, ast.FunctionDef) and yields(s.body)}
        found: set[str] = set()
        for s in statements:
            value = s.value if isinstance(s, BINDINGS) and (own(s).calls or found) else None
            if value is not None and runs_later(value, self.resolver, found | makers):
                found |= binds(s)
        return frozenset(found)

    @functools.cached_property
    def inner(self) -> Names:
        """The names that only the statements of the function bind."""
        return _NONE.union(*map(binds, own_statements(self.body))).difference(self.parameters)

    def is_outside(self, name: str) -> bool:
        """Whether a variable may hold what was there before the function began."""
        return not self.groups.get(name, frozenset({name})) <= self.inner

    def lent(self, s: ast.stmt, copied: Names, varied: Iterable[str] = _NONE) -> list[str]:
        """Variables that `varied` or a pullback may have kept, and that this statement gives to a function.

        With what runs functions as its items are taken go those that it may share memory with. What may
        change later is `copied` where a pullback keeps it.
        """
        given = self.given(self.writing(s))
        if lazy := own(s).reads & self.lazy:
            given = given.union(lazy, _NONE.union(*(self.groups.get(n, _NONE) for n in lazy)) - self.unset[s])
        if not given:
            return []
        kept = (self.kept.get(s, _NONE) - copied).union(varied)
        return sorted(given & (kept - self.counters))

    def writing(self, s: ast.stmt) -> tuple[ast.Call, ...]:
        """The calls of a statement by which something could be written."""
        calls = self._writing.get(s)
        if calls is None:
            calls = self._writing[s] = tuple([c for c in own(s).calls if may_write(c, self.resolver)])
        return calls

    def given(self, calls: Iterable[ast.Call]) -> Names:
        """The variables that these calls give to functions which could write to them."""
        given = _NONE
        for e in calls:
            if may_write(e, self.resolver):
                arguments = [*e.args, *(k.value for k in e.keywords), e.func]
                given = given.union(*map(self._shared, arguments))
        return given

    def before(self, s: ast.stmt, state: Names) -> Names:
        state = self.seen[s] = state | self.seen.get(s, _NONE)
        uses = self._uses.get(s)
        if uses is None:
            uses = self._uses[s] = self._used(s)
        return state | uses

    def _used(self, s: ast.stmt) -> Names:
        """What a pullback may keep of s: all that shares memory with what its varying parts read."""
        varied = self.activity.varied.get(s, _NONE)
        pending = [n for n in children(s) if not isinstance(n, ast.stmt)]
        read: Names = _NONE
        if isinstance(s, Scope):
            pending = list(getattr(s, "decorator_list", []))
        if isinstance(s, ast.FunctionDef) and captured(s) & self.activity.ever_varied:
            read = captured(s) | default_reads(s)
        while pending:
            e = pending.pop()
            if isinstance(e, ast.expr) and varies(e, varied, self.resolver):
                read |= reads(e)
            elif not isinstance(e, ast.Lambda):
                pending += [n for n in children(e) if not isinstance(n, ast.stmt)]
        return read.union(*(self.groups.get(n, _NONE) for n in read))

    def bound(self, target: ast.expr, value: ast.expr, at: Names, state: Names) -> Names:
        return with_names(state, binds(target), bool(self._shared(value) & at))

    def simple(self, s: ast.stmt, state: Names) -> Names:
        if isinstance(s, BINDINGS) and s.value is not None:
            return with_names(state, binds(s), bool(self._shared(s.value) & state))
        return state

    def _links(self, s: ast.stmt) -> list[Names]:
        """The sets of names that may share memory once this statement has run."""
        if isinstance(s, BINDINGS) and s.value is not None:
            targets = s.targets if isinstance(s, ast.Assign) else [s.target]
            return [assigned(t) | self._shared(s.value) for t in targets]
        if isinstance(s, ast.For):
            return [self._shared(s.iter) | assigned(s.target)]
        if isinstance(s, ast.With):
            return [
                self._shared(i.context_expr) | assigned(i.optional_vars) for i in s.items if i.optional_vars
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
