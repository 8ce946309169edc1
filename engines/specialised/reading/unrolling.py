"""Unrolling: loops over tuples, and over objects that are written out in a list.

`for W, b in layers` goes through items of kinds of their own, `for layer in self.layers` through objects
that may change. Where it is known how many there are, the body is written once for each of them; and so it
is for a loop over a range whose body takes items of a tuple by the count. A list that is written out, and
that nothing is done to, becomes a tuple.
"""

from __future__ import annotations

import copy
import operator
import re
from collections.abc import Callable, Iterator
from typing import Any

from .declined import Declined
from .kinds import Keyed, Kind, is_tuple
from .resolving import Resolving
from .steps import Step, renamed, walk

_LONG = 32
_MANY = 2000  # steps that the loops of one text may become


class Unrolled(Resolving):
    """The steps of one text, without loops over tuples and objects."""

    def __init__(
        self,
        steps: list[Step],
        fresh: Callable[[str], str],
        number: Callable[[], int],
        given: Callable[[str], Kind],
        seen: dict[int, Kind],
        ranges: dict[int, Any],
    ) -> None:
        """`given`: the kind of a parameter or constant, None for others; `seen`: those of what steps make.

        `ranges`: what steps made each time that are ranges.
        """
        super().__init__(steps, given, seen)
        self.fresh, self.number, self.ranges = fresh, number, ranges
        self.made = 0
        self.left = {x for s in self.all if s.op == "loop" and s.stops for x in walk(s.body)}
        self.lists = [s for s in self.all if s.op == "list" and self._is_written_out(s)]
        self.lists += [s for s in self.all if s.op == "tuple" and "keys" not in s.facts]
        self.steps = self._unrolled(steps)
        for s in self.lists:
            s.op = "tuple"

    def _is_object(self, name: str) -> bool:
        maker = self.maker(name)
        return maker is not None and "made" in maker.facts

    def _is_written_out(self, s: Step) -> bool:
        """Whether this is a list of objects or of several kinds of things that is only looked at."""
        if not 0 < len(s.args) <= _LONG:
            return False
        kinds = [self.kind(a) for a in s.args]
        several = any(is_tuple(k) or (isinstance(k, tuple) and k[0] == "F") for k in kinds) or any(
            k != kinds[0] and not {k, kinds[0]} <= {"i", "f", "d", "s"} for k in kinds
        )
        objects = all(map(self._is_object, s.args))
        if not several and not objects:
            return False
        names = {n for n in self.makers if self.maker(n) is s}
        return all(self._looks(x, n, objects) for n in names for x in self.uses.get(n, ()))

    def _looks(self, s: Step, name: str, objects: bool) -> bool:
        if s.op == "copy":
            return len(self.makers[s.target]) == 1
        if s.op == "tuple":
            return "made" in s.facts
        if s.op == "get":
            if "item" in s.facts and s in self.left:
                return False
            counted = "item" in s.facts or (objects and len(s.names) == 1 and s.text == s.names[0])
            return s.args[0] == name and (counted or re.fullmatch(r"-?\d+", s.text) is not None)
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
        if "items" in s.facts:
            lengths = [n for b in self._sources(s) if (n := self.length(b)) is not None]
            counts = [*range(min(lengths))] if lengths else None
        else:
            over = self.maker(s.args[0])
            counts = self.counts(over) if over is not None and self._takes_items(s) else None
        return self._counts_seen(s) if counts is None else counts

    def _counts_seen(self, s: Step) -> list[int] | None:
        """The same where they were the same in each recorded run, and the loop takes items by them."""
        over = self.maker(s.args[0])
        found = None if over is None or not self.calls(over, "range") else self.ranges.get(over.number)
        return [*found] if found is not None and len(found) <= _LONG and self._takes_items(s) else None

    def _takes_items(self, s: Step) -> bool:
        """Whether a loop takes items of tuples by an index that is computed."""
        counted = {s.target}
        for x in walk(s.body):
            if x.op in ("binary", "copy") and counted & set(x.args):
                counted.add(x.target)
        taken = (x for x in walk(s.body) if x.op == "get" and counted & set(x.names))
        return any(self.length(x.args[0]) is not None or type(self.kind(x.args[0])) is Keyed for x in taken)

    def _unrolled(self, steps: list[Step]) -> list[Step]:
        out: list[Step] = []
        for s in steps:
            counts = self._counts(s)
            if counts is None:
                s.body, s.orelse = self._unrolled(s.body), self._unrolled(s.orelse)
                out += [s] if s.op != "call" else self._counted(s)
                continue
            times = len(counts)
            self.made += times * sum(1 for _ in walk(s.body))
            if times > _LONG or self.made > _MANY:
                raise Declined("a loop over a long tuple")
            out += self._held_to(s, times)
            s.body = self._unrolled(s.body)
            own = self._own(s)
            into = out
            for i in counts:
                turn = self._unrolled(_folded(self._turn(s, own, i)))
                into += turn
                if s.stops and i != counts[-1]:
                    into = self._stopped(s, turn, into)
            inside = {*walk(s.body), s}
            if counts and any(x not in inside for x in self.uses.get(s.target, ())):
                out.append(self._step(Step("copy", s.target, (f"={counts[-1]}",), s.line)))
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

    def _step(self, s: Step) -> Step:
        s.number = self.number()
        self.note(s)
        return s

    def _counted(self, s: Step) -> list[Step]:
        """The number of items, where it is known."""
        if self.calls(s, "len") and self.maker(s.args[-1]) in self.lists:
            s.op, s.args = "copy", (f"={self.length(s.args[-1])}",)
        return [s]

    def _held_to(self, s: Step, times: int) -> list[Step]:
        """No run in which something else that the loop goes through is shorter, or counts otherwise."""
        over = self.maker(s.args[0])
        assert over is not None
        if "items" in s.facts and not all(self.length(b) is not None for b in self._sources(s)):
            return self._equal(over.args[-1], times, s)
        if "items" in s.facts or self.counts(over) is not None:
            return []
        seen: range = self.ranges[over.number]
        ends = {2: (seen.stop,), 3: (seen.start, seen.stop), 4: (seen.start, seen.stop, seen.step)}
        held = [self._equal(a, n, s) for a, n in zip(over.args[1:], ends[len(over.args)], strict=True)]
        return [x for steps in held for x in steps]

    def _equal(self, a: str, value: int, s: Step) -> list[Step]:
        """No run in which a number is another."""
        same = self._step(Step("compare", self.fresh("t"), (a, f"={value}"), s.line, "=="))
        test = Step("if", args=(same.target,), line=s.line, orelse=[Step("deopt", line=s.line)])
        test.number = self.number()
        test.facts["always"] = True
        return [same, test]

    def _own(self, loop: Step) -> list[str]:
        """The names that an iteration gives values to before it reads them, and nobody else reads."""
        return sorted(n for block in _blocks(loop.body) for n in self._own_of(block))

    def _own_of(self, block: list[Step]) -> Iterator[str]:
        inside = list(walk(block))
        known = set(map(id, inside))
        for n in dict.fromkeys(x.target for x in block if x.target):
            first = next(x for x in block if x.target == n)
            if not all(id(x) in known for x in (*self.makers[n], *self.uses.get(n, ()))):
                continue
            before = inside[: inside.index(first)]
            if not any(n in (*x.args, *x.names, x.target) for x in before) and n not in first.args:
                yield n

    def _turn(self, loop: Step, own: list[str], i: int) -> list[Step]:
        names = {n: self.fresh(f"{n}_") for n in (*own, loop.target)}
        counter = self._step(Step("copy", names[loop.target], (f"={i}",), loop.line))
        steps = [counter, *copy.deepcopy(loop.body)]
        for s in walk(steps[1:]):
            s.args = tuple(names.get(a, a) for a in s.args)
            s.text = renamed(s.text, {n: names[n] for n in s.names if n in names})
            s.names = tuple(names.get(n, n) for n in s.names)
            s.target = names.get(s.target, s.target)
            for fact in ("names", "results"):
                if fact in s.facts:
                    s.facts[fact] = [names.get(n, n) for n in s.facts[fact]]
            if isinstance(s.facts.get("of"), str):
                s.facts["of"] = names.get(s.facts["of"], s.facts["of"])
            self.note(s)
        self._place(steps, {})
        return steps

    def _place(self, steps: list[Step], known: dict[str, Any]) -> None:
        """Take items by their place, where the constants that variables hold are known."""
        for s in steps:
            self._placed(s, known)
            if s.op == "if" and type(known.get(s.args[0])) is bool:
                s.facts["constant"] = known[s.args[0]]
            if s.body or s.orelse:
                inside = {x.target for x in walk([s]) if x.target}
                for n in inside & known.keys():
                    del known[n]
                self._place(s.body, dict(known))
                self._place(s.orelse, dict(known))
            elif s.target:
                source = s.args[0] if s.op == "copy" else s.target
                value = known[source] if source in known else self.literal_of(source)
                if s.op == "compare":
                    value = _compared(s.text, *(known.get(a, self.literal_of(a)) for a in s.args))
                known.pop(s.target, None)
                if value is not None:
                    known[s.target] = value

    def _placed(self, s: Step, known: dict[str, Any]) -> None:
        """Take an item by its place, where the count is known now."""
        if s.op != "get" or not s.names:
            return
        base: Any = self.kind(s.args[0])
        if self.maker(s.args[0]) not in self.lists and not is_tuple(base):
            return
        value = known.get(s.text, self.literal_of(s.text)) if s.names == (s.text,) else None
        if type(value) is (str if isinstance(base, Keyed) else int):
            s.text, s.names = repr(value), ()


def _compared(symbol: str, a: Any, b: Any) -> bool | None:
    """What a comparison of two whole numbers or texts tells; None of others."""
    if type(a) is not type(b) or type(a) not in (int, str) or symbol not in _COMPARISONS:
        return None
    return bool(_COMPARISONS[symbol](a, b))


def _folded(steps: list[Step]) -> list[Step]:
    """The steps without branches that are decided."""
    out: list[Step] = []
    for s in steps:
        s.body, s.orelse = _folded(s.body), _folded(s.orelse)
        if "constant" in s.facts:
            out += s.body if s.facts["constant"] else s.orelse
        else:
            out.append(s)
    return out


_COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}


def _left(steps: list[Step], stop: str) -> None:
    """Where a loop is left, note it."""
    for s in steps:
        if s.op == "break":
            s.op, s.target, s.args = "copy", stop, ("=True",)
        elif s.op != "loop":
            _left(s.body, stop)
            _left(s.orelse, stop)


def _blocks(steps: list[Step]) -> Iterator[list[Step]]:
    """Steps that run one after another, and those inside them."""
    yield steps
    for s in steps:
        yield from _blocks(s.body)
        yield from _blocks(s.orelse)
