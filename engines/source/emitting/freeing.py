"""Freeing: values that the program may change in place later, made free of what pullbacks kept of them.

A pullback may keep the value that it was made with, and a part of a new value is as new as that. What was put
into something is not: it is read as it is, since who changes it changes it there.
"""

from __future__ import annotations

import ast

from ..analysis.mutation import Mutation
from ..analysis.sharing import with_items
from ..rewriting.stores import Stores
from ..syntax.ir import Atom
from ..syntax.scopes import binds, stored
from ..syntax.trees import at, name_at
from .expressions import Expressions

_HELD = (ast.Name, ast.Constant, ast.Lambda)
_TAKING = frozenset(("pop", "popitem", "popleft"))
"""Methods that take something out of a container."""


class Freeing(Expressions):
    """Lowers values that may be changed later."""

    mutation: Mutation
    stores: Stores
    current: ast.stmt  # the statement that is lowered
    flags: dict[str, str]  # names for the items of loops, with what says whether they can change

    def iterator(self, name: str, value: ast.expr) -> ast.expr:
        """What is bound to a name, with what says of it as an iterator."""
        raise NotImplementedError

    def bind(self, name: str, e: ast.expr) -> None:
        """`name = e`, free of what its pullback kept where it may be changed later."""
        written = name in self.later
        over = written and not isinstance(e, _HELD) and name in with_items(e, self.resolver)
        made = self.names.fresh("t") if over else name
        self.into(made, self.iterator(name, e))
        self.varied.add(made)
        if written:
            value = self.freed(self._variable(made, e), e)
            if over or not isinstance(value.node, ast.Name):
                self.copy(name, value, e)

    def freed(self, value: Atom, e: ast.expr, owner: Atom | None = None) -> Atom:
        """A value that may be changed through what it is put into: not what its pullback kept.

        It is that of e, or the items of e, which `owner` holds.
        """
        if not value.varied or (isinstance(e, _HELD) and owner is None):
            return value
        if not _is_held(e):
            shared, taken = with_items(e, self.resolver), self._taken_from(e)
            others = [self.if_bound(n, e) for n in sorted(shared | self._holding(e, shared))]
            helper, asked = ("detached", others) if taken is None else ("taken", [taken, *others])
            return Atom(self.plain_call(helper, [value.node, *asked], e), value.variable)
        owners = self._owners(e) if owner is None else [owner.node, ast.Constant(None)]
        if not owners:
            return value
        return Atom(self.plain_call("own_part", [value.node, *owners], e), value.variable)

    def _holding(self, e: ast.expr, names: frozenset[str]) -> frozenset[str]:
        """What else may hold something that these names held, where a call can have taken it out of them."""
        e = _whole(e)
        site = self.resolver.sites.get(getattr(getattr(e, "func", None), "id", ""))
        if not isinstance(e, ast.Call) or not (self.resolver.changed(e) or (site and site.writes)):
            return frozenset()
        found = frozenset[str]().union(*(self.mutation.sharing.reached(n, True) for n in names))
        found &= self.mutation.live.get(self.current, found)
        found -= binds(self.current)
        return found - self.stores.unset.get(self.current, found) if found else found

    def _owners(self, e: ast.expr) -> list[ast.expr]:
        """What an attribute or item was read out of, with its name: as `own_part` takes them."""
        found: list[ast.expr] = []
        while isinstance(e, ast.Attribute | ast.Subscript) and isinstance(self.owners.get(e), ast.Name):
            found += [self.owners[e], ast.Constant(e.attr if isinstance(e, ast.Attribute) else None)]
            e = e.value
        return found

    def _taken_from(self, e: ast.expr) -> ast.expr | None:
        """What a method took the value of an expression out of, or the object that the value is a part of."""
        e = _whole(e)
        owner, name = self.owners.get(e), getattr(getattr(e, "func", None), "attr", "")
        if isinstance(e, ast.Call) and (site := self.resolver.sites.get(getattr(e.func, "id", ""))):
            first = int(site.mode == "forward")
            if site.callee == "method":
                owner, name = e.args[first], getattr(e.args[first + 1], "value", "")
        return owner if isinstance(owner, ast.Name) and name in _TAKING else None

    def if_bound(self, name: str, origin: ast.AST) -> ast.expr:
        """A variable, read; of one that may have no value, None where it has none."""
        read = name_at(name, origin)
        if (flag := self.flags.get(name)) is None:
            return read
        return at(ast.IfExp(name_at(flag, origin), read, at(ast.Constant(None), origin)), origin)

    def own_value(self, targets: list[ast.expr], value: Atom, e: ast.expr, owner: Atom | None = None) -> Atom:
        """The value of e in a variable, free of what its pullback kept where a target may change later."""
        if any(stored(t) or not self.later.isdisjoint(binds(t)) for t in targets):
            value = self.freed(value, e, owner)
        return self.in_variable(value, e)

    def in_variable(self, value: Atom, e: ast.expr) -> Atom:
        """The value of e as a variable."""
        if value.node is None or isinstance(value.node, ast.Name):
            return value
        name = self.names.fresh("t")
        self.copy(name, value, e)
        self.varied.add(name)
        return self._variable(name, e)

    def _variable(self, name: str, origin: ast.AST) -> Atom:
        return Atom(name_at(name, origin), name if name in self.varied else None)


def _is_held(e: ast.expr) -> bool:
    """Whether the value of an expression is one that something else holds already, or no result."""
    return isinstance(_whole(e), _HELD)


def _whole(e: ast.expr) -> ast.expr:
    """What an expression is a part of: a part of a result is as new as the result."""
    while isinstance(e, ast.Attribute | ast.Subscript | ast.Starred):
        e = e.value
    return e
