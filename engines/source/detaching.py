"""Detaching: a result of a call made free of what the pullback of the call may have kept.

A pullback may keep the value that it was made with. Where the program may change that value later, it
goes on with a copy of the arrays in it; what shares memory in the result does so in the copy, and
arrays that were there before the call stay as they are.
"""

from __future__ import annotations

from collections import deque
from types import ModuleType
from typing import Any

import numpy as np

from ...core import frule, rrule
from ...tangents import NO_TANGENT
from ...tangents.functions import FUNCTIONS
from ...tangents.structure import fields
from .aliases import overlap, plain
from .writing import is_folded

Memo = dict[int, tuple[Any, Any]]
"""What was copied already: by the id of an object, itself and its copy."""
_KEPT = (type, ModuleType, *FUNCTIONS)


def detached(x: Any, *others: Any) -> Any:
    """x, a new result, with copies of its arrays, but for those that share memory with the others.

    An array in which several entries are the same memory stays as it is: a store into it is refused.
    """
    if isinstance(x, np.ndarray):
        return x if is_folded(x) or any(overlap(x, o) for o in others) else x.copy()
    return x if plain(x) else _free(x, others, {})


def _free(x: Any, others: tuple[Any, ...], memo: Memo) -> Any:
    if plain(x) or isinstance(x, _KEPT) or any(x is o for o in others):
        return x
    if id(x) not in memo:
        memo[id(x)] = x, x  # an object stays itself, and one that holds itself is met once
        memo[id(x)] = x, _inside(x, others, memo)
    return memo[id(x)][1]


def _inside(x: Any, others: tuple[Any, ...], memo: Memo) -> Any:
    if isinstance(x, np.ndarray):
        return x if is_folded(x) or any(overlap(x, o) for o in others) else array_copied(x, memo)
    if isinstance(x, tuple):
        items = [_free(v, others, memo) for v in x]
        if all(a is b for a, b in zip(items, x, strict=True)):
            return x
        return type(x)(*items) if hasattr(x, "_fields") else tuple(items)
    if isinstance(x, list | deque):
        for i, value in enumerate(tuple(x)):
            if (new := _free(value, others, memo)) is not value:
                x[i] = new
    elif isinstance(x, dict):
        for key, value in x.items():
            x[key] = _free(value, others, memo)
    elif not (type(x).__module__ or "").startswith("chainrules."):
        for name, value in fields(x).items():
            if (new := _free(value, others, memo)) is not value:
                _set(x, name, new)
    return x


def _set(x: Any, name: str, value: Any) -> None:
    """Set a field of an object, whatever its class does where one is set."""
    if name in getattr(x, "__dict__", ()):
        x.__dict__[name] = value
    else:
        object.__setattr__(x, name, value)


def array_copied(x: np.ndarray[Any, Any], memo: Memo) -> Any:
    """A copy; of a view, the same view of a copy of what it looks at, where that is one piece of memory."""
    base = x.base
    if not isinstance(base, np.ndarray) or not base.flags.forc or not x.size:
        return x.copy("K")
    if id(base) not in memo:
        memo[id(base)] = base, base.copy("K")
    start = x.__array_interface__["data"][0] - base.__array_interface__["data"][0]
    return np.ndarray(x.shape, x.dtype, memo[id(base)][1], start, x.strides)


@frule(detached, complete=True)
def detached_frule(tangents: Any, x: object, *others: object) -> Any:
    """the identity"""
    return detached(x, *others), tangents[0]


@rrule(detached, complete=True)
def detached_rrule(x: object, *others: object) -> Any:
    """the identity"""
    nothing = (NO_TANGENT,) * len(others)

    def detached_pullback(y_bar: Any) -> Any:
        return (y_bar, *nothing)

    return detached(x, *others), detached_pullback
