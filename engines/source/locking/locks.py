"""Locks: arrays that a pullback may have kept are read-only while a function that could write to them runs.

What the store analysis cannot see is what a called function does with its arguments. So an array
that was computed with before is locked for the time of the call, and a store into it fails there,
at its own line, rather than change what a pullback will use. Nothing is copied. A view that such a call
gives is read-only for no other reason, and is given back with what it looks at.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterable
from contextlib import suppress
from types import CellType, FunctionType, TracebackType
from typing import Any

import numpy as np

from ....core.decorators import non_differentiable
from ....core.errors import AliasedMutationError
from ..syntax.where import show
from .frozen import begin, can_be_given_back, depth, end, is_kept, is_writeable, keeps_any, locked, shows_kept

_HOLDING = (list, tuple, deque, dict, FunctionType)
_EMPTY = CellType()


class _Held(threading.local):
    def __init__(self) -> None:
        self.arrays: list[np.ndarray[Any, Any]] = []
        self.kept = 0  # how many arrays were made read-only for good
        self.once: dict[Any, Any] = {}  # what cached properties gave in the program that runs


_held = _Held()


def lock(*values: Any) -> int:
    """Make the arrays among these values read-only; the answer is what `unlock` takes."""
    before = len(_held.arrays)
    if any(type(x) is not np.ndarray for x in values):
        values = tuple(_arrays_in(values))
    for x in values:
        if isinstance(x, np.ndarray) and is_writeable(x) and can_be_given_back(x):
            x.flags.writeable = False
            _held.arrays.append(x)
            locked().add(id(x))
    return before


def _arrays_in(values: tuple[Any, ...]) -> list[Any]:
    """The arrays among values, and in their containers, however many they are.

    Of what a function captured, those that are parts of what is kept still: others may be its own.
    """
    found: list[Any] = []
    pending, seen = deque((x, False) for x in values), set[int]()
    while pending:
        x, captured = pending.popleft()
        if isinstance(x, np.ndarray):
            if not captured or shows_kept(x):
                found.append(x)
        elif isinstance(x, _HOLDING) and id(x) not in seen:
            seen.add(id(x))
            captured = captured or isinstance(x, FunctionType)
            pending += [(v, captured) for v in _inside(x) if type(v) is not float]
    return found


def _inside(x: Any) -> Iterable[Any]:
    """What a container holds, or what a function captured."""
    if isinstance(x, FunctionType):
        return [c.cell_contents for c in x.__closure__ or () if c != _EMPTY]
    return x.values() if isinstance(x, dict) else x


def unlock(before: int, *results: Any) -> None:
    """Give back what was locked since, and the views of it among these results.

    A view can only be given back when what it looks at has been: with that, where an outer call locked it.
    """
    mine, every = _held.arrays[before:], locked()
    del _held.arrays[before:]
    for x in sorted(mine, key=depth):
        every.discard(id(x))
        if is_kept(x):  # until the run ends
            continue
        try:
            x.flags.writeable = True
        except ValueError:
            _held.arrays.append(x)
    for y in results if mine else ():
        _give_back(y, [x for x in mine if is_writeable(x)])


def _give_back(y: Any, locked: list[np.ndarray[Any, Any]]) -> None:
    """Let the views of what was locked be written: a result, or those in a tuple, list or dict."""
    if isinstance(y, tuple | list | dict):
        for part in y.values() if isinstance(y, dict) else y:
            _give_back(part, locked)
    elif (
        isinstance(y, np.ndarray)
        and not is_writeable(y)
        and not _repeats(y)
        and any(y.size <= x.size and np.may_share_memory(y, x) for x in locked)
    ):
        with suppress(ValueError):  # NumPy lets nobody write into some views, as of as_strided
            y.flags.writeable = True


def _repeats(y: Any) -> bool:
    """Whether an array shows an entry of what it looks at more than once, as a broadcast one does."""
    return any(step == 0 and count > 1 for step, count in zip(y.strides, y.shape, strict=True))


def read_only(x: Any) -> Any:
    """x, where it is an array as one that cannot be written: what cached properties give."""
    if isinstance(x, np.ndarray):
        x = x.view()
        x.flags.writeable = False
        _held.kept += 1
    return x


def computed_once() -> dict[Any, Any]:
    """What cached properties gave since the program began to run, each with its owner."""
    return _held.once


def is_computed_once(x: np.ndarray[Any, Any]) -> bool:
    """Whether a cached property gave this array, or what it is a view of."""
    if is_writeable(x) or not _held.once:
        return False
    given = [v for _, v in _held.once.values() if isinstance(v, np.ndarray)]
    return any(np.may_share_memory(x, v) for v in given)


class locks_released:  # noqa: N801  used as a function, like those of contextlib
    """However the program ends, every array is given back; a store into a locked one says what it is.

    `result`: what the program returned, whose views of what was locked are given back too.
    """

    __slots__ = ("before", "kept", "once", "result", "still")

    def __enter__(self) -> locks_released:
        self.before, self.kept = len(_held.arrays), _held.kept
        self.once, _held.once = _held.once, {}
        self.still, self.result = begin(), None
        return self

    def __exit__(self, kind: Any, error: BaseException | None, traceback: TracebackType | None) -> None:
        refused = failed_store(error)
        _held.once = self.once
        still, cached = end(self.still), _held.kept > self.kept
        if not (still or cached or len(_held.arrays) > self.before):
            return
        unlock(self.before)
        _give_back(self.result, still)
        if refused is not None:
            raise refused from error


def failed_store(error: BaseException | None) -> AliasedMutationError | None:
    """What to say of an error, where that is of a store into an array that was made read-only here."""
    if not (isinstance(error, ValueError) and "read-only" in str(error)):
        return None
    if not (keeps_any() or _held.arrays or _held.once):
        return None
    return AliasedMutationError(
        "an array is changed in place after it was used in the computation"
        if keeps_any() or not _held.once
        else "what a cached property gave is changed in place",
        where=_users_line(error.__traceback__),
        next="compute with a copy, as in `f(w.copy())`, or make a new array in place of the change",
    )


def _users_line(traceback: TracebackType | None) -> str:
    """The innermost line that is not of this library."""
    place: tuple[str, int, None, None] | None = None
    while traceback is not None:
        if (traceback.tb_frame.f_globals.get("__name__") or "").partition(".")[0] != "chainrules":
            place = traceback.tb_frame.f_code.co_filename, traceback.tb_lineno, None, None
        traceback = traceback.tb_next
    return "" if place is None else f"at {show(place)}"


non_differentiable(lock, unlock, why="keep arrays as they are")
