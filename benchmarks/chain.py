"""How much does an operation cost? A chain of 50 elementwise operations on vectors from 1 to 100,000 entries.

On a short vector the overhead of an engine is all there is; on a long one NumPy's own work hides it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from benchmarks.case import Case

SIZES = (1, 10, 1_000, 100_000)
TINY = (3,)


def chain(x: Any) -> Any:
    """Ten times five operations, then a sum."""
    for _ in range(10):
        x = np.sin(x)
        x = x * 1.2
        x = np.tanh(x)
        x = np.exp(x)
        x = x - 1.0
    return np.sum(x)


def by_hand(x: Any) -> tuple[Any, tuple[Any]]:
    """The chain rule, written out: what a careful person would type."""
    kept = []
    for _ in range(10):
        t = np.tanh(np.sin(x) * 1.2)
        e = np.exp(t)
        kept.append((x, t, e))
        x = e - 1.0
    x_bar = np.ones_like(x)
    for x_in, t, e in reversed(kept):
        x_bar = x_bar * e
        x_bar = x_bar * (1 - t * t)
        x_bar = x_bar * 1.2
        x_bar = x_bar * np.cos(x_in)
    return np.sum(x), (x_bar,)


def cases(sizes: tuple[int, ...] = SIZES) -> list[Case]:
    """One case for each length of the vector."""
    rng = np.random.default_rng(0)
    return [Case(f"50 operations, n = {n:,}", chain, by_hand, (rng.normal(size=n),)) for n in sizes]
