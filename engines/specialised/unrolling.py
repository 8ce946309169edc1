"""Unrolling: loops over objects that are written out in a list or tuple.

`for layer in self.layers` goes through objects that may change, each of its own. Where the list is written
out once and nothing is done to it, the body is written once for each of them, and the list becomes a tuple.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Callable

from .steps import Step, is_name, renamed, walk

_LONG = 32


class Unrolled:
    """The steps of one text, without loops over objects."""

    def __init__(self, steps: list[Step], fresh: Callable[[str], str], number: Callable[[], int]) -> None:
        self.fresh, self.number = fresh, number
        self.all = list(walk(steps))
        self.makers: dict[str, list[Step]] = {}
        self.uses: dict[str, list[Step]] = {}
        for s in self.all:
            if s.target:
                self.makers.setdefault(s.target, []).append(s)
            for n in {*s.args, *s.names}:
                self.uses.setdefault(n, []).append(s)
        self.lists = [s for s in self.all if s.op in ("list", "tuple") and self._is_written_out(s)]
        self.steps = self._unrolled(steps) if self.lists else steps
        for s in self.lists:
            s.op = "tuple"

    def _maker(self, name: str) -> Step | None:
        """The step that makes what a name stands for, where that is known."""
        makers = self.makers.get(name, []) if is_name(name) else []
        if len(makers) != 1:
            return None
        s = makers[0]
        if s.op == "copy":
            return self._maker(s.args[0])
        if s.op == "attr":
            owner = self._maker(s.args[0])
            if owner is not None and s.text in owner.facts.get("keys", ()):
                return self._maker(owner.args[owner.facts["keys"].index(s.text)])
            return None
        return s

    def _is_object(self, name: str) -> bool:
        maker = self._maker(name)
        return maker is not None and "made" in maker.facts

    def _is_written_out(self, s: Step) -> bool:
        """Whether this is a list or tuple of objects that is only looked at."""
        if "keys" in s.facts or not 0 < len(s.args) <= _LONG or not all(map(self._is_object, s.args)):
            return False
        names = {n for n in self.makers if self._maker(n) is s}
        return all(self._looks(x, n) for n in names for x in self.uses.get(n, ()))

    def _looks(self, s: Step, name: str) -> bool:
        if s.op == "copy":
            return len(self.makers[s.target]) == 1
        if s.op == "tuple":
            return "made" in s.facts
        if s.op == "get":
            return s.args[0] == name and ("item" in s.facts or re.fullmatch(r"-?\d+", s.text) is not None)
        return s.op == "call" and self._calls(s, "len")

    def _calls(self, s: Step, name: str) -> bool:
        return s.args[0] == f"={name}" or s.facts.get("counts") == name

    def _over(self, s: Step) -> Step | None:
        """The list that a loop goes through."""
        if s.op != "loop" or "items" not in s.facts or s.stops:
            return None
        over = self._maker(s.args[0])
        size = self._maker(over.args[-1]) if over is not None and over.op == "call" else None
        if size is None or size.op != "call" or not self._calls(size, "len") or len(size.args) != 2:
            return None
        found = self._maker(size.args[1])
        return found if found in self.lists else None

    def _unrolled(self, steps: list[Step]) -> list[Step]:
        out: list[Step] = []
        for s in steps:
            s.body, s.orelse = self._unrolled(s.body), self._unrolled(s.orelse)
            made = self._over(s)
            counted = self._maker(s.args[-1]) if s.op == "call" and self._calls(s, "len") else None
            if counted is not None and counted in self.lists:
                count = Step("copy", s.target, (f"={len(counted.args)}",), s.line)
                count.number = self.number()
                out.append(count)
            elif made is None:
                out.append(s)
            else:
                own = self._own(s)
                for i in range(len(made.args)):
                    out += self._turn(s, own, i)
        return out

    def _own(self, loop: Step) -> list[str]:
        """The names that an iteration gives values to before it reads them, and nobody else reads."""
        inside = list(walk(loop.body))
        found = []
        for n in {x.target for x in inside if x.target}:
            first = next((x for x in loop.body if x.target == n), None)
            if first is None or not all(x in inside for x in (*self.makers[n], *self.uses.get(n, ()))):
                continue
            before = inside[: inside.index(first)]
            if not any(
                n in (*x.args, *x.names, x.target) for x in (*before, first) if x is not first or n in x.args
            ):
                found.append(n)
        return found

    def _turn(self, loop: Step, own: list[str], i: int) -> list[Step]:
        names = {n: self.fresh(f"{n}_") for n in (*own, loop.target)}
        counter = Step("copy", names[loop.target], (f"={i}",), loop.line)
        counter.number = self.number()
        steps = [counter, *copy.deepcopy(loop.body)]
        for s in walk(steps[1:]):
            if s.op == "get" and "item" in s.facts and s.text == loop.target:
                s.text, s.names = (str(i), ()) if self._maker(s.args[0]) in self.lists else (s.text, s.names)
            s.args = tuple(names.get(a, a) for a in s.args)
            s.text = renamed(s.text, {n: names[n] for n in s.names if n in names})
            s.names = tuple(names.get(n, n) for n in s.names)
            s.target = names.get(s.target, s.target)
            for fact in ("names", "results"):
                if fact in s.facts:
                    s.facts[fact] = [names.get(n, n) for n in s.facts[fact]]
            if isinstance(s.facts.get("of"), str):
                s.facts["of"] = names.get(s.facts["of"], s.facts["of"])
        return steps
