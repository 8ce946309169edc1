"""Of numbers: how a root of one number moves, where its residual has a program.

One run of it gives the residual, the slope and the derivatives by the parameters. A solve of a number takes
microseconds, so that what is asked beside it counts.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ....core.solutions import fault_of_number
from ....tangents import ZERO
from .ways import PLAIN, Kept


def number_pullback(
    f: Any, at: tuple[Any, ...], kept: Kept, order: Any, value: Any, otherwise: Callable[[Any], Any]
) -> Callable[[Any], Any]:
    """θ̄ = −F_θ x̄ / F_x

    f is w·F(x, …), and `value` F of x alone. `order`: of each cotangent its place among what a run gives.
    `otherwise` answers where there is no run, and says what is wrong with a solution that is none.
    """
    x = at[0]

    def number_pullback(x_bar: Any) -> Any:
        found = kept.ready.gradients(f, kept.all, (x * 0.0 + 1.0, *at))
        if found is None or type(x_bar) not in PLAIN:
            return otherwise(x_bar)
        y, slopes = found
        slope = slopes[0]
        if fault_of_number(value, float(slope), float(y), x)[0] is not None:
            return otherwise(x_bar)
        weight = -x_bar / slope
        return ZERO, *[ZERO if k is None else weight * slopes[k] for k in order]

    return number_pullback
