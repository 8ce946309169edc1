"""Anew: objects that a lifted function captured, made in its text of what they are made of.

    def lifted_(given0_, held0_, held1_, held2_):
        whole0_ = holding_anew(held0_, ("c", "x"), held1_, held2_)       a spline of SciPy's
        def made0_(t): return whole0_(t)
        return made0_(given0_)

So what they hold is among the function's arguments. A recorded run knows these functions, and makes tuples.
"""

from __future__ import annotations

import copy
from typing import Any

from ....core import frule, non_differentiable, rrule
from ....core.holdings import note_holding
from ....tangents import ZERO
from .held import Held
from .objects import object_anew
from .templates import Leaf, Parts


def holding_anew(raw: Held, names: tuple[str, ...], *values: Any) -> Any:
    """An object like the one that a library made, which holds these values under these names."""
    y = copy.copy(raw.made)
    for name, v in zip(names, values, strict=True):
        setattr(y, name, v)
        if getattr(y, name) is not v:
            raise AttributeError(f"{name} of a {type(y).__name__}")
    note_holding(y, names, values)
    return y


def still_anew(raw: Held) -> Any:
    """What a library made, which does not vary."""
    return raw.made


non_differentiable(still_anew, why="gives what does not vary")


def _register(make: Any) -> None:
    @frule(make)
    def anew_frule(tangents: Any, of: object, names: Any, *values: object) -> Any:
        """ẏ has the tangents of the values"""
        y = make(of, names, *values)
        return y, Parts(type(y), names, (Leaf(),) * len(values)).tangent(iter(tangents[2:]))

    @rrule(make)
    def anew_rrule(of: object, names: Any, *values: object) -> Any:
        """Each value's cotangent is what ȳ has under its name"""
        y = make(of, names, *values)
        parts = Parts(type(y), names, (Leaf(),) * len(values))

        def anew_pullback(y_bar: Any) -> Any:
            return ZERO, ZERO, *parts.spread(y_bar)

        return y, anew_pullback


_register(holding_anew)
_register(object_anew)
