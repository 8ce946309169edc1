"""Here: the runs of a thread, and calls for those of them that are further out."""

from __future__ import annotations

import sys
import threading
from types import CodeType, FrameType
from typing import Any
from weakref import WeakSet


class Here(threading.local):
    """The runs of this thread, the innermost last, and ended ones inside a run, whose pullbacks live."""

    def __init__(self) -> None:
        self.runs: tuple[Any, ...] = ()
        self.alone: tuple[Any, ...] = ()  # functions that are followed although they have rules
        self.ended: WeakSet[Any] = WeakSet()


here = Here()
twins: set[int] = set()
"""The codes of functions that run in place of the user's, by identity."""


def place() -> tuple[CodeType, int] | None:
    """The code of the followed function that runs, and the instruction that it is at."""
    frame: FrameType | None = sys._getframe(3)  # below those of a site
    while frame is not None:
        if id(frame.f_code) in twins:
            return frame.f_code, frame.f_lasti
        frame = frame.f_back
    return None


followed: Any = None
"""calls.py: a call that the runs of now see."""


def below(runs: tuple[Any, ...], f: Any, *args: Any, **kwargs: Any) -> Any:
    """A call that these runs see, and no others."""
    before = here.runs
    here.runs = runs
    try:
        return followed(f, *args, **kwargs) if runs else f(*args, **kwargs)
    finally:
        here.runs = before


def _none(f: Any, args: tuple[Any, ...]) -> Any:
    return NotImplemented


part: Any = _none
"""parts.py of specialised programs: a call by a program of the function alone; NotImplemented without one."""
