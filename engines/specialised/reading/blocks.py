"""Blocks: parts of a text that run as a whole, and the values of them that the backward text may ask for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Line = tuple[int, int, Any]


class Given(Exception):
    """A run that its specialised text does not fit."""


class Block:
    """A part of the text that runs as a whole: the function, a loop's iteration, a branch."""

    def __init__(self, kind: str, outer: Block | None = None) -> None:
        self.kind, self.outer = kind, outer
        self.kept: list[str] = []
        self.versions: dict[Any, Keep] = {}
        self.record = ""

    def chain(self) -> Iterator[Block]:
        """This block and those around it."""
        b: Block | None = self
        while b is not None:
            yield b
            b = b.outer

    @property
    def repeats(self) -> bool:
        """Whether a loop is around it."""
        return any(b.kind == "loop" for b in self.chain())


class Keep:
    """A value of the forward run that the backward text may ask for."""

    def __init__(self, name: str, block: Block) -> None:
        self.name, self.block, self.used = name, block, False

    def use(self) -> str:
        """Its name in the backward text."""
        self.used = True
        if self.name not in self.block.kept:
            self.block.kept.append(self.name)
        return self.name
