"""Here: the runs of a thread, and calls for those of them that are further out."""

from __future__ import annotations

import threading
from typing import Any
from weakref import WeakSet


class Here(threading.local):
    """The runs of this thread, the innermost last, and ended ones inside a run, whose pullbacks live."""

    def __init__(self) -> None:
        self.runs: tuple[Any, ...] = ()
        self.ended: WeakSet[Any] = WeakSet()


here = Here()
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
