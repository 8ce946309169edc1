"""Shapes: which variables have one shape, as far as a text knows.

Each shape has a token. A guard that two operands are alike makes their tokens one, and equal parts of one
array have one token wherever they stand.
"""

from __future__ import annotations

from typing import Any

from ..reading.kinds import axes, is_array
from ..reading.steps import Step, is_name, plain


class Shapes:
    """The tokens of shapes while a forward text is written."""

    inferred: Any
    kinds: dict[str, Any]
    version: dict[str, int]
    shape: dict[str, str]

    def put(self, text: Any) -> None:
        """A line of text; Forward has it."""
        raise NotImplementedError

    def given_up(self) -> str:
        """The text that ends a run; Forward has it."""
        raise NotImplementedError

    def shape_of(self, atom: str) -> str:
        """A token that two variables share where they have one shape."""
        return self.shape.get(atom, f"{atom}@{self.version.get(atom, 0)}")

    def shape_at(self, s: Step) -> str | None:
        """The token of the shape of a part of an array, where one is known."""
        return self.shape_of(s.args[0]) if s.text == "..." else self.shape.get(self._part(s))

    def _part(self, s: Step) -> str:
        versions = [self.version.get(n, 0) for n in (s.args[0], *s.names)]
        return f"{s.args[0]}[{s.text}] {versions}"

    def _alike(self, s: Step, args: list[str]) -> None:
        """A guard that two operands have one shape, where they had each time."""
        if len(args) != 2 or not all(is_array(self.inferred.kind(a)) for a in args):
            return
        if s.text == "@" or not self.inferred.profile.alike.get(s.number) or not self.elementwise(s):
            return
        a, b = args
        if self.shape_of(a) != self.shape_of(b):
            self.put(f"if {plain(a)}.shape != {plain(b)}.shape: {self.given_up()}")
            old, new = self.shape_of(b), self.shape_of(a)
            for n in [n for n in self.shape if self.shape[n] == old]:
                self.shape[n] = new
            if is_name(b):
                self.shape[b] = new
        s.facts["alike"] = True

    def elementwise(self, s: Step) -> bool:
        """Whether a step goes entry by entry."""
        return s.op == "binary"

    def _shaped(self, s: Step) -> None:
        """The token of what a step makes, and for each operand whether it has the shape of that."""
        args = s.args[1:] if s.op == "call" else s.args
        arrays = [a for a in args if is_array(self.inferred.kind(a)) or axes(self.inferred.kind(a))]
        if s.op == "copy" or (arrays and self.elementwise(s)):
            tokens = {self.shape_of(a) for a in arrays}
            if len(tokens) == 1 and is_array(self.kinds.get(s.target)):
                self.shape[s.target] = tokens.pop()
        if (
            s.op == "get"
            and is_array(self.kinds.get(s.target))
            and not any(axes(self.inferred.kind(n)) for n in s.names)
        ):
            part = self._part(s)
            if part in self.shape:
                self.shape[s.target] = self.shape[part]
            self.shape[part] = self.shape_of(s.target)
        s.facts["same"] = tuple(
            is_name(a) and axes(self.inferred.kind(a)) > 0 and self.shape_of(a) == self.shape_of(s.target)
            for a in args
        )
