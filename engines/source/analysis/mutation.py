"""Mutation: what a function changes in place, and who else might see it.

Three things are told of each statement. What it writes: the owners of its stores, and what the calls
in it may change. What may be written after it, so that a pullback has to keep a copy of it. And
which names are read after it, so that a change has to reach every other name of the same object.
"""

from __future__ import annotations

import ast
import functools
from collections import ChainMap
from collections.abc import Iterable
from types import FunctionType
from typing import NamedTuple

from ..reading.computed import READER
from ..reading.resolver import Resolver
from ..syntax.flow import BackwardWalk, Names
from ..syntax.kinds import BINDINGS, OPERATORS
from ..syntax.scopes import (
    base,
    binds,
    blocks,
    captured,
    children,
    default_reads,
    own,
    own_statements,
    reads,
    walk,
)
from .buffers import counters
from .outside import Places, Scope, bound
from .sharing import Sharing, shared, with_items
from .unshared import alone

_NONE: Names = frozenset()


class Written(NamedTuple):
    """An object that changes: what gives it, and whether something inside it may change too."""

    owner: ast.expr
    deep: bool


class Mutation:
    """The answers for one function body."""

    def __init__(
        self,
        body: list[ast.stmt],
        resolver: Resolver,
        unsettled: Iterable[str] = (),
        joined: Iterable[str] = (),
    ) -> None:
        """`unsettled`: see `unsettle`; `joined`: names that may share memory from the beginning."""
        self.resolver = resolver
        self.body = body
        self.statements = own_statements(body)
        self.counters = counters(self.statements, resolver)
        self.sharing = Sharing(resolver, body, self.statements, frozenset(joined))
        self._written: dict[ast.stmt, list[Written]] = {}
        self._affected: dict[ast.stmt, Names] = {}
        self.always: Names = _NONE
        self.unsettle(unsettled)

    @functools.cached_property
    def values(self) -> dict[str, list[ast.expr]]:
        """What the values of the function's variables come from; temporaries are added as they are made."""
        found: dict[str, list[ast.expr]] = {}
        for s in self.statements:
            for name, value in bound(s):
                found.setdefault(name, []).append(value)
        return found

    def outside(self, names: Iterable[str]) -> Places:
        """The variables outside the function that hold what one of these names may be, or be a part of."""

        def is_own(name: str) -> bool:
            known, _ = self.resolver.value(ast.Name(name, ast.Load()))
            return not known or name == READER

        known = ChainMap(self.resolver.imported, self.resolver.namespace)  # type: ignore[arg-type]  # a dict
        scope = Scope(known, is_own, lambda n: self.values.get(n, []))
        return scope.places(ast.Name(n, ast.Load()) for n in names)

    def unsettle(self, names: Iterable[str]) -> None:
        """Say of which names the caller may change the objects after the call."""
        self.always = self.always.union(*(self.sharing.reached(n, True) for n in names))

    @functools.cached_property
    def writes(self) -> bool:
        """Whether anything is written at all."""
        return any(map(self.written, self.statements))

    @functools.cached_property
    def later(self) -> dict[ast.stmt, Names]:
        """By statement, the names that may be written after it."""
        return self._later(self.always)

    @functools.cached_property
    def alone(self) -> dict[ast.stmt, Names]:
        """By statement that stores, the names of arrays that nothing else sees then."""
        return alone(self.body, self.statements, self.resolver)

    def _later(self, always: Names) -> dict[ast.stmt, Names]:
        return _Later(self, always).seen_in(self.body) if self.writes else {}

    @functools.cached_property
    def live(self) -> dict[ast.stmt, Names]:
        """By statement, the names that may be read after it."""
        return self.alive if self.writes else {}

    @functools.cached_property
    def alive(self) -> dict[ast.stmt, Names]:
        """The same whether or not anything is written."""
        return _Live().seen_in(self.body)

    def written(self, s: ast.stmt) -> list[Written]:
        """The owners of what executing this statement itself may change in place."""
        found = self._written.get(s)
        if found is None:
            found = self._written[s] = self._find_written(s)
        return found

    def _find_written(self, s: ast.stmt) -> list[Written]:
        mine = own(s)
        if not (mine.stores or mine.calls or isinstance(s, ast.AugAssign)):
            return []
        found = [
            Written(t.value, not isinstance(t.value, ast.Name) or self.stores_deep(s, t)) for t in mine.stores
        ]
        if isinstance(s, ast.AugAssign) and not base(s.target) & self.counters:
            deep = not isinstance(s.target, ast.Name) or self.stores_deep(s, s.target)
            found.append(Written(s.target, deep))
        for e in mine.calls:
            if changed := self.resolver.changed(e):
                deep = self.resolver.is_deep(e)
                found += [Written(c, deep or not isinstance(c, ast.Name)) for c in changed]
        return found

    def stores_deep(self, s: ast.stmt, target: ast.expr) -> bool:
        """Whether a store may run a method of a known class that changes what is inside its object."""
        resolver, (itself, P) = self.resolver, self.resolver.own
        names = setters_of(s, target)
        owner = getattr(getattr(target, "value", target), "id", "")
        if owner == resolver.words or self.is_alone(owner, s):
            return False
        if owner == itself:
            known = (getattr(P, name, None) for name in names)
            methods = [m.fset if isinstance(m, property) else m for m in known]
        else:
            methods = [m for name in names for m in resolver.methods(name, resolver)]
        return any(isinstance(m, FunctionType) and resolver.deeply(m) for m in methods)

    def affected(self, s: ast.stmt) -> Names:
        """The names whose objects this statement may change."""
        found = self._affected.get(s)
        if found is None:
            written = self.written(s)
            found = self._affected[s] = _NONE.union(*[self.reached(w, s) for w in written])
        return found

    def owners(self, captured: Names) -> Names:
        """The names of what the body changes, and of variables outside that hold it, captured or not.

        What operators are given, or what they made, is not among it: those hand all on.
        """
        owners = [w.owner for s in self.statements for w in self.written(s)]
        by_operators = {
            id(c)
            for e in (e for s in self.statements if owners for e in own(s).calls)
            if isinstance(e.func, ast.Call) or isinstance(self.resolver.value(e.func)[1], functools.partial)
            for c in self.resolver.changed(e)
        }
        names = _NONE.union(*(self.shared(o) | base(o) for o in owners if id(o) not in by_operators))
        around = _NONE.union(*(self.sharing.reached(n, True) for n in names)) & captured
        return names.union(around, self.outside(names)) if names else names

    def is_alone(self, name: str, s: ast.stmt) -> bool:
        """Whether what a statement stores into a variable nothing else sees."""
        return s in self.alone and name in self.alone[s]

    def reached(self, written: Written, s: ast.stmt) -> Names:
        """The names that may see this change."""
        names = with_items(written.owner, self.resolver)
        if s in self.alone and names <= self.alone[s]:
            return names
        return _NONE.union(*[self.sharing.reached(n, written.deep) for n in names])

    def shared(self, e: ast.expr) -> Names:
        """The variables with whose objects the value of an expression may share memory."""
        return shared(e, self.resolver)


