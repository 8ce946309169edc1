"""Bringing effects out of nested derivatives.

Where an operator's call is differentiated itself, as in a Hessian, a function that changes its arguments runs
on copies. What it changed is done to the user's objects when the outermost call ends, since operators look at
the arguments' structure alone until then. Where a function of the user's makes the call it may go on with
these objects: what carries no derivative, a counter, is changed there at once; what may carry one is refused,
since nobody follows that change into the outer derivative.
"""

from __future__ import annotations

import sys
import threading
from types import CodeType, FrameType
from typing import Any

from ....core.callables import describe, name_of
from ....core.errors import AliasedMutationError
from ...returned import Returned
from ..syntax.where import call_chain, show_chain

_PACKAGE = __name__.partition(".")[0]
ENTRIES: set[CodeType] = set()
"""The code of the engine's functions at which a run from outside begins."""


class _Waiting(threading.local):
    def __init__(self) -> None:
        self.runs: list[Returned] = []


_waiting = _Waiting()


def waiting() -> int:
    """How many runs wait now; the answer is what `bring` takes."""
    return len(_waiting.runs)


def bring(before: int) -> None:
    """Do to the user's objects what the runs did to copies that have come to wait since."""
    while len(_waiting.runs) > before:
        _waiting.runs.pop(before).bring()


def ran(f: Any, returned: Returned) -> None:
    """A run on copies has ended: bring what it changed, now or with the outermost call; or refuse."""
    if not _within_users():
        _waiting.runs.append(returned)
        return
    carrying = returned.carries()
    if carrying is not None:
        raise AliasedMutationError(
            f"{name_of(f)} changes {describe(carrying)} while its derivative is differentiated, and the "
            "function that asks for it may use what is changed",
            where=show_chain(call_chain()),
            closest="a counter, or anything else without a derivative, may be changed there",
            next="differentiate a function that works on a copy, as in `lambda u: f(u.copy())`",
        )
    returned.bring()


def _is_entry(code: CodeType) -> bool:
    """Whether this is among them; the code of other libraries need not have a hash."""
    return any(code is entry for entry in ENTRIES)


def is_outermost() -> bool:
    """Whether one run from outside is going on, not one inside another."""
    frame: FrameType | None = sys._getframe(1)
    runs = 0
    while frame is not None and runs < 2:
        runs += _is_entry(frame.f_code)
        frame = frame.f_back
    return runs == 1


def _within_users() -> bool:
    """Whether a function of the user's stands between the engine and the operator that runs."""
    frame: FrameType | None = sys._getframe(2)
    while frame is not None:
        if _is_entry(frame.f_code):
            return False
        if frame.f_globals.get("__name__", "").partition(".")[0] != _PACKAGE:
            return True
        frame = frame.f_back
    return True
