"""Known: what is known of one function's calls, and until when that counts."""

from __future__ import annotations

from types import CodeType
from typing import Any

Variant = Any
"""What is known of the calls with arguments of the same kinds (entry.py)."""


class Stamp:
    """What was written before a rule was registered does not hold."""

    def __init__(self) -> None:
        self.value = 0

    def clear(self) -> None:
        """Let nothing hold any more."""
        self.value += 1


class Known(dict[Any, Variant]):
    """The variants of one function, by kinds; it belongs to the function, and goes with it."""

    def __init__(self, code: CodeType | None = None, owner: int = 0, stamp: int = -1) -> None:
        super().__init__()
        self.code, self.owner, self.stamp = code, owner, stamp
        self.count = -1 if code is None or code.co_kwonlyargcount else code.co_argcount
        self.latest: Variant | None = None  # of those that have tests the one that was found last
        self.listed = False  # whether arguments hold lists of objects that are told by their kinds

    def __reduce__(self) -> Any:
        return Known, ()
