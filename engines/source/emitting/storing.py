"""Normalise, the stores: what is changed in place becomes calls that return the changed object.

`a.b[i] = v` is `t = a.b; t = put_item(t, i, v); a = put_field_back(a, "b", t)`: the innermost object is
written, and what holds it is told. Other names that may hold the same object, and are read later,
are told too, where it turns out as the program runs that they do.
"""

from __future__ import annotations

import ast
import functools
from typing import Any

from ..analysis.activity import varies
from ..analysis.sharing import with_items
from ..analysis.stored import counts
from ..reading.callers import run_natively
from ..reading.resolver import CHANGING
from ..syntax.ir import Atom, If, Plain
from ..syntax.kinds import ATOMS, PARTS
from ..syntax.scopes import base, binds, copied, own, stored
from ..syntax.trees import at, name_at
from .telling import Step, Telling


class Storing(Telling):
    """Lowers stores; `self.mutation` knows who else may see them."""

    hands_on = False  # whether a function that changes what it captured is given to a call, or run by one

    def store(self, target: ast.expr, e: ast.expr) -> None:
        """`target = e` for a subscript or an attribute."""
        assert isinstance(target, PARTS)
        given = self.atom(self.early(e))
        alone = isinstance(target.value, ast.Name) and self.mutation.is_alone(target.value.id, self.current)
        value = given if alone else self.freed(given, e)  # an array of numbers copies them
        owner, trail = self.owner(target.value)
        sliced = isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Slice)
        self._ended(owner, trail, given, e, "extend" if sliced else "")
        self._put(owner, trail, target, self._key(target), value)

    def _ended(self, owner: str, trail: list[Step], value: Atom, e: ast.expr, by: str = "") -> None:
        """Before e is put into something, by a method: that is refused which would hold itself."""
        root = trail[0].holder if trail else owner
        if not self.mutation.shared(e).isdisjoint(self.mutation.sharing.reached(root, True)):
            check = self.plain_call("ended_by", [_load(owner, e), value.node, ast.Constant(by)], e)
            self.out.append(Plain(at(ast.Expr(check), e), ()))

    def put_by(self, e: ast.Call, changed: dict[int, Any], values: list[ast.expr], given: list[Atom]) -> None:
        """The same before a call that puts what it is given into a list or the like."""
        by = getattr(e.func, "attr", "")
        into = self.resolver.put_into(e) if by in CHANGING else None
        if into is not None and id(into) in changed:
            _, owner, trail = changed[id(into)]
            for v, value in zip(values, given, strict=True):
                if v is not into:
                    self._ended(owner, trail, value, v, by)

    def _put(self, owner: str, trail: list[Step], target: ast.expr, key: Atom, value: Atom) -> None:
        helper = "put_item" if isinstance(target, ast.Subscript) else "put_attribute"
        root = trail[0].holder if trail else owner
        self.guard(root, owner, bool(trail), target)
        noted = self.noting(owner, trail, target) if self.mutation.stores_deep(self.current, target) else []
        self._emit(owner, helper, [self._variable(owner, target), key, value], target)
        self.let_go(noted, [owner], target)
        self.told(owner, trail, target)
        self.told_inside(root, owner, target)

    def store_augmented(self, s: ast.AugAssign) -> None:
        """`target op= value` for a subscript or an attribute."""
        target = s.target
        assert isinstance(target, PARTS)
        owner, trail = self.owner(target.value)
        key = self._key(target)
        old = self.names.fresh("t")
        self._read(old, owner, target, key)
        value = self.kept_atom(self.atom(s.value), s.value, "operand")
        self._guard(trail[0].holder if trail else owner, old, True, False, target)
        new = self.names.fresh("t")
        self._emit(new, self.names.augmented(s.op), [self._variable(old, target), value], s)
        self._put(owner, trail, target, key, self._variable(new, target))
        self._told_inside(trail[0].holder if trail else owner, [owner, old, new], target)

    def counted_outside(self, s: ast.AugAssign) -> bool:
        """Whether this counts in an object that the function captured: by whole numbers, or it is refused."""
        if not counts(s) or base(s.target).isdisjoint(self.outer) or not isinstance(s.op, ast.Add | ast.Sub):
            return False
        read = copied(s.target)
        read.ctx = ast.Load()
        check = self.plain_call("whole", [read, s.value, ast.Constant(ast.unparse(read))], s.target)
        self.out.append(Plain(at(ast.Expr(check), s), ()))
        return True

    def delete_item(self, target: ast.Subscript) -> None:
        """`del owner[key]`"""
        owner, trail = self.owner(target.value)
        root = trail[0].holder if trail else owner
        self.guard(root, owner, bool(trail), target)
        noted = self.noting(owner, trail, target) if self.mutation.stores_deep(self.current, target) else []
        self._emit(owner, "drop_item", [self._variable(owner, target), self._key(target)], target)
        self.let_go(noted, [owner], target)
        self.told(owner, trail, target)
        self.told_inside(root, owner, target)

    def keyed(self, target: ast.expr, method: str) -> None:
        """Before a store that runs as written: no class in Python may compute with a key that varies."""
        for t in stored(target):
            if isinstance(t, ast.Subscript) and varies(t.slice, self.varied, self.resolver):
                if own(ast.Expr(t.value)).calls:
                    self.refuse(t, "a key that varies, of what a call gives,", "give the object a name")
                check = self.plain_call("unkeyed", [copied(t.value), ast.Constant(method)], t)
                self.out.append(Plain(at(ast.Expr(check), t), ()))

    def owner(self, e: ast.expr, call: ast.Call | None = None) -> tuple[str, list[Step]]:
        """The variable that holds the object an expression names, and the way to it from a name."""
        if isinstance(e, ast.Name):
            if not self._is_own(e.id):
                what = f"a store of differentiated values into `{e.id}`, which is not a local variable,"
                if call is not None:
                    called = ast.unparse(call.func)
                    what = f"a call of `{called}`, which may write into `{e.id}`, not a local variable,"
                self.refuse(call or e, what, "pass it as an argument, or return the new value")
            return e.id, []
        if isinstance(e, PARTS):
            holder, trail = self.owner(e.value, call)
            key, held = self._key(e), self.names.fresh("t")
            self._read(held, holder, e, key)
            if isinstance(e, ast.Subscript) and held in self.varied:
                own = self.plain_call("own_part", [_load(held, e), _load(holder, e), ast.Constant(None)], e)
                self.copy(held, Atom(own, held), e)
            helper = "put_field_back" if isinstance(e, ast.Attribute) else "put_back"
            return held, [*trail, Step(holder, helper, key, held)]
        return self._unnamed(e), []

    def _unnamed(self, e: ast.expr) -> str:
        """A variable for an object that an expression makes, or finds."""
        name = self.names.fresh("t")
        if varies(e, self.varied, self.resolver):
            self.into(name, e)
            self.varied.add(name)
        else:
            self.plain_assign(name, e)
        self.mutation.sharing.unnamed[name] = with_items(e, self.resolver)
        self.mutation.values[name] = [e]
        return name

    def _key(self, e: ast.Subscript | ast.Attribute) -> Atom:
        if isinstance(e, ast.Attribute):
            return Atom(at(ast.Constant(e.attr), e))
        key = self._slices(e.slice)
        if varies(key, self.varied, self.resolver):
            return self.atom(key)
        if isinstance(key, ATOMS):
            return Atom(key)
        name = self.names.fresh("k")
        self.plain_assign(name, key)
        return Atom(_load(name, e))

    def _read(self, target: str, holder: str, e: ast.expr, key: Atom) -> None:
        helper = "getattr_" if isinstance(e, ast.Attribute) else "getitem"
        if holder in self.varied or key.varied:
            self._emit(target, helper, [self._variable(holder, e), key], e)
        else:
            self.plain_assign(target, self.plain_call(helper, [_load(holder, e), key.node], e))

    # What a call changes.

    def changed_operands(self, e: ast.Call) -> dict[int, tuple[ast.expr, str, list[Step]]]:
        """For each operand that a call may change, by the id of its expression: how it is held."""
        found: dict[int, tuple[ast.expr, str, list[Step]]] = {}
        stars = (a for a in e.args if isinstance(a, ast.Starred))
        passing: dict[int, ast.expr] = {id(a.value): a for a in stars}
        passing |= {id(k.value): k.value for k in e.keywords if k.arg is None}
        for owner in self.resolver.changed(e):
            if id(owner) in passing:
                if id(passing[id(owner)]) in found:
                    continue
                found[id(passing[id(owner)])] = (owner, self._passed(owner, passing[id(owner)]), [])
                continue
            if id(owner) in found or (isinstance(owner, ast.Name) and not self._is_own(owner.id)):
                continue
            if callable(self.resolver.value(owner)[1]):
                continue  # as np.prod, which is of no variable either
            if self._is_function(owner) and not self._is_changer(owner, e):
                continue  # what it captured is not handed over; `foreseen` refuses its change
            if isinstance(owner, ast.Name) and owner.id in self._withheld:
                continue
            self.hands_on = self.hands_on or any(owner is h for h in self.resolver.handed(e))
            name, trail = self._lent(owner, e)
            root = trail[0].holder if trail else name
            outer, self.out = self.out, []
            makes = isinstance(self.resolver.value(e.func)[1], type)  # most constructors only keep it
            if not makes:
                self.guard_outside(root, name, owner, "apart_or_still")
            self._guard(root, name, bool(trail), self.resolver.is_deep(e), owner)
            if self.out and owner is e.func and self.resolver.is_of_a_value(e):
                test = self.plain_call("holds_changer", [_load(name, e)], e)
                self.out = [If(test, self.out, [], owner)]
            self.out = outer + self.out
            found[id(owner)] = (owner, name, trail)
        for f in run_natively(e):  # keys and tests, unless they are handed over
            if id(f) not in found and (self.resolver.holds(f) or self.resolver.held):
                check = self.plain_call("unchanging", [f], e)
                self.out.append(Plain(at(ast.Expr(check), e), ()))
        return found

    def _is_function(self, e: ast.expr) -> bool:
        return isinstance(e, ast.Lambda) or (isinstance(e, ast.Name) and e.id in self.closures.defined)

    def letting_go(self, e: ast.Call, changed: dict[int, tuple[ast.expr, str, list[Step]]]) -> list[str]:
        """Before a call: variables that note which objects other names share with what it may change."""
        if not self.resolver.is_deep(e):
            return []
        return [n for _, name, trail in changed.values() for n in self.noting(name, trail, e)]

    def noting(self, name: str, trail: list[Step], e: ast.expr) -> list[str]:
        root = trail[0].holder if trail else name
        others = [root] if trail else []
        others += [n for n in self.mutation.mates(root, self.current, True) if n not in {name} | self.unbound]
        others = [n for n in others if self._is_own(n) and n not in self.guarded]
        if not others:
            return []
        names = ast.Tuple([ast.Constant(n) for n in others], ast.Load())
        noted = self.names.fresh("t")
        given = [_load(name, e), names, *(self._bound(n, e) for n in others)]
        self.plain_assign(noted, self.plain_call("seen_by", given, e))
        return [noted]

    def let_go(self, noted: list[str], names: list[str], e: ast.expr) -> None:
        """Afterwards: what was changed and is not held any more is refused."""
        for n in noted:
            given = [_load(n, e), *(_load(name, e) for name in names)]
            self.out.append(Plain(at(ast.Expr(self.plain_call("still_seen", given, e)), e), ()))

    def called(self, e: ast.Call, changed: dict[int, Any], noted: list[str]) -> None:
        """After a call: who holds what it changed is told, and what was let go of is refused."""
        names = [name for _, name, _ in changed.values()]
        self.let_go(noted, names, e)
        for _, name, trail in changed.values():
            for step in trail[1:]:  # what was read before the call, which changed other things as well
                for other in (n for n in names if n != name):
                    self.refresh(step.holder, other, e)
            self.told(name, trail, e, self.resolver.is_deep(e))

    def _bound(self, name: str, e: ast.expr) -> ast.expr:
        """A name, or None where it may not be bound yet."""
        flag = self.flags.get(name)
        read = _load(name, e)
        return at(ast.IfExp(_load(flag, e), read, ast.Constant(None)), e) if flag else read

    def _passed(self, owner: ast.expr, operand: ast.expr) -> str:
        """A variable for what a `*` or `**` operand passes, which holds what the operand holds."""
        held: ast.expr = at(ast.Dict([None], [owner]), owner)
        if isinstance(operand, ast.Starred):
            held = self.plain_call("items", [owner], owner)
        name, varied = self.names.fresh("t"), varies(owner, self.varied, self.resolver)
        self.into(name, held) if varied else self.plain_assign(name, held)
        self.varied |= {name} if varied else set()
        for root in sorted(self.mutation.shared(owner)):
            self._guard(root, name, True, True, owner)
        self.mutation.sharing.unnamed[name] = self.mutation.shared(owner)
        return name

    def _lent(self, e: ast.expr, call: ast.Call) -> tuple[str, list[Step]]:
        """The variable of what a call may change; for a function that it is given, one of its own."""
        given = e is not call.func and e is not getattr(call.func, "value", None)
        if given and isinstance(e, ast.Attribute) and any(e is h for h in self.resolver.handed(call)):
            return self._unnamed(e), []
        return self.owner(e, call)

    def _is_changer(self, owner: ast.expr, e: ast.Call) -> bool:
        """Whether a function that a call is given, or runs, may change what it captured."""
        if not any(owner is h for h in self.resolver.handed(e)):
            return False
        if isinstance(owner, ast.Name) and self._is_one_of_several(owner, e):
            what = f"a change by one of several functions of the name `{owner.id}`"
            self.refuse(owner, what, "give each a name of its own")
        return not (isinstance(owner, ast.Name) and owner.id in self.closures.captures)

    def _is_one_of_several(self, owner: ast.Name, e: ast.Call) -> bool:
        """Whether what a call changes depends on which function its name stands for."""
        if self.closures.ambiguous(owner.id):
            return True
        given = any(o is not owner for o in self.resolver.changed(e))  # which another of them may change
        return given and bool(self.closures.several(owner.id))

    @functools.cached_property
    def _withheld(self) -> frozenset[str]:
        """The parameters, never bound anew, that were not handed over: who is called refuses their change."""
        rebound = frozenset[str]().union(*map(binds, self.mutation.statements))
        return frozenset(self.guarded.values()) - rebound


def _load(name: str, origin: ast.AST) -> ast.Name:
    return name_at(name, origin)
