"""Still: what does not vary and was computed with cannot be changed until the forward run has ended.

A pullback keeps such an array. Where the program is seen to change it later, the pullback keeps a copy. All
other arrays are made read-only here, once a rule was called with them, and given back when the run ends. So a
change that nobody could see, as by a function that writes to a global array or through another object that
holds it, fails at its own line, rather than change what a pullback will use. Nothing is copied.
"""

from __future__ import annotations

import operator
import threading
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ..reading.opaque import mutates

Kept = dict[int, np.ndarray[Any, Any]]
"""Arrays by their ids."""


class _Run(threading.local):
    kept: Kept | None = None  # outside of runs nothing is kept still

    def __init__(self) -> None:
        self.locked: set[int] = set()  # the ids of arrays that are locked for a call: see locks
        self.under: set[int] = set()  # of those that are kept because another, which is kept, looks at them
        self.looked_through: dict[int, Any] = {}  # by their ids, what was found in large containers


_run = _Run()
_WRITEABLE = 0x0400  # NumPy's NPY_ARRAY_WRITEABLE
_left: list[np.ndarray[Any, Any]] = []  # what another thread still kept when it was to be given back
_KEEPING_NOTHING = ("chainrules.", "itertools")  # whose rules read no values again


def is_writeable(x: np.ndarray[Any, Any]) -> bool:
    """Whether an array may be written; asked by name, arrays of `np.broadcast_arrays` would warn."""
    return bool(x.flags.num & _WRITEABLE)


def keep_still(x: np.ndarray[Any, Any]) -> None:
    """Make an array, and what it looks at, read-only until the run ends."""
    kept = _run.kept
    if kept is None:
        return
    base = x.base
    if base is None or id(base) in kept:
        if is_writeable(x) or id(x) in _run.locked:
            x.flags.writeable = False
            kept[id(x)] = x
        elif _run.under:
            _run.under.discard(id(x))
    elif can_be_given_back(used := x):
        while isinstance(x, np.ndarray):
            if is_writeable(x) or id(x) in _run.locked:
                x.flags.writeable = False
                kept[id(x)] = x
                if x is not used:
                    _run.under.add(id(x))
            x = x.base  # type: ignore[assignment]  # None, or the memory of another library


def is_still(x: np.ndarray[Any, Any]) -> bool:
    """Whether an array cannot be written now until the run ends."""
    keep_still(x)
    return not is_writeable(x)


def can_be_given_back(x: Any) -> bool:
    """Whether an array may be made writeable again: what it looks at is, or this run made it read-only."""
    while isinstance(x, np.ndarray):
        if not is_writeable(x) and id(x) not in _run.locked and not is_kept(x):
            return False
        x = x.base
    try:
        return x is None or not memoryview(x).readonly
    except TypeError:  # the memory of another library
        return False


def keeps_any() -> bool:
    """Whether this run keeps anything still."""
    return bool(_run.kept)


def looked_through() -> dict[int, Any]:
    """What a run notes of large containers that it looked through; nothing of it outlives the run."""
    return _run.looked_through


def is_kept(x: Any) -> bool:
    """Whether this run keeps an array still."""
    return _run.kept is not None and id(x) in _run.kept


def shows_kept(x: np.ndarray[Any, Any]) -> bool:
    """Whether an array that can be written is a part of the memory of one that this run keeps still."""
    kept = _run.kept
    if not kept or x.base is None or id(x) in kept or id(_memory_of(x)) not in kept:
        return False
    used = (y for i, y in kept.items() if i not in _run.under)
    return any(np.may_share_memory(x, y) and np.shares_memory(x, y) for y in used)


def _memory_of(x: Any) -> Any:
    """The array that a view is one of, in the end."""
    while isinstance(x, np.ndarray) and x.base is not None:
        x = x.base
    return x


def locked() -> set[int]:
    """The ids of the arrays that are locked for a call on this thread."""
    return _run.locked


def begin() -> Kept | None:
    """Begin a run; the answer is what `end` takes."""
    outer, _run.kept = _run.kept, {}
    return outer


def end(outer: Kept | None) -> list[np.ndarray[Any, Any]]:
    """End a run: give everything back, which is the answer."""
    kept, _run.kept = _run.kept or {}, outer
    if _run.looked_through:
        _run.looked_through.clear()
    if not kept:
        return []
    _run.under.difference_update(kept)
    waiting = [*_left, *(x for x in kept.values() if id(x) not in _run.locked)]
    _left.clear()
    for x in sorted(waiting, key=depth):
        try:
            x.flags.writeable = True
        except ValueError:
            _left.append(x)
    return list(kept.values())


def depth(x: Any) -> int:
    """How many arrays an array is a view of."""
    found = 0
    while isinstance(x, np.ndarray) and x.base is not None:
        x, found = x.base, found + 1
    return found


def keeping_still(
    f: Any,
    rule: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any],
    needs: tuple[bool, ...],
) -> Callable[..., Any]:
    """The rule, after whose calls the arrays among these operands that do not vary are kept still.

    Not so where the rule, or a helper of this library, writes into what it is given, nor of an index,
    which is copied, nor of what an iterator goes over, of which a pullback wants the lengths.
    """
    if (
        mutates(rule)
        or f is operator.getitem
        or (getattr(f, "__module__", None) or "").startswith(_KEEPING_NOTHING)
    ):
        return rule
    n = len(args)
    places = [i for i, x in enumerate(args) if not needs[i] and type(x) is np.ndarray]
    words = [k for i, (k, x) in enumerate(kwargs.items()) if not needs[n + i] and type(x) is np.ndarray]
    if not places and not words:
        return rule
    guarded: Any = _second(rule) if places == [1] and n == 2 and not kwargs else _any(rule, places, words)
    guarded.guards = rule, places, words
    return guarded  # type: ignore[no-any-return]  # a function


def before_rule(rule: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """The rule itself, whose body is going to be differentiated; what it would keep still is so already."""
    rule, places, words = getattr(rule, "guards", (rule, (), ()))
    for x in (*(args[i] for i in places), *(kwargs[k] for k in words)):
        keep_still(x)
    return rule


def _second(rule: Callable[..., Any]) -> Callable[..., Any]:
    def call(a: Any, b: Any) -> Any:
        answer = rule(a, b)
        keep_still(b)
        return answer

    return call


def _any(rule: Callable[..., Any], places: list[int], words: list[str]) -> Callable[..., Any]:
    def call(*values: Any, **named: Any) -> Any:
        answer = rule(*values, **named)
        for i in places:
            keep_still(values[i])
        for k in words:
            keep_still(named[k])
        return answer

    return call
