"""Functions of the keys of a dict, and of ranges, text and sets: of what has no derivative."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...core import frule, rrule
from ...tangents import NO_TANGENT
from .iteration import Bare


def _backwards(x: Any) -> tuple[Any, ...]:
    return tuple(reversed(x))


def of_keys(f: Callable[..., Any], made: Callable[..., Any]) -> None:
    """Register f of what holds nothing with a derivative, as `made` computes it, as without one too."""

    @frule(f)
    def keys_frule(tangents, x: Bare, **options):
        """what f says of the keys"""
        return made(x, **options), NO_TANGENT

    @rrule(f)
    def keys_rrule(x: Bare, **options):
        """what f says of the keys"""

        def keys_pullback(y_bar):
            return NO_TANGENT

        return made(x, **options), keys_pullback


of_keys(reversed, _backwards)
for _f in (sorted, max, min, set, frozenset):
    of_keys(_f, _f)
