"""Gathering: lists that a loop fills with objects or lists, as lists that are written out.

`bodies = [Body(p) for p in positions]` and `rows.append([0.0] * n)` make what can be changed later, item by
item. So that each item is known by where it was made, the loop that fills the list is written out, and the
list stands behind it with all its items.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .composed import Keyed, Kind, Made
from .kinds import LONG, MIXED, NUMBERS
from .steps import RESIZES, SETS, Step, walk
from .turns import Turns


class Gathered(Turns):
    """The steps of one text, with the lists of changeable things that are filled at once written out."""

    def __init__(self, steps: list[Step], *given: Any) -> None:
        """`given`: as for the turns of loops."""
        super().__init__(steps, *given)
        self.order = {s: i for i, s in enumerate(self.all)}
        for s in self.all:
            if s.op == "call" and self.given(s.args[0]) == ("F", list) and self.kind(s.args[-1]) == "L":
                s.op, s.args, s.text = "get", s.args[1:], ":"
            if "item" in s.facts:  # that of a first turn by itself is taken before anything can grow
                s.facts["grows"] = bool(self.around[s]) and not self._is_left_alone(s)
        self.steps = self._gathered(steps)

    def _is_left_alone(self, item: Step) -> bool:
        """Whether what a loop goes through is another list than all that it puts something behind."""
        body = self.around[item][-1].body
        items = self._items_in(body, item)
        longer = [x for x in walk(body) if self._lengthens(x) and x.args[0] not in items]
        if not longer and not item.facts["grows"]:
            return True
        through, others = self.maker(item.args[0]), [self.maker(x.args[0]) for x in longer]
        end = max(self.order[x] for x in walk(body))
        others = [m for m in others if m is None or not self._is_unseen(m, end)]
        if not others or (all(map(_is_new, (through, *others))) and through not in others):
            return True
        of_list = through is not None and through.op == "get" and ":" not in through.text
        return of_list and all(m is not None and m.op == "list" and not self._is_put(m) for m in others)

    def _is_put(self, made: Step) -> bool:
        """Whether a list may be an item of something; what an object's field holds is known by the object."""
        return any(
            n in s.args[1:]
            if s.op in ("append", "put", "set", *SETS)
            else s.op == "list" or (s.op == "tuple" and "made" not in s.facts)
            for n, s in self.uses_of(made)
        )

    def _items_in(self, body: list[Step], item: Step) -> set[str]:
        """The names that in a loop's body always stand for its item, which is not what it goes through."""
        found, every = {item.target}, [*walk(body)]
        for s in every:
            if s.op == "copy" and s.args[0] in found and [x.target for x in every].count(s.target) == 1:
                found.add(s.target)
        return found

    def _is_unseen(self, made: Step, end: int) -> bool:
        """Whether nothing but what fills a list has to do with it before the end of a loop."""
        names = self.names_of(made)
        return made.op == "list" and all(
            self.order[x] > end
            or (x.op in ("append", "extend") and x.args[0] in names and x.args[1] not in names)
            or (x.op == "copy" and x.target in names)
            for _, x in self.uses_of(made)
        )

    def _lengthens(self, s: Step) -> bool:
        """Whether a step changes how many items a list has."""
        added = s.op == "binary" and "in place" in s.facts and self.seen.get(s.number) == "L"
        return added or s.op in RESIZES

    def _gathered(self, steps: list[Step]) -> list[Step]:
        for s in steps:
            s.body, s.orelse = self._gathered(s.body), self._gathered(s.orelse)
        for s in [x for x in steps if x.op == "list"]:
            steps = self._filled(s, steps)
        return steps

    def _filled(self, made: Step, steps: list[Step]) -> list[Step]:
        """The same steps where one list is written out, if it can be."""
        names = self.names_of(made)
        holders = {n for n in self.makers if self._holds(n, made)}
        start = steps.index(made)
        kinds = {self._kind_put(a, steps[:start]) for a in made.args}
        last, count = start, len(made.args)
        for at, s in enumerate(steps[start + 1 :], start + 1):
            if self._fills(s, names) and self._is_other(s, holders, names):
                kinds.update(self._put_by(s, names, steps))
                count += self._count(s, made)
                last = at
            elif s.target not in holders and not self._is_other(s, names | holders, names):
                break
        several = MIXED in kinds or len(kinds - NUMBERS) + bool(kinds & NUMBERS) > 1
        if last == start or not (several or "by place" in made.facts) or count > LONG:
            return steps
        written = self._written_out(made, steps[start + 1 : last + 1])
        return [*steps[:start], *written, *steps[last + 1 :]]

    def _holds(self, name: str, made: Step) -> bool:
        """Whether a variable is an object that was made with the list in one of its fields."""
        owner = self.maker(name) if name else None
        plain = owner is not None and owner.op == "tuple" and "made" in owner.facts
        return owner is not None and plain and any(self.maker(a) is made for a in owner.args)

    def _is_other(self, s: Step, watched: set[str], names: set[str]) -> bool:
        """Whether a step has nothing to do with these variables, but to give the list a name."""
        return not any(
            watched & {*x.args, *x.names}
            for x in walk([s])
            if x.op != "expect" and not (x.op in ("copy", "attr") and x.target in names)
        )

    def _fills(self, s: Step, names: set[str]) -> bool:
        """Whether a step, or a loop at each of its turns, puts something behind the list."""
        if s.op == "append":
            return s.args[0] in names
        if s.op != "loop" or s.stops or s.text == "while" or self._counts(s) is None:
            return False
        fills = [x for x in s.body if not self._is_other(x, names, names)]
        return bool(fills) and all(self._fills(x, names) for x in fills)

    def _put_by(self, s: Step, names: set[str], block: list[Step]) -> Iterator[Kind]:
        """The kinds of what is put there; several of what may change, which is to be known by its place."""
        if s.op == "append" and s.args[0] in names:
            yield self._kind_put(s.args[1], block[: block.index(s)])
        for x in s.body if s.op == "loop" else ():
            yield from self._put_by(x, names, s.body)

    def _kind_put(self, name: str, before: list[Step]) -> Kind:
        """The kind of a variable, by what sets it last before it is put into the list."""
        at = max((i for i, x in enumerate(before) if x.target == name), default=None)
        if at is not None and before[at].op == "copy":
            return self._kind_put(before[at].args[0], before[:at])
        maker = self.maker(name) if at is None else before[at]
        kind = self.kind(name)
        if maker is not None and (maker.op == "list" or "keys" in maker.facts):
            return MIXED
        if kind == "L" or isinstance(kind, Made | Keyed):
            return MIXED
        return kind if maker is None else self.seen.get(maker.number, kind)

    def _counts(self, loop: Step) -> list[int] | None:
        over = self.maker(loop.args[0])
        known = None if over is None else self.counts(over)
        return self.counts_seen(loop) if known is None else known

    def _count(self, fill: Step, made: Step) -> int:
        """How many items a step puts into the list."""
        if fill.op == "loop":
            return len(self._counts(fill) or ()) * sum(self._count(x, made) for x in fill.body)
        return int(fill.op == "append" and self.maker(fill.args[0]) is made)

    def _written_out(self, made: Step, between: list[Step]) -> list[Step]:
        """The steps up to the last that fills the list, and then the list and its names."""
        first = [self._step(Step("copy", self.fresh("item"), (a,), made.line)) for a in made.args]
        items = [s.target for s in first]
        behind: list[Step] = []
        out = self._taken(made, between, items, behind)
        self.forget([made])
        made.args = tuple(items)
        self.note(made)
        return [*first, *out, made, *behind]

    def _taken(self, made: Step, steps: list[Step], items: list[str], behind: list[Step]) -> list[Step]:
        """The steps without those that put items into the list, whose names are noted."""
        out: list[Step] = []
        for s in steps:
            named = s.op in ("copy", "attr") and self.maker(s.target) is made
            of_holder = self._holds(s.args[0] if s.op == "expect" else s.target, made)
            if named or of_holder:  # what names the list, or is an object that has it
                behind.append(s)
            elif s.op == "append" and self.maker(s.args[0]) is made:
                out.append(self._step(Step("copy", self.fresh("item"), (s.args[1],), s.line)))
                items.append(out[-1].target)
            elif s.op == "loop" and self._count(s, made):
                for turn in self._turns_of(s, out):
                    out += self._taken(made, turn, items, behind)
                out += self.after(s, self._counts(s) or [])
            else:
                out.append(s)
        return out

    def _turns_of(self, loop: Step, out: list[Step]) -> list[list[Step]]:
        """The turns of a loop, behind what holds runs to as many as there were."""
        counts = self._counts(loop) or []
        over = self.maker(loop.args[0])
        if over is not None and self.counts(over) is None:
            out += self.held_to_seen(over, loop)
        return [*self.turns(loop, counts)]


def _is_new(made: Step | None) -> bool:
    """Whether a step makes a list of its own."""
    return made is not None and (
        made.op == "list" or "new" in made.facts or (made.op == "get" and ":" in made.text)
    )
