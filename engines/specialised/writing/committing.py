"""Committing: what is done at the end of a text, as text: fields of objects that are given, what is told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..reading.blocks import Keep
from ..reading.composed import Keyed, Kind, Made, Named
from ..reading.declined import Declined
from ..reading.kinds import NUMBERS, is_tuple
from ..reading.steps import Step, is_name, plain


class Committing:
    """Notes them; the writer has the values."""

    kinds: dict[str, Kind]
    inferred: Any
    bind: Callable[[Any], str]
    put: Callable[[Any], None]
    given_up: Callable[[], str]
    commits: list[tuple[str, Callable[[], str]]]
    """Each field that is set by its path, and what gives the text of its value."""
    told = ""
    """The list of what is told in the end, where anything is."""

    def candidate(self, name: str) -> Keep:
        """This value of a variable, should the text ask for it in the end."""
        raise NotImplementedError

    def _commit(self, s: Step) -> None:
        """A field of an object that is given is set in the end."""
        self.commits.append((s.text, self._composed(s.facts.get("whole") or s.args[0])))

    def _tell(self, s: Step) -> None:
        """What is told in the end: to whom, and the numbers and texts that it is made of."""
        if "unless" in s.facts:
            self.put(f"if {self.bind(s.facts['unless'])}(): {self.given_up()}")
            return
        if any(self.inferred.kind(a) not in (*NUMBERS, "Z", "N") for a in s.args):
            raise Declined("something that is told, and is neither a number nor a text")
        given = "".join(f"{plain(a)}, " for a in s.args)
        self.put(f"{self.told}.append(({self.bind(s.facts['tells'])}, ({given})))")

    def _composed(self, name: str) -> Callable[[], str]:
        """What a variable, or a tuple or dictionary that is taken apart, is at the end of the text."""
        k: Any = self.kinds.get(name)
        if not is_tuple(k):
            return self.candidate(name).use if is_name(name) else lambda: plain(name)
        if type(k) is not Keyed and isinstance(k, Made | Named):
            raise Declined("a field of what is given that becomes an object")
        parts = [self._composed(f"{name}__{i}") for i in range(len(k) - 1)]
        if type(k) is Keyed:
            named = [*zip(k.keys, parts, strict=True)]
            return lambda: "{" + ", ".join(f"{key!r}: {part()}" for key, part in named) + "}"
        return lambda: "(" + "".join(f"{part()}, " for part in parts) + ")"