class _Seeing(BackwardWalk):
    """A walk that notes its state after each statement."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: dict[ast.stmt, Names] = {}

    def seen_in(self, body: list[ast.stmt]) -> dict[ast.stmt, Names]:
        self.block(body, frozenset())
        return self.seen


class _Later(_Seeing):
    """The names that may be written from here on."""

    def __init__(self, mutation: Mutation, always: Names) -> None:
        super().__init__()
        self.mutation = mutation
        self.always = always

    def after(self, s: ast.stmt, state: Names) -> Names:
        known, affected = self.seen.get(s, self.always), self.mutation.affected(s)
        if not known <= state or not affected <= state:
            state = state.union(known, affected)
        self.seen[s] = state
        return state

    def simple(self, s: ast.stmt, state: Names) -> Names:
        made = s.value if isinstance(s, BINDINGS) else None
        if made is None or self.mutation.shared(made):
            return state
        reached = self.mutation.sharing.reached  # what it was bound to before may change under other names
        return state.difference(n for n in binds(s) & state if state.isdisjoint(reached(n, True) - {n}))

    def ends(self, s: ast.Return | ast.Raise) -> Names:
        return self.mutation.affected(s)

    def head(self, s: ast.stmt, state: Names) -> Names:
        return state

    def bound(self, s: ast.stmt, state: Names) -> Names:
        return state


class _Live(_Seeing):
    """The names that may be read from here on."""

    def after(self, s: ast.stmt, state: Names) -> Names:
        known = self.seen.get(s)
        if known is not None and not known <= state:
            state |= known
        self.seen[s] = state
        return state

    def simple(self, s: ast.stmt, state: Names) -> Names:
        if isinstance(s, ast.FunctionDef):
            return (state | captured(s)) - {s.name} | default_reads(s)
        if isinstance(s, ast.AugAssign):
            return state | evaluated_reads(s) | base(s.target)
        return (state - binds(s)) | evaluated_reads(s)

    def ends(self, s: ast.Return | ast.Raise) -> Names:
        return frozenset(evaluated_reads(s))

    def head(self, s: ast.stmt, state: Names) -> Names:
        return state | own(s).reads

    def bound(self, s: ast.stmt, state: Names) -> Names:
        targets = [s.target] if isinstance(s, ast.For) else []
        targets += [i.optional_vars for i in s.items if i.optional_vars] if isinstance(s, ast.With) else []
        return state.difference(*(binds(t) for t in targets))


def evaluated_reads(node: ast.AST) -> frozenset[str]:
    """The variables of the function that this may read: not the parameters of a lambda."""
    if isinstance(node, ast.stmt) and not own(node).lambdas and not blocks(node):
        return reads(node)
    if not any(isinstance(n, ast.Lambda) for n in walk(node)):
        return reads(node)
    if isinstance(node, ast.Lambda):
        return captured(node) | default_reads(node)
    return frozenset[str](reads(node) if isinstance(node, ast.Name) else ()).union(
        *map(evaluated_reads, children(node))
    )


def setters_of(s: ast.stmt, target: ast.expr) -> list[str]:
    """What a class calls the methods that a store may run; a property by its own name."""
    if isinstance(s, ast.AugAssign) and target is s.target:
        names = [f"__i{OPERATORS[type(s.op)].__name__.strip('_')}__"]
    else:
        names = []
    if isinstance(target, ast.Subscript):
        return [*names, "__delitem__" if isinstance(s, ast.Delete) else "__setitem__"]
    return [*names, "__setattr__", target.attr] if isinstance(target, ast.Attribute) else names
