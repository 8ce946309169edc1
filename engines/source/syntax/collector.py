"""The garbage collector rests while a program is made.

Nearly everything that is made then stays: trees, code and what nodes remember. Looking through it again
and again finds nothing to free and takes longer than some of the analyses. So when it wakes, what was
made counts as old at once, as if it had been looked through. Python looks at old objects when enough of
them are new, by a count that knows nothing of these; so they are counted here, and it is asked to.
"""

from __future__ import annotations

import functools
import gc
import sys
from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")
_FEW = 400_000
"""New objects below which old ones are not looked through: those of some twenty programs."""
_BLOCKS = 3
"""Blocks of memory for each object that the collector knows, about: `gc.get_objects` would hold them all.

A tuple that another thread is filling may not be held by anybody.
"""
_resting = False
_new, _enough = 0, _FEW  # objects that count as old since all were looked through, and how many are enough


def collector_resting(f: Callable[P, T]) -> Callable[P, T]:
    """f, with the collector switched off while it runs, if it is on."""

    @functools.wraps(f)
    def resting(*args: P.args, **kwargs: P.kwargs) -> T:
        if not gc.isenabled():
            return f(*args, **kwargs)
        gc.disable()
        try:
            return f(*args, **kwargs)
        finally:
            _settle()
            gc.enable()

    return resting


def rest() -> None:
    """Switch the collector off, if it is on, until the program that is going to be made runs."""
    global _resting
    if gc.isenabled():
        gc.disable()
        _resting = True


def wake() -> None:
    """Switch it on again, if it was `rest` that switched it off."""
    global _resting
    if _resting:
        _resting = False
        _settle()
        gc.enable()


def _settle() -> None:
    """Let all young objects count as old."""
    global _new, _enough
    _new += gc.get_count()[0]
    if _new > _enough:
        gc.collect()
        _new, _enough = 0, max(_FEW, sys.getallocatedblocks() // _BLOCKS)
    elif not gc.get_freeze_count():  # else objects of the user's would come back
        gc.freeze()
        gc.unfreeze()
