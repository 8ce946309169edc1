"""Activity: which variables carry a derivative, and which of them are alive at the end of an iteration.

A variable is active where it is computed from an active one and its kind can carry a derivative: shapes,
lengths, whole numbers, truth values and the results of step functions never are.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..inferring.inference import Inferred
from ..inferring.memory import Memory
from ..reading.calls import is_flat, is_users
from ..reading.declined import Declined
from ..reading.kinds import is_tuple, varies
from ..reading.levels import from_outside
from ..reading.statements import RESULT
from ..reading.steps import GROWS, Step, is_name, walk

Results = Callable[[Step, tuple[bool, ...]], tuple[bool, ...]]
"""Which items of a call's result are active, where these arguments are."""


class Activity:
    """The active variables of one function, where these of its parameters are."""

    def __init__(
        self,
        inferred: Inferred,
        steps: list[Step],
        varied: tuple[str, ...],
        results: Results,
        memory: Memory,
    ) -> None:
        self.inferred, self.steps, self.results, self.memory = inferred, steps, results, memory
        self.active: set[str] = set(varied)
        before = -1
        while before != len(self.active):
            before = len(self.active)
            for s in walk(steps):
                self._spread(s)
            for names in (*memory.members(), *memory.lists.groups()):
                if names & self.active:
                    self._add(*sorted(names))
        for names in memory.lists.groups():
            if names & self.active and any(from_outside(n, inferred.parameters) for n in names):
                raise Declined("a list from outside among lists that hold one another")
        for s in walk(steps):
            s.active = any(n in self.active for n in targets(s))
            if s.op in ("call", "method", "binary", "unary") and memory.changes(s.target):
                s.active &= any(map(self.varied, s.args)) and not self._is_flat(s)
            if s.op == "set" and memory.changes(s.args[0]):
                s.active = s.args[0] in self.active
        self._live(steps, frozenset(self.leaves(RESULT)))

    def leaves(self, atom: str) -> list[str]:
        """The variables of an argument."""
        return [] if self._is_constant(atom) else self.inferred.leaves(atom)

    def given(self, atom: str) -> list[str]:
        """What a function is given by an argument: its variables, or a constant."""
        return [atom] if self._is_constant(atom) else self.inferred.leaves(atom)

    def _is_constant(self, atom: str) -> bool:
        return not is_name(atom) or atom not in self.inferred.kinds

    def varied(self, atom: str) -> bool:
        """Whether an argument is active, or an item of it."""
        return any(n in self.active for n in self.leaves(atom))

    def _add(self, *names: str) -> None:
        for n in names:
            if is_name(n) and varies(self.inferred.kinds[n]) and not is_tuple(self.inferred.kinds[n]):
                self.active.add(n)

    def _spread(self, s: Step) -> None:
        kinds = self.inferred.kinds
        if s.op in (*GROWS, "set"):
            if s.op != "set" and self.inferred.kind(s.args[0]) != "L":
                raise Declined("an append to what is no list")
            if self.varied(s.args[1]) and not varies(self.inferred.kind(s.args[0])):
                raise Declined("a store into an array of whole numbers")
            if self.varied(s.args[1]):
                self._add(s.args[0])
        elif s.op == "copy" and kinds.get(s.target) == "L":
            if self.varied(s.args[0]) or s.target in self.active:
                self._add(s.target, s.args[0])
        elif s.op == "call" or s.op == "method":
            f = self.inferred.function(s)
            given = s.args[s.op == "call" :]
            if is_users(f):
                if any(self.inferred.kind(a) == "L" for a in given):
                    raise Declined("a list that is given to a function")
                mask = tuple(n in self.active for a in given for n in self.given(a))
                found = self.results(s, mask)
                self._add(*(n for n, a in zip(targets(s), found, strict=True) if a))
            elif not is_flat(f) and any(map(self.varied, given)):
                self._add(*targets(s))
        elif s.op in ("binary", "unary", "copy", "get", "attr", "list") and any(map(self.varied, s.args)):
            self._add(*targets(s))

    def _is_flat(self, s: Step) -> bool:
        f = self.inferred.function(s) if s.op in ("call", "method") else None
        return f is not None and not is_users(f) and is_flat(f)

    def _live(self, steps: list[Step], after: frozenset[str]) -> frozenset[str]:
        for s in reversed(steps):
            if s.op == "if":
                after = self._live(s.body, after) | self._live(s.orelse, after)
            elif s.op == "loop":
                head: frozenset[str] = frozenset()
                results = (
                    RESULT,
                    *s.facts.get("results", ()),
                )  # when an iteration begins, nothing was returned
                unset = frozenset(n for name in results for n in self.leaves(name))
                while True:
                    found = self._live(s.body, after | head) - unset
                    if found <= head:
                        break
                    head |= found
                s.live, s.exact = after | head, head
                after = after | head
            elif s.op == "deopt":
                after = frozenset()  # the run is given up
            else:
                after = (after - frozenset(targets(s))) | {
                    n for a in s.args for n in self.leaves(a) if n in self.active
                }
        return after


def targets(s: Step) -> list[str]:
    """The variables that a step gives values to; a tuple's are its items."""
    if s.op == "pack":
        return []
    found: Any = s.facts.get("leaves")
    return found if found is not None else [s.target] if s.target else []
