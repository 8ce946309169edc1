"""Endless objects: those that would hold themselves, whose tangents have no end.

A tangent of an object is a tree of those of its parts. Two objects that hold one another, as a parent and a
child that knows it, have none; what is stored deep inside one would be missed where the other shows it. So
the store that would close such a ring is refused, where what is stored holds what it is stored in.
"""

from __future__ import annotations

from collections import deque
from types import FunctionType
from typing import Any

import numpy as np

from ....core import AliasedMutationError, non_differentiable
from ....tangents.structure import fields
from ..syntax.where import call_chain, show_chain
from ..values.reaching import plain

_OF_ITEMS = frozenset(("extend", "extendleft", "update"))
"""Methods that put in the items of what they are given, and not that itself: `rows.extend(rows)` ends."""


def ended_by(x: Any, v: Any, by: str = "") -> None:
    """Refuse to put v into x where x is in v already; a method written in Python is left to what it does."""
    if isinstance(getattr(type(x), by, None), FunctionType) or (v is x and by in _OF_ITEMS):
        return
    if isinstance(x, np.ndarray) or plain(v) or isinstance(v, np.ndarray) or not _reaches(v, x):
        return
    raise AliasedMutationError(
        f"a {type(v).__qualname__} is stored in a {type(x).__qualname__} that it holds already, "
        "so its tangent has no end",
        where=show_chain(call_chain()),
        next="objects refer to each other (parent and child): store an id in one of them, or pass the other "
        "where it is needed",
    )


def _reaches(v: Any, x: Any) -> bool:
    pending, seen = [v], set[int]()
    while pending:
        v = pending.pop()
        if v is x:
            return True
        if plain(v) or isinstance(v, np.ndarray | type) or id(v) in seen:
            continue
        seen.add(id(v))
        if isinstance(v, list | tuple | deque):
            pending += v
        else:
            pending += v.values() if isinstance(v, dict) else fields(v).values()
    return False


non_differentiable(ended_by, why="asks what an object holds")
