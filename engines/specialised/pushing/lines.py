"""Lines: a pushforward as it is written, its lines, and the names that are its own."""

from __future__ import annotations

from typing import Any

from ..reading.texts import Text, bare
from .varying import Varying


class Lines:
    """What is written from one text."""

    ending = "_dot"

    def __init__(self, text: Text, varying: Varying, stretched: set[str]) -> None:
        self.text, self.varying, self.stretched = text, varying, stretched
        self.scope = text.scope
        self.helpers = dict(self.scope.helpers)
        self.end = self.ending
        while any(n.endswith(self.end) for n in self.scope.names):
            self.end += "_"
        self.count = 0
        self.lines: list[str] = []
        self.depth = 1

    # names and lines

    def put(self, line: str) -> None:
        """A line of the text."""
        self.lines.append("    " * self.depth + line)

    def fresh(self) -> str:
        """A name that nothing in the text has."""
        self.count += 1
        while f"v{self.count}_" in self.scope.names:
            self.count += 1
        return f"v{self.count}_"

    def bind(self, value: Any) -> str:
        """The name of an object of the text's own."""
        for n, v in self.helpers.items():
            if v is value:
                return n
        kind = getattr(value, "__name__", "c")
        kind = kind if kind.isidentifier() else "c"
        while f"{kind}{self.end}" in self.helpers or kind in self.scope.names:
            kind += "_"
        name = f"{kind}{self.end}"
        self.helpers[name] = value
        return name

    def let(self, text: str) -> str:
        """A variable for an expression; a name or a number stands for itself."""
        text = bare(text)
        if text.isidentifier() or text.replace(".", "", 1).isdigit():
            return text
        name = self.fresh()
        self.put(f"{name} = {text}")
        return name
