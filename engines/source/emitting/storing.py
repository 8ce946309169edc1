"""Normalise, the stores: what is changed in place becomes calls that return the changed object.

`a.b[i] = v` is `t = a.b; t = put_item(t, i, v); a = put_field_back(a, "b", t)`: the innermost object is
written, and what holds it is told. Other names that may hold the same object, and are read later,
are told too, where it turns out as the program runs that they do.
"""

from __future__ import annotations

import ast
import functools
from typing import Any, NamedTuple

from ..analysis.activity import varies
from ..analysis.mutation import setters_of
from ..analysis.stored import counts
from ..reading.callers import run_natively
from ..reading.resolver import CHANGING
from ..syntax.ir import Atom, If, Plain
from ..syntax.kinds import ATOMS, PARTS
from ..syntax.scopes import base, binds, copied, own, stored
from ..syntax.trees import at, name_at, place
from .freeing import Freeing


class Step(NamedTuple):
    """`held` is what `holder` has under a key: an item's index or an attribute's name."""

    holder: str
    helper: str  # what tells the holder
    key: Atom
    held: str


class Storing(Freeing):
    """Lowers stores; `self.mutation` knows who else may see them."""

    unbound: frozenset[str] = frozenset()  # the names that it binds, and has not yet
    guarded: dict[str, str]  # names that hold what a caller did not hand over for writing, with the parameter
    outer: frozenset[str]  # names that the function captured
    returned: tuple[str, ...] = ()  # names of what the caller handed over, and gets back

    hands_on = False  # whether a function that changes what it captured is given to a call, or run by one

    def store(self, target: ast.expr, e: ast.expr) -> None:
        """`target = e` for a subscript or an attribute."""
        assert isinstance(target, PARTS)
        given = self.atom(self.early(e))
        alone = isinstance(target.value, ast.Name) and self.mutation.is_alone(target.value.id, self.current)
        value = given if alone else self.freed(given, e)  # an array of numbers copies them
        owner, trail = self.owner(target.value)
        self._ended(owner, trail, given, e)
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
        self.mutation.sharing.unnamed[name] = self.mutation.shared(e)
        return name

    def told(self, changed: str, trail: list[Step], origin: ast.expr, deep: bool = False) -> None:
        """What holds the changed object, and who else may, has it as it is now."""
        self.varied.add(changed)
        for step in reversed(trail):
            held = self._variable(step.held, origin)
            self._emit(
                step.holder, step.helper, [self._variable(step.holder, origin), step.key, held], origin
            )
        root = trail[0].holder if trail else changed
        deep = deep or bool(trail)
        mine = {changed, *(step.holder for step in trail)}
        if trail:
            again = self._refreshing(root, changed, origin)
            self.out.append(If(self._sole(trail, origin), again, [], origin))
        others = [n for n in self.mutation.mates(root, self.current, deep) if n not in self.unbound | mine]
        self._refresh_all(others, changed, origin)

    def guard(self, root: str, changed: str, within: bool, target: ast.expr) -> None:
        """Before a store: what a caller did not hand over stays, also where a method of the class stores."""
        self._guard(root, changed, within, False, target)
        if self.mutation.stores_deep(self.current, target):
            outer, self.out = self.out, []
            self._guard(root, changed, within, True, target)
            self._where_set_inside(changed, target, outer)

    def told_inside(self, root: str, changed: str, target: ast.expr) -> None:
        """After a store: where a method of the class stored, all see it who hold what the object holds."""
        if self.mutation.stores_deep(self.current, target):
            outer, self.out = self.out, []
            others = self.mutation.mates(root, self.current, True)
            self._refresh_all([n for n in others if n not in {changed} | self.unbound], changed, target)
            self._where_set_inside(changed, target, outer)

    def _where_set_inside(self, changed: str, target: ast.expr, outer: list[Any]) -> None:
        """What was written since runs only where a method of the class stores."""
        block, self.out = self.out, outer
        names = [ast.Constant(n) for n in setters_of(self.current, target)]
        test = self.plain_call("sets_inside", [_load(changed, target), *names], target)
        if block:
            self.out.append(If(test, block, [], target))

    def _told_inside(self, root: str, held: list[str], origin: ast.expr) -> None:
        """After `x[k] op= v`: where that changed what x held, all that hold it have it as it is now."""
        test = self.plain_call("changed_inside", [_load(n, origin) for n in held], origin)
        new = held[-1]
        block = self._refreshing(root, new, origin)
        outer, self.out = self.out, block
        but = {root, *held} | self.unbound
        others = [n for n in self.mutation.mates(root, self.current, True) if n not in but]
        self._refresh_all(others, new, origin)
        self.out = outer
        self.out.append(If(test, block, [], origin))

    def _refresh_all(self, others: list[str], changed: str, origin: ast.expr) -> None:
        """Let variables of this function have what was changed as it is now, if they turn out to share it."""
        for other in others:
            if self._is_own(other) and other not in self.guarded:
                test = self._ask("overlap", other, changed, origin)
                if flag := self.flags.get(other):
                    test = at(ast.BoolOp(ast.And(), [_load(flag, origin), test]), origin)
                self.out.append(If(test, self._refreshing(other, changed, origin), [], origin))

    def _sole(self, trail: list[Step], origin: ast.expr) -> ast.expr:
        """Whether what holds the changed object may hold it twice."""
        return self.plain_call("held_twice", [_load(step.held, origin) for step in trail], origin)

    def _refreshing(self, other: str, changed: str, origin: ast.expr) -> list[Any]:
        outer, self.out = self.out, []
        operands = [self._variable(other, origin), self._variable(changed, origin)]
        self._emit(other, "refreshed", operands, origin)
        block, self.out = self.out, outer
        return block

    def _guard(self, root: str, changed: str, within: bool, deep: bool, origin: ast.expr) -> None:
        """Before a change of something, `within` what root names: what a caller did not hand over stays."""
        if not (self.guarded or self.outer) or self.mutation.is_alone(root, self.current):
            return
        reached = self.mutation.sharing.reached(root, within or deep)
        for name in sorted(n for n in reached if n in self.guarded or (n in self.outer and n != root)):
            shown = ast.Constant(self.guarded.get(name, name))
            given = [_load(name, origin), _load(changed, origin), shown, ast.Constant(deep)]
            if name in self.guarded:
                check = self.plain_call("foreseen", given, origin)
            else:
                again = name in self.mutation.live.get(self.current, ())
                given += [ast.Constant(again), *(_load(n, origin) for n in self.returned)]
                check = self.plain_call("unshared", given, origin)
            self.out.append(Plain(at(ast.Expr(check), origin), ()))

    def _ask(self, helper: str, a: str, b: str, origin: ast.expr) -> ast.expr:
        return self.plain_call(helper, [_load(a, origin), _load(b, origin)], origin)

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

    def _emit(self, target: str, helper: Any, arguments: list[Atom], origin: ast.AST) -> None:
        function = helper if isinstance(helper, ast.Name) else self.names.helper(helper)
        if any(a.varied for a in arguments):
            self.emit(target, Atom(function), arguments, origin)
        else:
            call = ast.Call(function, [a.node for a in arguments], [])
            self.plain_assign(target, place(call, origin))

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
            self._guard(root, name, bool(trail), self.resolver.is_deep(e), owner)
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
        self.let_go(noted, [name for _, name, _ in changed.values()], e)
        for _, name, trail in changed.values():
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

    def _is_own(self, name: str) -> bool:
        """Whether a name is a variable of this function, and not of one around it."""
        return name not in self.outer and self.resolver.is_local(name)


def _load(name: str, origin: ast.AST) -> ast.Name:
    return name_at(name, origin)
