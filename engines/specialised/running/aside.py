"""Aside: the functions that choose or learn a program do nothing inside a derivative.

What is differentiated there is the ordinary program, and nothing is noted of its run.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ....core.registry import register
from ....tangents import NO_TANGENT, ZERO
from ...following.natives import RECIPES


def stands_aside(f: Callable[..., Any]) -> None:
    """Let f be None where it is differentiated, by none of its arguments, and not run."""
    count = f.__code__.co_argcount
    nothing = (ZERO,) * count

    def aside_frule(tangents: Any, *x: Any) -> Any:
        return None, NO_TANGENT

    def aside_rrule(*x: Any) -> Any:
        return None, lambda y_bar: nothing

    register(f, aside_frule, "forward", types=(object,) * count)
    register(f, aside_rrule, "reverse", types=(object,) * count)
    RECIPES[f] = lambda *x: None
