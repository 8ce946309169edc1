"""Which entries of arrays are written while a call runs, noted for the call that asks (`memory/released.py`).

What an array holds after a call does not tell: a store may put the number there that was there before, with
another derivative.
"""

from __future__ import annotations

import weakref
from typing import Any

import numpy as np

noted: dict[int, weakref.ref[Note]] = {}
"""The notes that somebody still holds, by id; empty almost always, which is all that a store looks at."""


class Note:
    """The arrays that were written into since the note was made."""

    def __init__(self) -> None:
        self.written: list[np.ndarray[Any, Any]] = []
        key = id(self)
        noted[key] = weakref.ref(self, lambda _: noted.pop(key, None))

    def close(self) -> None:
        """Note no more."""
        noted.pop(id(self), None)


def told(x: Any, key: Any = ...) -> None:
    """Tell the open notes that entries of an array are written: those at a key, or all."""
    if not noted or not isinstance(x, np.ndarray):
        return
    entries = x if key is ... else _entries(x, key)
    for held in list(noted.values()):
        note = held()
        if note is not None:
            note.written.append(entries)


def _entries(x: np.ndarray[Any, Any], key: Any) -> np.ndarray[Any, Any]:
    """A view of the entries at a key, of one as well; the whole array where the key picks a copy."""
    try:
        part = x[(*key, ...) if isinstance(key, tuple) else (key, ...)]
    except IndexError:  # a key that has an ellipsis of its own
        part = x[key]
    return part if isinstance(part, np.ndarray) and np.may_share_memory(part, x) else x
