"""`by_last`: both modes of a function whose last argument alone has a derivative.

The others are whole numbers, which have none, or orders by which there is no rule. The function returns
an array or a tuple of arrays, and a number or an array as its last argument; the table gives the slopes
in the same form.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ....core import Array, unbroadcast
from ....core.registry import Mode, register
from ....core.seeds import ready
from ....tangents import NO_TANGENT, ZERO, Composite, is_zero


def by_last(f: Callable[..., Any], count: int, slopes: Callable[..., Any], others: Any = NO_TANGENT) -> None:
    """Register both rules of f; `slopes(y, *x)` is the derivative of y by the last of `count` arguments.

    `others` is what the other arguments have for a cotangent.
    """

    def last_frule(tangents: Any, *x: Any) -> Any:
        y = f(*x)
        for t in tangents[:-1]:
            if not is_zero(t) and others is not NO_TANGENT:
                return y, others
        if is_zero(tangents[-1]):
            return y, ZERO
        moved = slopes(y, *x)
        if not isinstance(y, tuple):
            return y, np.multiply(moved, tangents[-1])
        pushed = tuple([np.multiply(part, tangents[-1]) for part in moved])
        return y, Composite[tuple](*pushed)

    def last_rrule(*x: Any) -> Any:
        y = f(*x)

        def last_pullback(y_bar: Any) -> Any:
            moved = slopes(y, *x)
            if not isinstance(y, tuple):
                return (others,) * (count - 1) + (_pulled(ready(y_bar), moved, x[-1]),)
            total: Any = ZERO
            for i in range(len(y)):
                seed = ready(y_bar[i])
                if not is_zero(seed):
                    total = total + _pulled(seed, moved[i], x[-1])
            return (others,) * (count - 1) + (total,)

        return y, last_pullback

    rules: tuple[tuple[Any, Mode], ...] = ((last_frule, "forward"), (last_rrule, "reverse"))
    for rule, mode in rules:
        rule.__name__ = rule.__qualname__ = f"{f.__name__}_{mode[0]}rule"
        register(f, rule, mode, types=(Array,) * count)


def _pulled(seed: Any, slope: Any, x: Any) -> Any:
    return unbroadcast(np.conj(slope) * seed, np.shape(x))
