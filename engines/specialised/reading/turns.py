"""Turns: the turns of a loop, each written out with variables of its own.

The count of a turn is known, so that what is computed from it is too: items are taken by their place, and
branches that it decides are gone.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import Any

from .composed import Keyed, Kind
from .declined import Unkeyed, Unplaced
from .kinds import LONG, is_tuple
from .resolving import Resolving
from .steps import SETS, Step, copied, held_to, renamed, walk

_MANY = 2000  # steps that the loops of one text may become


class Turns(Resolving):
    """The steps of one text, of whose loops some are written out."""

    def __init__(
        self,
        steps: list[Step],
        fresh: Callable[[str], str],
        number: Callable[[], int],
        given: Callable[[str], Kind],
        seen: dict[int, Kind],
        same: tuple[dict[int, Any], dict[int, Any]],
        of_turn: Callable[[Step, int, int, bool], None],
    ) -> None:
        """`given`: the kind of a parameter or constant, None for others; `seen`: those of what steps make.

        `same`: what steps made each time that are ranges, and by what they took or set items each time;
        `of_turn` is told of each step of a turn.
        """
        super().__init__(steps, given, seen)
        self.fresh, self.number = fresh, number
        self.ranges, self.indices = same
        self.made, self.of_turn = 0, of_turn
        self.around: dict[Step, tuple[Step, ...]] = {}
        self._enclose(steps, ())
        self.held: dict[str, int] = {}
        for s in steps:
            test = self.maker(s.args[0]) if s.op == "if" and "always" in s.facts else None
            if test is not None and test.op == "compare" and s.orelse and s.orelse[0].op == "deopt":
                self._hold(test)

    def _hold(self, same: Step) -> None:
        """Note the number that a variable has in each run, and those that it is computed from."""
        name, value = same.args[0], self.literal_of(same.args[1]) if same.text == "==" else None
        while type(value) is int and (s := self.sole(name)) is not None:
            if self.around[s]:
                return  # it may have been another in other turns
            self.held[name] = value
            more = self.literal_of(s.args[1]) if s.op == "binary" and s.text in ("+", "-") else None
            if type(more) is int:
                value -= more if s.text == "+" else -more
            elif s.op != "copy":
                return
            name = s.args[0]

    def literal_of(self, name: str) -> Any:
        """The constant that a variable is, or has to be in each run; None where that is not known."""
        return self.held[name] if name in self.held else super().literal_of(name)

    def _enclose(self, steps: list[Step], loops: tuple[Step, ...]) -> None:
        """Note in which loops each step is."""
        for s in steps:
            self.around[s] = loops
            self._enclose([*s.body, *s.orelse], (*loops, s) if s.op == "loop" else loops)

    def forget(self, steps: list[Step]) -> None:
        """Leave steps out that are no longer part of the text."""
        gone = set(steps)
        for n in {n for s in steps for n in (*s.args, *s.names)}:
            self.uses[n] = [x for x in self.uses.get(n, ()) if x not in gone]
        for n in {s.target for s in steps if s.target}:
            self.makers[n] = [x for x in self.makers.get(n, ()) if x not in gone]

    def turns(self, loop: Step, counts: list[int]) -> Iterator[list[Step]]:
        """The body of a loop for each of its counts."""
        self.made += len(counts) * sum(1 for _ in walk(loop.body))
        if len(counts) > LONG or self.made > _MANY:
            entries = any(s.op == "setkey" for s in walk(loop.body))
            raise (Unkeyed if entries else Unplaced)("a loop over a long tuple")
        return self._turns(loop, counts)

    def _turns(self, loop: Step, counts: list[int]) -> Iterator[list[Step]]:
        own = self._own(loop)
        every = [folded(self._turn(loop, own, i)) for i in counts]
        where: dict[int, list[int]] = {}  # in which turns a step is left
        for turn, steps in enumerate(every):
            for number in {s.number for s in walk(steps)}:
                where.setdefault(number, []).append(turn)
        for turn, steps in enumerate(every):
            outside = {*walk_outside_loops(steps)}
            for s in walk(steps[1:]):
                among = where[s.number]
                self.of_turn(s, among.index(turn), len(among), s not in outside)
            yield steps
        self.forget([*walk(loop.body)])

    def after(self, loop: Step, counts: list[int]) -> list[Step]:
        """The step that sets the counter as the loop leaves it, where that is read."""
        inside = {*walk(loop.body), loop}
        if not counts or all(x in inside for x in self.uses.get(loop.target, ())):
            return []
        return [self._step(Step("copy", loop.target, (f"={counts[-1]}",), loop.line))]

    def counts_seen(self, loop: Step) -> list[int] | None:
        """The numbers that a loop counted through, where they were the same in each recorded run."""
        over, back = self.maker(loop.args[0]), False
        if over is not None and self.calls(over, "reversed"):
            over, back = self.maker(over.args[-1]), True
        found = None if over is None or not self.calls(over, "range") else self.ranges.get(over.number)
        return [*found][:: -1 if back else 1] if found is not None and len(found) <= LONG else None

    def held_to_seen(self, over: Step, loop: Step) -> list[Step]:
        """No run in which a range has other ends than those that were seen."""
        over = (self.maker(over.args[-1]) or over) if self.calls(over, "reversed") else over
        seen: range = self.ranges[over.number]
        ends = {2: (seen.stop,), 3: (seen.start, seen.stop), 4: (seen.start, seen.stop, seen.step)}
        held = [self._equal(a, n, loop) for a, n in zip(over.args[1:], ends[len(over.args)], strict=True)]
        return [x for steps in held for x in steps]

    def _step(self, s: Step) -> Step:
        s.number = self.number()
        self.note(s)
        return s

    def _equal(self, a: str, value: Any, s: Step) -> list[Step]:
        """No run in which a number or a text is another."""
        same = self._step(Step("compare", self.fresh("t"), (a, f"={value!r}"), s.line, "=="))
        return [same, held_to(same.target, s.line, self.number())]

    def _own(self, loop: Step) -> list[str]:
        """The names that an iteration gives values to before it reads them, and nobody else reads."""
        return sorted({n for block in _blocks(loop.body) for n in self._own_of(block, loop)})

    def _own_of(self, block: list[Step], loop: Step) -> Iterator[str]:
        inside = {*walk(block)}
        for n in dict.fromkeys(x.target for x in block if x.target):
            others = (x for x in self.uses.get(n, ()) if x not in inside)
            if _is_set_first(n, block) and all(self._set_anew(n, x, loop) for x in others):
                yield n

    def _set_anew(self, name: str, s: Step, loop: Step) -> bool:
        """Whether a step of another loop reads a name after each turn of that loop has set it."""
        known = (*self.around.get(loop, ()), loop)
        return any(x not in known and _is_set_first(name, x.body) for x in self.around.get(s, ()))

    def _turn(self, loop: Step, own: list[str], i: int) -> list[Step]:
        names = {n: self.fresh(f"{n}_") for n in (*own, loop.target)}
        counter = self._step(Step("copy", names[loop.target], (f"={i}",), loop.line))
        steps = [counter, *copied(loop.body)]
        written_out = {*self.lists}
        for s, original in zip(walk(steps[1:]), walk(loop.body), strict=True):
            if original in written_out:
                self.lists.append(s)
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
        self._enclose(steps, self.around.get(loop, ()))
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
                    same = self._is_same(s)
                    if same is not None:
                        value = same
                        s.op, s.args, s.text = "copy", (f"={same}",), ""
                known.pop(s.target, None)
                if value is not None:
                    known[s.target] = value

    def _is_same(self, s: Step) -> bool | None:
        """Whether two names stand for one object, of objects that are each made once."""
        makers = [self.maker(a) for a in s.args]
        if s.text not in ("is", "is not") or any(m is None or "made" not in m.facts for m in makers):
            return None
        if any(self.around.get(m, (m,)) for m in makers if m is not None) or not all(
            map(self._stays, s.args)
        ):
            return None
        return (makers[0] is makers[1]) == (s.text == "is")

    def _stays(self, name: str) -> bool:
        """Whether a name comes from no field that is set after its object was made."""
        s = self.sole(name)
        if s is None or s.op not in ("copy", "attr", "get"):
            return True
        is_set = s.op != "copy" and any(x.op in SETS and x.text == s.text for x in self.all)
        return not is_set and self._stays(s.args[0])

    def _placed(self, s: Step, known: dict[str, Any]) -> None:
        """Take an item by its place, where the count is known now."""
        value = known.get(s.text, self.literal_of(s.text)) if s.names == (s.text,) else None
        if self._has_places(s, type(value)):
            s.text, s.names = repr(value), ()

    def _has_places(self, s: Step, sort: type) -> bool:
        """Whether a step takes or sets an item of what is taken apart by places of this sort."""
        if s.op not in ("get", "setkey") or not s.names or sort not in (int, str):
            return False
        base: Any = self.kind(s.args[0])
        known_items = self.length(s.args[0]) is not None or self.count_of_numbers(s.args[0]) is not None
        if isinstance(base, Keyed):
            return sort is str or int in map(type, base.keys)
        return (is_tuple(base) or known_items) and sort is int


def walk_outside_loops(steps: list[Step]) -> Iterator[Step]:
    """Every step, but for those in loops."""
    for s in steps:
        yield s
        if s.op != "loop":
            yield from walk_outside_loops([*s.body, *s.orelse])


def _compared(symbol: str, a: Any, b: Any) -> bool | None:
    """What a comparison of two whole numbers or texts tells; None of others."""
    if type(a) is not type(b) or type(a) not in (int, str) or symbol not in _COMPARISONS:
        return None
    return bool(_COMPARISONS[symbol](a, b))


def folded(steps: list[Step]) -> list[Step]:
    """The steps without branches that are decided."""
    out: list[Step] = []
    for s in steps:
        s.body, s.orelse = folded(s.body), folded(s.orelse)
        if "constant" in s.facts:
            out += s.body if s.facts["constant"] else s.orelse
        else:
            out.append(s)
    return out


_COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    **{"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge},
    **{"==": operator.eq, "!=": operator.ne},
}


def _is_set_first(name: str, block: list[Step]) -> bool:
    """Whether a block sets a name itself, before anything in it reads or sets it."""
    for s in block:
        if s.target == name:
            return name not in (*s.args, *s.names)
        if any(name in (*x.args, *x.names, x.target) for x in walk([s])):
            return False
    return False


def _blocks(steps: list[Step]) -> Iterator[list[Step]]:
    """Steps that run one after another, and those inside them."""
    yield steps
    for s in steps:
        yield from _blocks(s.body)
        yield from _blocks(s.orelse)
