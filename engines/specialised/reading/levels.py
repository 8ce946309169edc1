"""Levels: which lists are the same, which hold which, and what else is put into them.

Names of lists are unified as in Steensgaard's analysis of pointers: what is copied, cut or extended is on one
level, and what is put into a list or taken out of it on the level inside.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from .composed import Kind
from .declined import Declined
from .kinds import has_list, is_tuple
from .steps import GROWS, RESIZES, Step, is_name, walk


class Levels:
    """The lists of one text."""

    def __init__(self, steps: list[Step], kind: Callable[[str], Kind]) -> None:
        self.kind = kind
        self._parent: dict[str, str] = {}
        self._inside: dict[str, str] = {}
        self._put: dict[str, list[Kind]] = {}
        self.names: set[str] = set()
        self._alone: set[str] = set()  # names of lists with lists that are no part of a tuple
        for s in walk(steps):
            self._read(s)

    def put(self, name: str) -> list[Kind]:
        """The kinds of what is put into a list that is no list."""
        return self._put.get(self._root(name), [])

    def everything(self) -> list[Kind]:
        """The kinds of what is put into any list."""
        return [k for put in self._put.values() for k in put]

    def are_same(self, a: str, b: str) -> bool:
        """Whether two names may stand for one list."""
        return self._root(a) == self._root(b)

    def is_nested(self, name: str) -> bool:
        """Whether a list holds lists, or is held by one."""
        root = self._root(name)
        return root in self._inside or root in map(self._root, self._inside.values())

    def holds_lists(self, name: str) -> bool:
        """Whether lists are put into a list, or taken out of it."""
        return self._root(name) in self._inside

    def groups(self) -> Iterator[set[str]]:
        """The names of lists that hold one another, with those that are the same."""
        ends: dict[str, str] = {}

        def end(root: str) -> str:
            while root in ends:
                root = ends[root]
            return root

        for outer, inner in self._inside.items():
            a, b = end(self._root(outer)), end(self._root(inner))
            if a != b:
                ends[a] = b
        found: dict[str, set[str]] = {}
        for n in self.names:
            if self.is_nested(n):
                found.setdefault(end(self._root(n)), set()).add(n)
        return iter(found.values())

    # what the steps tell

    def _read(self, s: Step) -> None:
        is_list = [self.kind(a) == "L" for a in s.args]
        if s.op in (*GROWS, "set", "list"):
            base = s.target if s.op == "list" else s.args[0]
            if self.kind(base) != "L":
                return
            self.names.add(base)
            for a in s.args if s.op == "list" else s.args[1:]:
                self._take_in(base, a, same=s.op == "extend")
        elif s.op == "get" and is_list[0] and s.target:
            if self.kind(s.target) == "L":
                self._take_in(s.args[0], s.target, same=":" in s.text)
            self._hold(s.args[0], s.target)
        elif s.target and self.kind(s.target) == "L":
            self.names.add(s.target)
            for a, is_one in zip(s.args, is_list, strict=True):
                if is_one and "new" not in s.facts:
                    self._take_in(s.target, a, same=True)

    def _take_in(self, base: str, a: str, same: bool) -> None:
        """Something is put into a list; `same`: its items are."""
        k = self.kind(a)
        if k != "L":
            self._put.setdefault(self._root(base), []).append(k)
            self._hold(base, a)
            return
        self.names |= {base, a}
        self._unify(base if same else self._within(base), a)
        if not same:
            self._alone.add(base)

    def _hold(self, base: str, item: str) -> None:
        """The lists in a tuple that is an item of a list."""
        for name in self._lists_in(item) if is_tuple(self.kind(item)) else ():
            self.names |= {base, name}
            self._unify(self._within(base), name)

    def _lists_in(self, name: str) -> list[str]:
        k = self.kind(name)
        if is_tuple(k) and has_list(k):
            return [n for i in range(len(k) - 1) for n in self._lists_in(f"{name}__{i}")]
        return [name] if k == "L" else []

    def _root(self, name: str) -> str:
        while name in self._parent:
            name = self._parent[name]
        return name

    def _within(self, name: str) -> str:
        root = self._root(name)
        return self._inside.setdefault(root, f"in {root}")

    def _unify(self, a: str, b: str) -> None:
        a, b = self._root(a), self._root(b)
        if a == b:
            return
        self._parent[a] = b
        self._put.setdefault(b, []).extend(self._put.pop(a, []))
        inside = self._inside.pop(a, None)
        if inside is None:
            return
        if b in self._inside:
            self._unify(inside, self._inside[b])
        else:
            self._inside[b] = inside

    def has_bare_lists(self, name: str) -> bool:
        """Whether lists are put into a list as they are, and not in a tuple."""
        return self._root(name) in map(self._root, self._alone)


def hold_counts(steps: list[Step], levels: Levels) -> None:
    """Declined where a loop over the items of a list changes how many it has."""
    for loop in walk(steps):
        taken = loop.body if loop.op == "loop" else ()
        over = [s.args[0] for s in taken if s.facts.get("grows") and levels.kind(s.args[0]) == "L"]
        longer = [s.args[0] for s in walk(loop.body) if s.op in RESIZES] if over else []
        if any(levels.are_same(a, b) for a in over for b in longer):
            raise Declined("a loop over items that may append to what it goes through")


def from_outside(name: str, parameters: list[str]) -> bool:
    """Whether a list is given to a text, or a constant."""
    return not is_name(name) or name in parameters
