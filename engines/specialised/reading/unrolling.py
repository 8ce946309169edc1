"""Unrolling: loops over tuples, and over objects that are written out in a list.

`for W, b in layers` goes through items of kinds of their own, `for layer in self.layers` through objects
that may change. Where it is known how many there are, the body is written once for each of them; and so it
is for a loop over a range whose body takes items of a tuple by the count. A list that is written out, and
that nothing is done to, becomes a tuple.
"""

from __future__ import annotations

import re
from typing import Any

from .composed import Keyed
from .for_arrays import ForArrays
from .kinds import LONG, has_object, is_sequence, is_tuple
from .steps import Step, walk


class Unrolled(ForArrays):
    """The steps of one text, without loops over tuples and objects."""

    def __init__(self, *given: Any, lists: bool = True) -> None:
        """`given`: as for the turns of loops; `lists`: whether lists of lists are written out."""
        super().__init__(*given)
        self.of_lists = lists
        self.left = {x for s in self.all if s.op == "loop" and s.stops for x in walk(s.body)}
        self.lists = [s for s in self.all if s.op == "list" and self._is_written_out(s)]
        self.lists += [s for s in self.all if s.op == "tuple" and "keys" not in s.facts]
        self.steps = self._unrolled(given[0])
        self.steps = self._at_known_places(self.steps)
        for s in self.lists:
            s.op = "tuple"

    def _is_object(self, name: str) -> bool:
        maker = self.maker(name)
        return maker is not None and "made" in maker.facts

    def _is_list(self, name: str) -> bool:
        maker = self.maker(name)
        return (maker is not None and maker.op == "list") or self.kind(name) == "L"

    def _is_written_out(self, s: Step) -> bool:
        """Whether this is a list of objects, lists or things of several kinds that is only looked at."""
        if not 0 < len(s.args) <= LONG:
            return False
        if self.becomes_array(s):
            self.in_one_kind(s)
            return True
        kinds = [self.kind(a) for a in s.args]
        alike = all(k == kinds[0] or {k, kinds[0]} <= {"i", "f", "d", "s"} for k in kinds)
        several = not alike or any(k == "H" or is_tuple(k) or (k is not None and k[0] == "F") for k in kinds)
        objects = all(self._is_object(a) or (self.of_lists and self._is_list(a)) for a in s.args)
        texts = all(type(self.literal_of(a)) is str for a in s.args)
        if not several and not objects and not texts:
            return False
        counted = objects or not alike
        return all(self._looks(x, n, counted) for n, x in self.uses_of(s))

    def _looks(self, s: Step, name: str, counted: bool) -> bool:
        """Whether a step only looks at a list; `counted`: also at the items that a loop counts."""
        if s.op == "copy":
            return self.sole(s.target) is not None
        if s.op == "tuple":
            taken_apart = (x.op == "get" and not x.names for x in self.uses.get(s.target, ()))
            return "made" in s.facts or ("keys" not in s.facts and all(taken_apart))
        if s.op == "get":
            if "item" in s.facts and s in self.left:
                return False
            if s.args[0] == name and re.fullmatch(r"(-?\d+)?:(-?\d+)?", s.text):
                uses = self.uses.get(s.target, ())
                return self.sole(s.target) is not None and all(
                    self._looks(x, s.target, counted) for x in uses
                )
            by_count = "item" in s.facts or (counted and len(s.names) == 1 and s.text == s.names[0])
            return s.args[0] == name and (by_count or re.fullmatch(r"-?\d+", s.text) is not None)
        return self.calls(s, "len")

    # loops

    def _sources(self, s: Step) -> list[str]:
        """What a loop over items goes through."""
        over = self.maker(s.args[0])
        size = self.maker(over.args[-1]) if over is not None and over.op == "call" else None
        if size is None or size.op != "call":
            return []
        sizes = [size] if self.calls(size, "len") else [self.maker(a) for a in size.args[1:]]
        if not all(x is not None and self.calls(x, "len") for x in sizes):
            return []
        return [x.args[-1] for x in sizes if x is not None]

    def _counts(self, s: Step) -> list[int] | None:
        """The numbers that a loop counts through, where it has to be unrolled and they are known."""
        if s.op != "loop" or s.text == "while" or not s.body or s.body[0].op == "deopt":
            return None
        over = self.maker(s.args[0])
        if "items" in s.facts:
            lengths = self._lengths(s)
            first = self.literal_of(over.args[1]) if over is not None and len(over.args) > 2 else 0
            counts = [*range(first, min(lengths))] if lengths and type(first) is int else None
        else:
            counts = self.counts(over) if over is not None and self._takes_items(s) else None
        counts = self.counts_seen(s) if counts is None and self._takes_items(s) else counts
        return None if counts is not None and len(counts) > LONG and self._takes_by_key(s) else counts

    def _lengths(self, s: Step) -> list[int]:
        """How many items there are in what a loop goes through, as far as that is known and asked for."""
        lengths = [n for b in self._sources(s) if (n := self.length(b)) is not None]
        if not lengths and self._takes_items(s):
            lengths = [n for b in self._sources(s) if (n := self.count_of_numbers(b)) is not None]
        return lengths

    def _takes_items(self, s: Step) -> bool:
        """Whether a loop takes items of tuples by an index that is computed, or sets entries so."""
        if any(x.op == "setkey" for x in self._counted_steps(s)):
            return True
        taken = [x for x in self._counted_steps(s) if x.op == "get"]
        return any(self._is_many(x.args[0]) for x in taken)

    def _takes_by_key(self, s: Step) -> bool:
        """Whether all that a loop takes so are entries of dictionaries that are of one kind (by_key.py)."""
        taken = [x for x in self._counted_steps(s) if x.op == "get" and self._is_many(x.args[0])]
        alike = all(_is_alike(self.kind(x.args[0])) for x in taken)
        return bool(taken) and alike and all(x.op == "get" for x in self._counted_steps(s))

    def _is_many(self, name: str) -> bool:
        return self.length(name) is not None or type(self.kind(name)) is Keyed

    def _counted_steps(self, s: Step) -> list[Step]:
        """The steps in a loop that take items by what is computed of its counter, or set entries so."""
        counted = {s.target}
        for x in walk(s.body):
            if x.op in ("binary", "copy") and counted & set(x.args):
                counted.add(x.target)
            if "item" in x.facts and counted & set(x.names):
                counted.add(x.target)
        return [x for x in walk(s.body) if x.op in ("get", "setkey") and counted & set(x.names)]

    def _unrolled(self, steps: list[Step]) -> list[Step]:
        out: list[Step] = []
        for s in steps:
            counts = self._counts(s)
            if counts is None:
                s.body, s.orelse = self._unrolled(s.body), self._unrolled(s.orelse)
                out += self._counted(s) if s.op == "call" else self._part(s) if s.op == "get" else [s]
                continue
            turns = self.turns(s, counts)
            out += self._held_to(s)
            s.body = self._unrolled(s.body)
            into = out
            for i, steps_of_turn in zip(counts, turns, strict=True):
                turn = self._unrolled(steps_of_turn)
                into += turn
                if s.stops and i != counts[-1]:
                    into = self._stopped(s, turn, into)
                elif s.stops:  # the last turn has left the loop in any case
                    _left(turn, self.fresh("left"))
            out += self.after(s, counts)
        return out

    def _at_known_places(self, steps: list[Step]) -> list[Step]:
        """The steps with items taken by their place; no run in which a place that was seen is another."""
        out: list[Step] = []
        for s in steps:
            self._placed(s, {})
            s.body, s.orelse = self._at_known_places(s.body), self._at_known_places(s.orelse)
            seen = self.indices.get(s.number)
            if seen is not None and s.names == (s.text,) and self._has_places(s, type(seen)):
                out += self._equal(s.text, seen, s)
                s.text, s.names = repr(seen), ()
            out.append(s)
        return out

    def _stopped(self, loop: Step, turn: list[Step], into: list[Step]) -> list[Step]:
        """Where the next turn goes: it is taken unless this one has left the loop."""
        stop = self.fresh("left")
        into.insert(into.index(turn[0]), self._step(Step("copy", stop, ("=False",), loop.line)))
        _left(turn, stop)
        test = self._step(Step("if", args=(stop,), line=loop.line))
        test.facts["always"] = True
        into.append(test)
        return test.orelse

    def _counted(self, s: Step) -> list[Step]:
        """The number of items, where it is known."""
        if self.calls(s, "len") and (self._is_of_lists(s.args[-1]) or self._has_objects(s.args[-1])):
            count = self.length(s.args[-1])
            if count is not None:
                s.op, s.args = "copy", (f"={count}",)
        return [s]

    def _part(self, s: Step) -> list[Step]:
        """The items of a slice, where it is one of a list that is written out."""
        length = self.length(s.args[0]) if ":" in s.text and self._is_of_lists(s.args[0]) else None
        ends = re.fullmatch(r"(-?\d+)?:(-?\d+)?", s.text)
        maker = self.maker(s.args[0])
        if length is None or ends is None or maker is None:
            return [s]
        taken = range(length)[slice(*(None if n is None else int(n) for n in ends.groups()))]
        items = [Step("get", self.fresh("item"), s.args, s.line, str(i)) for i in taken]
        self.forget([s])
        s.op, s.args, s.text = "tuple", tuple(x.target for x in items), ""
        self.note(s)
        self.lists.append(s)
        return [*map(self._step, items), s]

    def _is_of_lists(self, name: str) -> bool:
        """Whether this is one of the lists that are written out, or a slice of one."""
        maker = self.maker(name)
        sliced = maker is not None and maker.op == "get" and ":" in maker.text
        return maker is not None and (maker in self.lists or (sliced and self._is_of_lists(maker.args[0])))

    def _has_objects(self, name: str) -> bool:
        """Whether this is a tuple of objects, or a list that counts as one."""
        k = self.kind(name)
        return is_sequence(k) and has_object(k)

    def _held_to(self, s: Step) -> list[Step]:
        """No run in which something else that the loop goes through is shorter, or counts otherwise."""
        over = self.maker(s.args[0])
        assert over is not None
        if "items" in s.facts and not all(self.length(b) is not None for b in self._sources(s)):
            lengths = self._lengths(s)
            return self._equal(over.args[-1], min(lengths), s) if lengths else self.held_to_seen(over, s)
        if "items" in s.facts or self.counts(over) is not None:
            return []
        return self.held_to_seen(over, s)


def _is_alike(k: Any) -> bool:
    """Whether this is a dictionary whose entries are of one kind, which is none of several."""
    return type(k) is Keyed and len({*k[1:]}) == 1 and not is_tuple(k[1])


def _left(steps: list[Step], stop: str) -> None:
    """Where a loop is left, note it."""
    for s in steps:
        if s.op == "break":
            s.op, s.target, s.args = "copy", stop, ("=True",)
        elif s.op != "loop":
            _left(s.body, stop)
            _left(s.orelse, stop)
