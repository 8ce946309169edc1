"""What does a Python loop over entries cost, and does it grow linearly with the length?

The hand-written gradient is the same loop, one entry at a time; `2 * x` would be another program's.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from benchmarks.case import Case

SIZES = (250, 500, 1_000, 2_000, 4_000)
TINY = (5,)
FULLY_COMPARED = 1_000
"""The length at which the slower engines take part too."""


def squares(x: Any) -> Any:
    """The sum of the squares, entry by entry."""
    s = 0.0
    for i in range(x.shape[0]):
        s += x[i] * x[i]
    return s


def by_hand(x: Any) -> tuple[Any, tuple[Any]]:
    """The loop again, with a second one that fills the gradient."""
    s = 0.0
    for i in range(x.shape[0]):
        s += x[i] * x[i]
    x_bar = np.zeros_like(x)
    for i in range(x.shape[0]):
        x_bar[i] += 2 * x[i]
    return s, (x_bar,)


def cases(sizes: tuple[int, ...] = SIZES) -> list[Case]:
    """One case for each length; the lengths only our own growth is measured at leave the others out."""
    rng = np.random.default_rng(1)
    slow = dict.fromkeys(("autograd", "torch", "jax"), "only the growth of our own cost is measured here")
    return [
        Case(
            f"loop over {n:,} entries",
            squares,
            by_hand,
            (rng.normal(size=n),),
            left_out={} if n == FULLY_COMPARED or sizes is TINY else slow,
        )
        for n in sizes
    ]
