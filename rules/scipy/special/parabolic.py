"""Parabolic cylinder functions by their argument, from their equations; by their order there is no rule.

y″ = (x²/4 − v − ½) y for D_v and V_v (DLMF 12.2.4), W″ = −(x²/4 − a) W (12.14.1). The sequences are those
of the orders v₀, v₀ + 1, …, v with v₀ = v − ⌊v⌋; for a negative v SciPy's last slope is not one, and the
derivative is refused.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special

from ....core import UnsupportedArgument, non_differentiable
from ....tangents import NotImplementedTangent
from .last_argument import by_last
from .outputs import outputs_rule

NO_ORDER = NotImplementedTangent("parabolic cylinder functions by their order")

for f in (special.pbdv, special.pbvv):
    outputs_rule(
        f,
        [NO_ORDER, lambda ys, v, x: ys[1]],
        [NO_ORDER, lambda ys, v, x: (x * x / 4 - v - 0.5) * ys[0]],
    )
outputs_rule(
    special.pbwa,
    [NO_ORDER, lambda ys, a, x: ys[1]],
    [NO_ORDER, lambda ys, a, x: (a - x * x / 4) * ys[0]],
)


def orders(f: Any, v: float, count: int) -> Any:
    """The orders of a sequence that ends with v."""
    if v < 0:
        why = "SciPy's last derivative of such a sequence is 0, and not the derivative"
        raise UnsupportedArgument(f, "v", v, why=why, next="call pbdv or pbvv for each order")
    return v - int(v) + np.arange(count)


def whole_orders(n: int, z: Any, count: int) -> Any:
    """0, 1, … or 0, −1, …, as n is positive or negative."""
    if n >= 0 and np.imag(z) != 0:
        why = "SciPy's values there are wrong: D₀ is exp(−z²/4), and it returns a real number"
        raise UnsupportedArgument(
            special.pbdn_seq, "z", z, why=why, next="write exp(−z²/4) and the recurrence"
        )
    return np.arange(count) * (1 if n >= 0 else -1)


non_differentiable(orders, whole_orders, why="computes with orders")


def _sequence(f: Any) -> None:
    def slopes(y: Any, v: Any, x: Any) -> Any:
        return y[1], (x * x / 4 - orders(f, v, len(y[0])) - 0.5) * y[0]

    by_last(f, 2, slopes, NO_ORDER)


_sequence(special.pbdv_seq)
_sequence(special.pbvv_seq)
by_last(
    special.pbdn_seq,
    2,
    lambda y, n, z: (y[1], (z * z / 4 - whole_orders(n, z, len(y[0])) - 0.5) * y[0]),
)
