"""Methods that change sets: what is put into a set or taken out has no derivative.

Numbers that are differentiated are refused: a set of them would lose their derivatives.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...core import NotDifferentiableError, frule, rrule
from ...tangents import NO_TANGENT

Bare = bool | int | str | bytes | np.integer | None
Key = Bare | tuple | frozenset
"""What has no derivative and may be in a set; a tuple only if what is in it has none."""


def is_key(x: Any) -> bool:
    """Whether what is put into a set is known to have no derivative."""
    return all(map(is_key, x)) if isinstance(x, tuple | frozenset) else isinstance(x, Bare)


def _register(f: Callable[[Any, Any], Any]) -> None:
    def hold(key: Any) -> None:
        if not is_key(key):
            raise NotDifferentiableError(
                f"set.{f.__name__} of what is differentiated",
                closest="a list, or a set of the places at which they stand",
                next="put the places into the set, and read the numbers where they stand",
            )

    @frule(f)
    def key_frule(tangents, self: set, key: Key):
        """the set is another, without a derivative"""
        hold(key)
        return f(self, key), NO_TANGENT

    @rrule(f)
    def key_rrule(self: set, key: Key):
        """the set is another, without a derivative"""
        hold(key)

        def key_pullback(y_bar):
            return NO_TANGENT, NO_TANGENT

        return f(self, key), key_pullback


_register(set.add)
_register(set.discard)
_register(set.remove)
