"""The garbage collector rests while a program is made.

Nearly everything that is made then stays: trees, code and what nodes remember. Looking through it again
and again finds nothing to free and takes longer than some of the analyses.
"""

from __future__ import annotations

import functools
import gc
from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")
_resting = False


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
        gc.enable()
