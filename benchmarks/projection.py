"""What does it cost that every cotangent is brought into the space of its argument?"""

from __future__ import annotations

from typing import Any

import numpy as np
from benchmarks.dispatch import Pair

import chainrules as cr


def pairs(n: int = 10) -> list[Pair]:
    """On vectors of n entries: where there is nothing to do, where numbers are cast, and in a structure."""
    x, t = np.linspace(0.1, 1.0, n), np.linspace(0.2, 2.0, n)
    single, number = x.astype(np.float32), 0.5
    parameters = {"w": x, "b": 0.5}
    cotangent = cr.Composite[dict](parameters)
    project = cr.project_to(x)

    def by_hand() -> Any:
        return {"w": x + t, "b": 0.5 + 0.5}

    return [
        Pair("`project_to(x)(t)`", "`x + t`", lambda: cr.project_to(x)(t), lambda: x + t),
        Pair("its second half", "`x + t`", lambda: project(t), lambda: x + t),
        Pair(
            "`project_to` of a float",
            "`x + t` of floats",
            lambda: cr.project_to(number)(0.25),
            lambda: number + 0.25,
        ),
        Pair(
            "to single precision",
            "`t.astype(…)`",
            lambda: cr.project_to(single)(t),
            lambda: t.astype(np.float32),
        ),
        Pair(
            "a dict of two", "the two sums in a dict", lambda: cr.project_to(parameters)(cotangent), by_hand
        ),
    ]
