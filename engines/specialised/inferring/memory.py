"""Memory: the arrays that a function writes into, and every name that one of them has.

Names are unified across copies and views, so that an array and its views stand for one memory. A memory
that is written into has its cotangent in a *shadow*, an array beside it: a view's shadow is the same view
of the shadow. A view that is read before the next store, and nowhere else, is an ordinary value.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..reading.calls import is_users
from ..reading.composed import Kind
from ..reading.declined import Declined
from ..reading.kinds import axes, is_array, is_tuple
from ..reading.levels import Levels
from ..reading.statements import RESULT
from ..reading.steps import GROWS, Step, is_name, walk
from .freshness import is_fresh
from .viewing import is_viewing

_READS = ("binary", "unary", "compare", "get", "set", "call", "method")


class Memory:
    """The names of one function by the memory that they stand for."""

    def __init__(self, inferred: Any, steps: list[Step]) -> None:
        self.inferred, self.steps = inferred, steps
        self.parent: dict[str, str] = {}
        self.written: set[str] = set()
        self.outside: set[str] = set()  # not made here
        self.unclear: set[str] = set()  # may be seen in another way
        self.order: dict[Step, int] = {}
        self.loops: dict[Step, tuple[Step, ...]] = {}
        self.stores: list[Step] = []
        self.maybe: dict[Step, list[str]] = {}  # calls whose result may be a view of what they are given
        self.lists: Levels = inferred.lists
        self._placed(steps, ())
        for s in walk(steps):
            self._joined(s)
        self.stored = {self.root(n) for n in self.written}
        self.transient = {s.target for s in self.maybe if self._is_transient(s)}
        lasting = [s for s in self.maybe if self.changes(s.target) and s.target not in self.transient]
        while lasting:  # so is what they are views of
            looked_at = {a for s in lasting for a in s.args} & self.transient
            self.transient -= looked_at
            lasting = [s for s in self.maybe if s.target in looked_at]
        self.viewed = {s for s in self.maybe if s.target not in self.transient and is_viewing(inferred, s)}
        """Calls that give views of their first argument, as the text asks where that counts."""
        others = {s: found for s, found in self.maybe.items() if s not in self.viewed}
        self.unclear.update(n for found in others.values() for n in found if n not in self.transient)
        bad = self.stored & {self.root(n) for n in self.outside | self.unclear}
        if bad:
            raise Declined("a store into an array that may have names elsewhere")
        looked_at = {a for s in self.viewed for a in s.args}
        gets = (s for s in walk(steps) if s.op == "get" and s.target not in looked_at)
        self.transient |= {s.target for s in gets if self._is_transient(s)}

    # what is asked

    def root(self, name: str) -> str:
        """The one name that stands for a memory."""
        while name in self.parent:
            name = self.parent[name]
        return name

    def changes(self, name: str) -> bool:
        """Whether a name stands for memory that is written into."""
        return bool(self.stored) and self.root(name) in self.stored

    def shadowed(self, name: str) -> bool:
        """Whether a name's cotangent lies in a shadow, if it has any."""
        return self.changes(name) and name not in self.transient and is_array(self.inferred.kinds.get(name))

    def overwritten(self, s: Step, name: str) -> bool:
        """Whether what a name stands for at a step may be written into after it."""
        if not self.changes(name):
            return False
        root, here = self.root(name), self.loops[s]
        return any(
            self.root(x.args[0]) == root
            and (self.order[x] > self.order[s] or any(loop in self.loops[x] for loop in here))
            for x in self.stores
        )

    def members(self) -> Iterator[set[str]]:
        """The names of each memory that is written into."""
        groups: dict[str, set[str]] = {r: {r} for r in self.stored}
        for n in self.parent:
            if self.root(n) in groups:
                groups[self.root(n)].add(n)
        return iter(groups.values())

    def fresh_result(self) -> bool:
        """Whether what the function returns is its own: no argument, nothing from outside, no item twice."""
        found = [self.root(n) for n in self.inferred.leaves(RESULT) if self._has_axes(n)]
        foreign = {self.root(n) for n in self.outside | self.unclear}
        foreign |= {self.root(n) for p in self.inferred.parameters for n in self.inferred.leaves(p)}
        return not foreign & set(found) and len(set(found)) == len(found)

    # unification

    def _placed(self, steps: list[Step], loops: tuple[Step, ...]) -> None:
        for s in steps:
            self.order[s], self.loops[s] = len(self.order), loops
            inner = (*loops, s) if s.op == "loop" else loops
            self._placed(s.body, inner)
            self._placed(s.orelse, inner)

    def _has_axes(self, atom: str) -> bool:
        return axes(self.inferred.kind(atom)) > 0

    def _is_whole(self, name: str) -> bool:
        """Whether an array is one of whole numbers or truth values."""
        return self.inferred.kinds[name][0] in "jm"

    def _same(self, a: str, b: str) -> None:
        """Two names of one memory; a constant is none of the function's."""
        if not is_name(b):
            self.outside.add(a)
        elif self.root(a) != self.root(b):
            self.parent[self.root(a)] = self.root(b)

    def _leaves(self, atom: str) -> list[str]:
        """The arrays in an argument."""
        if not is_name(atom) or atom not in self.inferred.kinds:
            return []
        return [n for n in self.inferred.leaves(atom) if self._has_axes(n)]

    def _joined(self, s: Step) -> None:
        kind = self.inferred.kind
        if s.op in ("set", *GROWS, "list"):
            base = s.target if s.op == "list" else s.args[0]
            if s.op == "set" and self._has_axes(base):
                if not is_name(base):
                    raise Declined("a store into an array from outside")
                self.written.add(base)
                self.stores.append(s)
                return
            for a in s.args if s.op == "list" else s.args[1:]:
                self.unclear.update(self._leaves(a))
        elif (s.op == "copy" and self._has_axes(s.target)) or (s.op == "attr" and self._has_axes(s.target)):
            self._same(s.target, s.args[0])
        elif s.op == "get" and (is_tuple(kind(s.target)) or self._has_axes(s.target)):
            if not self._has_axes(s.args[0]):
                self.unclear.update(self._leaves(s.target))
            elif not self.picks(s):
                self._same(s.target, s.args[0])
        elif s.op in ("call", "method"):
            self._call(s)
        elif s.op == "open":
            self.outside.update(self._leaves(s.target))

    def _call(self, s: Step) -> None:
        if self.inferred.kind(s.target) == "L":
            for a in s.args[s.op == "call" :]:
                self.unclear.update(self._leaves(a))
        found = s.facts.get("leaves") or [s.target]
        found = [n for n in found if self._has_axes(n)]
        f = self.inferred.function(s)
        if not found or self._is_fresh(s, f):
            return
        self.maybe[s] = found
        for n in found:
            for a in s.args[s.op == "call" :]:
                for given in self._leaves(a):
                    if self._is_whole(n) == self._is_whole(given):  # no memory is one and the other
                        self._same(n, given)

    def _is_fresh(self, s: Step, f: Any) -> bool:
        if is_users(f):
            callee = self.inferred.profile.session.inferred(self.inferred.callee(s))
            if not hasattr(callee, "steps"):
                return False
            if callee.fresh is None:
                callee.fresh = False  # while it asks itself
                callee.fresh = Memory(callee, callee.steps).fresh_result()
            return bool(callee.fresh)
        if f is np.array:
            named = dict(zip(reversed(s.keywords), reversed(s.args), strict=False))
            copied = named.get("copy", "=True") == "=True"
            return copied and named.keys() <= {"dtype", "copy"} and len(s.args) - len(named) == 2
        return is_fresh(f, s)

    # indices

    def picks(self, s: Step) -> bool:
        """Whether an index picks entries, so that reading it makes an array of its own."""
        kinds = [self.inferred.kind(n) for n in s.names]
        if any(k not in ("i", "q", "S", "N", "E", "H") and not axes(k) for k in kinds):
            raise Declined("an index of another kind")
        if any(p.strip() in ("True", "False") for p in s.text.split(",")):
            raise Declined("an index that is a truth value")
        return any(map(axes, kinds))

    def one_entry(self, s: Step) -> bool:
        """Whether a store goes to one entry."""
        parts = [p.strip() for p in s.text.split(",") if p.strip()]
        kinds: dict[str, Kind] = {n: self.inferred.kind(n) for n in s.names}
        ints = all(kinds.get(p) in ("i", "q") or p.lstrip("-").isdigit() for p in parts)
        return ints and len(parts) == axes(self.inferred.kind(s.args[0]))

    # views that are values

    def _is_transient(self, s: Step) -> bool:
        """Whether a view is read before the next store into its memory alone."""
        if not self.changes(s.target) or not self._has_axes(s.target):
            return False
        if any(x is not s and x.target == s.target for x in walk(self.steps)):
            return False
        uses = [x for x in walk(self.steps) if s.target in (*x.args, *x.names)]
        last = self.order[s]
        for x in uses:
            value = x.op == "set" and x.args[0] != s.target
            if x.op not in _READS or (x.op == "set" and not value) or s.target in x.names:
                return False
            if x.op == "get" and self._has_axes(x.target):
                return False
            if self.loops[x] != self.loops[s] or self.order[x] < self.order[s]:
                return False
            last = max(last, self.order[x])
        root = self.root(s.target)
        between = (x for x in self.stores if self.order[s] < self.order[x] < last)
        return not any(self.root(x.args[0]) == root for x in between)
