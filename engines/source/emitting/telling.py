"""Telling: after a change in place, who else may hold what was changed has it as it is now.

What holds the changed object is told by the way to it. Other names are told where it turns out, as the
program runs, that they share memory with it.
"""

from __future__ import annotations

import ast
from typing import Any, NamedTuple

from ..analysis.mutation import setters_of
from ..syntax.ir import Atom, If, Plain
from ..syntax.trees import at, name_at, own, place
from .freeing import Freeing


class Step(NamedTuple):
    """`held` is what `holder` has under a key: an item's index or an attribute's name."""

    holder: str
    helper: str  # what tells the holder
    key: Atom
    held: str


class Telling(Freeing):
    """Tells who may see a change; `self.mutation` knows who else may."""

    unbound: frozenset[str] = frozenset()  # the names that it binds, and has not yet
    guarded: dict[str, str]  # names that hold what a caller did not hand over for writing, with the parameter
    outer: frozenset[str]  # names that the function captured
    returned: tuple[str, ...] = ()  # names of what the caller handed over, and gets back

    def told(self, changed: str, trail: list[Step], origin: ast.expr, deep: bool = False) -> None:
        """What holds the changed object, and who else may, has it as it is now."""
        self.varied.add(changed)
        for step in reversed(trail):
            held = self._variable(step.held, origin)
            self._emit(
                step.holder, step.helper, [self._variable(step.holder, origin), step.key, held], origin
            )
        root, inside = trail[0].holder if trail else changed, deep
        deep = deep or bool(trail)
        mine = {changed, *(step.holder for step in trail)}
        if trail:
            again = self._refreshing(root, changed, origin)
            test = self._sole(trail, origin)
            if inside:
                parts = self.plain_call("parts_held_twice", [name_at(changed, origin)], origin)
                test = at(ast.BoolOp(ast.Or(), [test, parts]), origin)
            self.out.append(If(test, again, [], origin))
        others = [n for n in self.mutation.mates(root, self.current, deep) if n not in self.unbound | mine]
        self._refresh_all(others, changed, origin)

    def guard(self, root: str, changed: str, within: bool, target: ast.expr) -> None:
        """Before a store: what a caller did not hand over stays, also where a method of the class stores."""
        self.guard_outside(root, changed, target)
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
        test = self.plain_call("sets_inside", [name_at(changed, target), *names], target)
        if block:
            self.out.append(If(test, block, [], target))

    def _told_inside(self, root: str, held: list[str], origin: ast.expr) -> None:
        """After `x[k] op= v`: where that changed what x held, all that hold it have it as it is now."""
        test = self.plain_call("changed_inside", [name_at(n, origin) for n in held], origin)
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
                self.refresh(other, changed, origin)

    def refresh(self, other: str, changed: str, origin: ast.expr) -> None:
        """The same for one variable."""
        test = self._ask("may_show", other, changed, origin)
        if flag := self.flags.get(other):
            test = at(ast.BoolOp(ast.And(), [name_at(flag, origin), test]), origin)
        self.out.append(If(test, self._refreshing(other, changed, origin), [], origin))

    def _sole(self, trail: list[Step], origin: ast.expr) -> ast.expr:
        """Whether what holds the changed object may hold it twice."""
        return self.plain_call("held_twice", [name_at(step.held, origin) for step in trail], origin)

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
            given = [name_at(name, origin), name_at(changed, origin), shown, ast.Constant(deep)]
            if name in self.guarded:
                check = self.plain_call("foreseen", given, origin)
            else:
                again = name in self.mutation.live.get(self.current, ())
                given += [ast.Constant(again), *(name_at(n, origin) for n in self.returned)]
                check = self.plain_call("unshared", given, origin)
            self.out.append(Plain(at(ast.Expr(check), origin), ()))

    def guard_outside(self, root: str, changed: str, origin: ast.expr, check: str = "apart") -> None:
        """So does what a variable of a module or of a class holds: nobody who reads that would know."""
        checks = []
        if root != changed and root not in self.varied:
            checks.append(self._ask("refuse_within", root, changed, origin))
        places = self.mutation.outside(dict.fromkeys((root, changed)))
        if places:
            bound = [own(self.names.bind(f"outside_{i}", p)) for i, p in enumerate(places.values())]
            checks.append(self.plain_call(check, [name_at(changed, origin), *bound], origin))
        self.out += [Plain(at(ast.Expr(c), origin), ()) for c in checks]

    def _ask(self, helper: str, a: str, b: str, origin: ast.expr) -> ast.expr:
        return self.plain_call(helper, [name_at(a, origin), name_at(b, origin)], origin)

    def _emit(self, target: str, helper: Any, arguments: list[Atom], origin: ast.AST) -> None:
        function = helper if isinstance(helper, ast.Name) else self.names.helper(helper)
        if any(a.varied for a in arguments):
            self.emit(target, Atom(function), arguments, origin)
        else:
            call = ast.Call(function, [a.node for a in arguments], [])
            self.plain_assign(target, place(call, origin))

    def _is_own(self, name: str) -> bool:
        """Whether a name is a variable of this function, and not of one around it."""
        return name not in self.outer and self.resolver.is_local(name)
