"""What does finding a rule cost, beside what the rule computes? And what does `add` cost beside `+`?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import chainrules as cr


class Pair(NamedTuple):
    """Something of ours, and the bare NumPy that it stands beside."""

    name: str
    bare_name: str
    ours: Callable[[], Any]
    bare: Callable[[], Any]


def pairs(n: int = 10) -> list[Pair]:
    """Each on vectors of n entries."""
    x, y, seed = np.linspace(0.1, 1.0, n), np.linspace(0.2, 2.0, n), np.ones(n)
    _, pullback = cr.vjp(np.sin, x)

    def sum_of_sin(x: Any) -> Any:
        return np.sum(np.sin(x))

    gradient = cr.grad(sum_of_sin)
    return [
        Pair("`apply_rrule(np.sin, x)`", "`np.sin(x)`", lambda: cr.apply_rrule(np.sin, x), lambda: np.sin(x)),
        Pair("its pullback", "`seed * np.cos(x)`", lambda: pullback(seed), lambda: seed * np.cos(x)),
        Pair("`add(x, y)`", "`x + y`", lambda: cr.add(x, y), lambda: x + y),
        Pair("`grad` of `sum(sin(x))`", "`sum(sin(x)), cos(x)`", lambda: gradient(x), lambda: _by_hand(x)),
    ]


def _by_hand(x: Any) -> Any:
    return np.sum(np.sin(x)), np.cos(x)
