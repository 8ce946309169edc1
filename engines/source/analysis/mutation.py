"""Mutation: what a function changes in place, and who else might see it.

Of each statement it is told what it writes: the owners of its stores, and what the calls in it may change;
and which names may see that.
"""

from __future__ import annotations

import ast
import functools
from collections import ChainMap
from collections.abc import Iterable, Iterator
from inspect import getattr_static
from types import FunctionType
from typing import NamedTuple

from ..reading.resolver import Resolver
from ..syntax.kinds import OPERATORS
from ..syntax.scopes import Names, Own, base, own, own_statements
from .outside import Places, Scope, bound
from .sharing import Sharing, shared, with_items
from .stored import stored_by
from .unshared import alone

_NONE: Names = frozenset()


class Written(NamedTuple):
    """An object that changes: what gives it, and whether something inside it may change too."""

    owner: ast.expr
    deep: bool


class Mutation:
    """The answers for one function body."""

    def __init__(self, body: list[ast.stmt], resolver: Resolver) -> None:
        self.resolver = resolver
        self.body = body
        self.statements = own_statements(body)
        self.sharing = Sharing(resolver, body, self.statements)
        self._written: dict[ast.stmt, list[Written]] = {}
        self._affected: dict[ast.stmt, Names] = {}

    @functools.cached_property
    def values(self) -> dict[str, list[ast.expr]]:
        """What the values of the function's variables come from."""
        found: dict[str, list[ast.expr]] = {}
        for s in self.statements:
            for name, value in bound(s):
                found.setdefault(name, []).append(value)
        return found

    def outside(self, names: Iterable[str]) -> Places:
        """The variables outside the function that hold what one of these names may be, or be a part of."""

        def is_own(name: str) -> bool:
            return not self.resolver.value(ast.Name(name, ast.Load()))[0]

        known = ChainMap(self.resolver.imported, self.resolver.namespace)  # type: ignore[arg-type]  # a dict
        scope = Scope(known, is_own, lambda n: self.values.get(n, []))
        return scope.places(ast.Name(n, ast.Load()) for n in names)

    @functools.cached_property
    def alone(self) -> dict[ast.stmt, Names]:
        """By statement that stores, the names of arrays that nothing else sees then."""
        return alone(self.body, self.statements, self.resolver)

    def written(self, s: ast.stmt) -> list[Written]:
        """The owners of what executing this statement itself may change in place."""
        found = self._written.get(s)
        if found is None:
            found = self._written[s] = self._find_written(s)
        return found

    def _find_written(self, s: ast.stmt) -> list[Written]:
        mine = own(s)
        functions: list[ast.FunctionDef | ast.Lambda] = [*mine.lambdas]
        if isinstance(s, ast.FunctionDef):
            functions.append(s)
        stored = _NONE.union(*(stored_by(f, self.resolver) for f in functions)) & self.resolver.local
        found = [Written(ast.Name(n, ast.Load()), True) for n in stored]  # as if it were called
        found += [
            Written(t.value, not isinstance(t.value, ast.Name) or self.stores_deep(s, t)) for t in mine.stores
        ]
        found += [Written(e.value, True) for e in self._read_to_change(mine)]
        if isinstance(s, ast.AugAssign):
            deep = not isinstance(s.target, ast.Name) or self.stores_deep(s, s.target)
            found.append(Written(s.target, deep))
        for e in mine.calls:
            if changed := self.resolver.changed(e):
                deep = self.resolver.is_deep(e)
                found += [Written(c, deep or not isinstance(c, ast.Name)) for c in changed]
        return found

    def _read_to_change(self, mine: Own) -> Iterator[ast.Attribute]:
        """Attributes that change their object: as they are read, or methods when they are called later."""
        called = {id(c.func) for c in mine.calls}
        for e in mine.expressions:
            if isinstance(e, ast.Attribute) and id(e) not in called and self.resolver.changes_itself(e):
                yield e

    def stores_deep(self, s: ast.stmt, target: ast.expr) -> bool:
        """Whether a store may run a method of a known class that changes what is inside its object."""
        resolver, (itself, P) = self.resolver, self.resolver.own
        names = setters_of(s, target)
        owner = getattr(getattr(target, "value", target), "id", "")
        if owner == resolver.words or self.is_alone(owner, s):
            return False
        if owner == itself:
            known = (getattr_static(P, name, None) for name in names)  # a descriptor is not asked
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


def setters_of(s: ast.stmt, target: ast.expr) -> list[str]:
    """What a class calls the methods that a store may run; a property by its own name."""
    if isinstance(s, ast.AugAssign) and target is s.target:
        names = [f"__i{OPERATORS[type(s.op)].__name__.strip('_')}__"]
    else:
        names = []
    if isinstance(target, ast.Subscript):
        return [*names, "__delitem__" if isinstance(s, ast.Delete) else "__setitem__"]
    return [*names, "__setattr__", target.attr] if isinstance(target, ast.Attribute) else names
