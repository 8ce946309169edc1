"""Shortcuts of rules: what a rule may take for its answer, unless the rule itself is being differentiated.

Inside another derivative a shortcut gives None, and the rule goes its ordinary way, whose steps are
differentiated.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from ..tangents import ZERO
from ..tangents.zeros import NO_TANGENT
from .decorators import frule, rrule

_Function = TypeVar("_Function", bound=Callable[..., Any])


def shortcut(f: _Function) -> _Function:
    """f, which gives None where it is differentiated."""

    def shortcut_frule(tangents: Any, *args: object) -> Any:
        """None, which has no derivative"""
        return None, NO_TANGENT

    def shortcut_rrule(*args: object) -> Any:
        """None, which has no derivative"""
        count = len(args)

        def shortcut_pullback(y_bar: Any) -> Any:
            return (ZERO,) * count

        return None, shortcut_pullback

    frule(f)(shortcut_frule)
    rrule(f)(shortcut_rrule)
    return f
