"""Records: objects that change as lists of their class and fields.

    body = Body(p, v)       body = [Body, p, v]
    body.p = q              body[1] = q
    b = every[i]            b = every[i]; no run in which b[0] is not Body

That is done where it is not known from the text which object a name stands for, as for those of a long list.
A list may be an item of other lists, and is changed under each of its names.
"""

from __future__ import annotations

from typing import Any

from .composed import Kind, Made
from .declined import Changing, Declined
from .kinds import alike, is_of, is_tuple, made_of
from .resolving import Resolving
from .steps import Step, held_to, is_name, walk

_HOLDS = frozenset(
    {"copy", "append", "put", "extend", "set", "setkey", "setattr", "list", "tuple", "get", "drop"}
)
"""Steps that take a record as they would any item."""


class Records(Resolving):
    """The steps of one text in which objects of the classes whose fields are set are lists."""

    def __init__(self, steps: list[Step], inlined: Any) -> None:
        """`inlined`: makes names, numbers and constants, and knows the kinds of what is given."""
        super().__init__(steps, inlined._given_kind, inlined.seen)
        self.inlined, self.keys = inlined, dict[Any, tuple[str, ...]]()
        if any("put off" in s.facts for s in self.all):
            raise Declined("objects that change, and a call of one function or another")
        self.classes = {made_of(k) for s in self.all if s.op == "setattr" for k in self.kinds_of(s.args[0])}
        if not all(isinstance(C, type) for C in self.classes):
            raise Declined("an attribute that is set, of what may be no object")
        every = {*inlined.constants.values(), *inlined.kinds}
        if any(self._holds_record(k) for k in every if is_tuple(k)):
            raise Declined("an object from outside that changes")
        for s in self.all:
            if s.op == "tuple" and s.facts.get("made") in self.classes:
                keys = s.facts["keys"]
                if self.keys.setdefault(s.facts["made"], keys) != keys:
                    raise Declined("objects of one class with other fields")
        names = {a for s in self.all for a in (*s.args, s.target) if a}
        self.known = {a: self.kinds_of(a) for a in names}  # before any step is another
        self.told = {a: self.is_record(a) for a in names}
        self.steps = self._written(steps)
        for number, k in inlined.seen.items():
            inlined.seen[number] = self._without(k)

    # kinds

    def kinds_of(self, name: str, asked: frozenset[str] = frozenset()) -> set[Kind]:
        """The kinds that a variable was seen to have, or what it is a copy of."""
        if name in asked:
            return set()
        known = self.given(name)
        found: set[Kind] = set() if known is None else {known}
        for s in self.makers.get(name, ()) if is_name(name) else ():
            if s.op == "copy":
                found |= self.kinds_of(s.args[0], asked | {name})
            elif s.op == "tuple" and "made" in s.facts:
                found.add(Made.of(s.facts["made"], s.facts["keys"], ["?"] * len(s.args)))
            elif s.number in self.seen:
                found.add(self.seen[s.number])
        return found

    def is_record(self, name: str) -> bool:
        """Whether a variable stands for an object of these classes."""
        records = {made_of(k) in self.classes for k in self.known[name]}
        if len(records) > 1:
            raise Declined("an object that changes, or something else")
        return records == {True}

    def _holds_record(self, k: Kind) -> bool:
        return made_of(k) in self.classes or (is_tuple(k) and any(map(self._holds_record, k[1:])))

    def _without(self, k: Kind) -> Kind:
        """A kind with lists for records."""
        if made_of(k) in self.classes:
            return "L"
        return alike(k, map(self._without, k[1:])) if is_tuple(k) and self._holds_record(k) else k

    # steps

    def _written(self, steps: list[Step]) -> list[Step]:
        out: list[Step] = []
        for s in steps:
            s.body, s.orelse = self._written(s.body), self._written(s.orelse)
            out += self._one(s)
        return out

    def _one(self, s: Step) -> list[Step]:
        made, told = s.facts.get("made"), [self.told[a] for a in s.args]
        if s.op == "tuple" and made in self.classes:
            s.op, s.args = "list", (self._constant(made), *s.args)
            del s.facts["made"], s.facts["keys"]
            self.seen[s.number] = "L"  # type: ignore[index]  # a dictionary
            return [s]
        if s.op == "expect" and told[0]:
            if "holds" not in s.facts or not all(map(s.facts["holds"], self.known[s.args[0]])):
                raise Changing("something that an object does otherwise than was seen")
            return []
        if s.op in ("attr", "setattr") and told[0]:
            s.op, s.text = "get" if s.op == "attr" else "set", self._place(s)
        elif s.op == "call" and any(told):
            if self.given(s.args[0]) != ("F", isinstance) or s.keywords:
                raise Declined("an object that changes and is given to a function")
            answers = {is_of(made_of(k), self.given(s.args[2])) for k in self.known[s.args[1]]}
            if len(answers) > 1:
                raise Declined("objects of several classes that change")
            s.op, s.args = "copy", (f"={answers.pop()}",)
        elif s.op == "compare" and s.text[:2] != "is" and any("L" in self.known[a] for a in s.args):
            raise Declined("lists that are compared, and objects that change")
        elif any(told) and s.op not in _HOLDS and not (s.op == "compare" and s.text[:2] == "is"):
            raise Declined("an object that changes, and a step that does not know it")
        if s.op == "get" and self.told.get(s.target, False):
            return [s, *self._held(s)]
        return [s]

    def _place(self, s: Step) -> str:
        """The place of a field in the lists of a class."""
        classes = {made_of(k) for k in self.known[s.args[0]]}
        if len(classes) != 1:
            raise Declined("objects of several classes that change")
        C = classes.pop()
        if s.text not in self.keys.get(C, ()):
            raise Declined("a field that an object does not have from the beginning")
        return str(1 + self.keys[C].index(s.text))

    def _held(self, s: Step) -> list[Step]:
        """No run in which what is taken out of a list is of another class."""
        classes = {made_of(k) for k in self.known[s.target]}
        if len(classes) != 1:
            raise Declined("objects of several classes that change")
        asked = self._new(Step("get", self.inlined.fresh("class"), (s.target,), s.line, "0"))
        C = self._constant(classes.pop())
        self.seen[asked.number] = self.given(C)  # type: ignore[index]  # a dictionary
        same = self._new(Step("compare", self.inlined.fresh("same"), (asked.target, C), s.line, "is"))
        self.seen[same.number] = "b"  # type: ignore[index]  # a dictionary
        return [asked, same, self._new(held_to(same.target, s.line))]

    def _new(self, s: Step) -> Step:
        s.number = self.inlined._number()
        return s

    def _constant(self, C: Any) -> str:
        return str(self.inlined.constant(C, ("F", C)))


def has_records(steps: list[Step]) -> bool:
    """Whether fields of objects are set."""
    return any(s.op == "setattr" for s in walk(steps))
