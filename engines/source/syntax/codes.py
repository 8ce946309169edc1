"""What is known of code objects, each for as long as it lives, and what functions of them captured.

Programs and all that was found out on the way to them belong to the code of a function. A function that is
made in a loop, as by `exec`, takes what is known of it with it when it goes; so no value kept here may
hold on to its own code object.
"""

from __future__ import annotations

import dis
import weakref
from types import CellType, CodeType
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class _Key(weakref.ref[CodeType]):
    """A code object that an entry does not keep alive."""

    __slots__ = ("id",)
    id: int


class ByCode(Generic[T]):
    """A table by code object: by which it is, since equal code may stand in several files."""

    __slots__ = ("_entries",)

    def __init__(self) -> None:
        self._entries: dict[int, tuple[_Key, T]] = {}

    def __setitem__(self, code: CodeType, value: T) -> None:
        key = _Key(code, self._gone)
        key.id = id(code)
        self._entries[key.id] = key, value

    def _gone(self, key: Any) -> None:
        self._entries.pop(key.id, None)

    def get(self, code: CodeType) -> T | None:
        """What is known of this code, None if nothing is."""
        entry = self._entries.get(id(code))
        return None if entry is None else entry[1]

    def pop(self, code: CodeType) -> T | None:
        """The same, which is forgotten."""
        entry = self._entries.pop(id(code), None)
        return None if entry is None else entry[1]

    def __contains__(self, code: CodeType) -> bool:
        return id(code) in self._entries

    def __len__(self) -> int:
        return len(self._entries)

    def clear(self) -> None:
        """Forget everything."""
        self._entries.clear()


def stores(code: CodeType) -> bool:
    """Whether code itself stores into an item or attribute, or assigns in an augmented way."""
    return any(
        i.opname in ("STORE_SUBSCR", "STORE_ATTR", "DELETE_SUBSCR", "DELETE_ATTR", "STORE_SLICE")
        or (i.opname == "BINARY_OP" and i.argrepr.endswith("="))
        for i in dis.get_instructions(code)
    )


def content_of(cell: CellType) -> Any:
    """What a captured variable holds, None where it is not bound yet."""
    try:
        return cell.cell_contents
    except ValueError:
        return None
