"""Resolving: what the text tells of a variable: the step that makes it, how many items it has, its number."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from .composed import Keyed, Kind, Made
from .kinds import MIXED, is_sequence, is_tuple, place
from .steps import OPERATORS, SETS, Step, is_name, literal, walk
from .wording import METHODS


class Makers:
    """The steps of one text, and how more of them are made."""

    def __init__(
        self,
        steps: list[Step],
        fresh: Callable[[str], str],
        number: Callable[[], int],
        given: Callable[[str], Kind],
    ) -> None:
        """`given`: the kind of a parameter or constant, None for others."""
        self.steps, self.fresh, self.number, self.given = steps, fresh, number, given
        self.makers: dict[str, list[Step]] = {}
        for s in walk(steps):
            if s.target:
                self.makers.setdefault(s.target, []).append(s)


class Resolving:
    """The steps of one text, and who makes and reads its variables."""

    def __init__(self, steps: list[Step], given: Callable[[str], Kind], seen: Mapping[int, Kind]) -> None:
        """`given`: the kind of a parameter or constant, if it is one; `seen`: those of what steps make."""
        self.all = list(walk(steps))
        self.given, self.seen = given, seen
        self.makers: dict[str, list[Step]] = {}
        self.uses: dict[str, list[Step]] = {}
        self.lists: list[Step] = []
        for s in self.all:
            self.note(s)

    def note(self, s: Step) -> None:
        """Note a step among those that make and read variables."""
        if s.target:
            self.makers.setdefault(s.target, []).append(s)
        for n in {*s.args, *s.names}:
            self.uses.setdefault(n, []).append(s)

    def sole(self, name: str) -> Step | None:
        """The one step that gives a value to a variable, where it has no other and is no parameter."""
        makers = self.makers.get(name, ()) if is_name(name) else ()
        return makers[0] if len(makers) == 1 and self.given(name) is None else None

    def maker(self, name: str) -> Step | None:
        """The step that makes what a name stands for, where that is known."""
        s = self.sole(name)
        if s is None:
            return None
        if s.op == "copy":
            return self.maker(s.args[0])
        if s.op == "attr":
            owner = self.maker(s.args[0])
            if owner is not None and s.text in owner.facts.get("keys", ()):
                return self.maker(owner.args[owner.facts["keys"].index(s.text)])
            return None
        if s.op == "get" and not s.names:
            owner = self.maker(s.args[0])
            whole = owner is not None and (owner.op == "tuple" or owner in self.lists)
            place = _place(owner, s.text) if owner is not None and whole else None
            return s if owner is None or place is None else self.maker(owner.args[place])
        return s

    def names_of(self, made: Step) -> set[str]:
        """The variables that stand for what a step makes."""
        return {n for n in self.makers if self.maker(n) is made}

    def uses_of(self, made: Step) -> Iterator[tuple[str, Step]]:
        """These variables, each with the steps that read it."""
        return ((n, s) for n in self.names_of(made) for s in self.uses.get(n, ()))

    def kind(self, name: str) -> Kind:
        """The kind of a variable or constant, as far as that was seen or is told by the text; else None."""
        s = self.sole(name)
        if s is None:
            found = self._kinds(name)
            return found.pop() if len(found) == 1 else None
        if s.op == "copy":
            return self.kind(s.args[0])
        if s.op in ("get", "attr"):
            base: Any = self.kind(s.args[0])
            if isinstance(base, Made) and s.op == "attr" and s.text in base.keys:
                return base[1 + base.keys.index(s.text)]
            if is_tuple(base) and s.op == "get" and (s.text[0] == "'" or re.fullmatch(r"-?\d+", s.text)):
                return base[1 + place(base, s.text)]
        k = self.seen.get(s.number)
        return None if k == MIXED else k

    def _kinds(self, name: str) -> set[Kind]:
        """The kinds that a variable was seen to have, one after another."""
        k = self.given(name)
        makers = self.makers.get(name, []) if is_name(name) else []
        return {self.seen.get(s.number) for s in makers} | ({k} if k is not None else set())

    def calls(self, s: Step, name: str) -> bool:
        """Whether a step calls a builtin of this name."""
        return s.op == "call" and s.facts.get("counts") == name

    def length(self, name: str) -> int | None:
        """How many items a tuple, or a list that is written out, has."""
        maker = self.maker(name)
        k = self.kind(name)
        if maker is None and k is None:
            lengths = {len(x) - 1 if is_sequence(x) else None for x in self._kinds(name)}
            return lengths.pop() if len(lengths) == 1 else None
        part = None if maker is None or maker.op != "get" else re.fullmatch(r"(-?\d+)?:(-?\d+)?", maker.text)
        if part is not None and maker is not None and not is_tuple(k):
            whole = self.length(maker.args[0])
            ends = (None if n is None else int(n) for n in part.groups())
            return None if whole is None else len(range(whole)[slice(*ends)])
        if maker is not None and maker in self.lists:
            return len(maker.args) if k != "H" else None
        return len(k) - 1 if is_tuple(k) and type(k) not in (Made, Keyed) else None

    def count_of_numbers(self, name: str) -> int | None:
        """How many whole numbers are in a tuple, or letters in a text, that is written out; else None."""
        if type(text := self.literal_of(name)) is str:
            return len(text)
        maker = self.maker(name)
        written = maker is not None and maker.op == "tuple" and "keys" not in maker.facts
        numbers = maker is not None and written and all(type(self.literal_of(a)) is int for a in maker.args)
        return len(maker.args) if maker is not None and numbers else None

    def literal_of(self, name: str) -> Any:
        """The constant that a variable is; None where that is not known."""
        if not is_name(name):
            value = literal(name)
            text = re.fullmatch(r"='([^'\\]*)'", name)
            return text[1] if text else None if value is literal else value
        s = self.sole(name)
        if s is None:
            return None
        if s.op == "copy":
            return self.literal_of(s.args[0])
        if s.op in ("get", "attr") and not s.names:
            return self._literal_inside(s)
        if self.calls(s, "len"):
            return self.length(s.args[-1])
        if "wording" in s.facts:
            texts = [self.literal_of(a) for a in s.args[1:]]
            return None if None in texts else METHODS[s.facts["wording"]](*texts)
        if s.op == "binary" and s.text in ("+", "-", "*", "%", "//"):
            return _combined(s.text, *map(self.literal_of, s.args))
        return None

    def _literal_inside(self, s: Step) -> Any:
        """The constant that an item, entry or field is, where nothing sets one of that name."""
        text = self.literal_of(s.args[0]) if s.op == "get" else None
        if type(text) is str:
            return text[int(s.text)] if s.text.isdigit() and int(s.text) < len(text) else None
        owner = self.maker(s.args[0])
        if owner is None or owner.op != "tuple":
            return None
        if "keys" in owner.facts and any(x.op in SETS and (x.text == s.text or x.names) for x in self.all):
            return None
        place = _place(owner, s.text if s.op == "get" else repr(s.text))
        return None if place is None else self.literal_of(owner.args[place])

    def counts(self, over: Step) -> list[int] | None:
        """The numbers of a range, or of one from its end."""
        if self.calls(over, "reversed"):
            inner = self.maker(over.args[-1])
            known = None if inner is None else self.counts(inner)
            return None if known is None else known[::-1]
        if not self.calls(over, "range"):
            return None
        values = [self.literal_of(a) for a in over.args[1:]]
        if not all(type(v) is int for v in values) or 0 in values[2:]:
            return None
        return [*range(*values)]


def _place(owner: Step, text: str) -> int | None:
    """Which item of a tuple or dictionary an index or a key takes, where its text tells that."""
    keys = owner.facts.get("keys")
    if keys is not None:
        return next((i for i, k in enumerate(keys) if repr(k) == text), None)
    return int(text) if re.fullmatch(r"\d+", text) and int(text) < len(owner.args) else None


def _combined(symbol: str, a: Any, b: Any) -> Any:
    """What an operator makes of two whole numbers, or of texts; None of others."""
    if type(a) is str and symbol == "%" and type(b) in (int, str):
        return a % b
    if type(a) is str and symbol == "+" and type(b) is str:
        return a + b
    if type(a) is not int or type(b) is not int or (symbol in ("%", "//") and b == 0):
        return None
    return int(OPERATORS[symbol](a, b))
