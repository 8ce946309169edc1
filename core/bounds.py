"""Bounds: which variables of a minimum they hold, and which are free.

A variable at its bound stays there while its multiplier, the objective's slope into the bound, is not
zero. Where that is zero the derivative is one-sided, and refused. [Fiacco 1976]
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .decorators import non_differentiable
from .errors import NotDifferentiableError

AT_BOUND = 1e-6
"""A variable is at its bound within this share of 1 + |bound|."""

SLOPE = 1e-6
"""A multiplier is zero below this share of the largest slope, or of 1."""


def is_at(x: Any, bound: Any) -> Any:
    """Where a value is at its bound; nothing is at an infinite one."""
    bounded = np.isfinite(bound)
    finite = np.where(bounded, bound, 0.0)
    return bounded & (np.abs(x - finite) <= AT_BOUND * (1 + np.abs(finite)))


def free_by(slopes: Any, at: Any) -> Any:
    """Which variables are free, of the objective's slopes and of which are at their bounds.

    Raises:  NotDifferentiableError where a variable is at a bound and its multiplier is zero.
    """
    sizes = np.abs(slopes)
    weak = at & (sizes <= SLOPE * max(1.0, float(sizes.max())))
    if weak.any():
        raise NotDifferentiableError(
            f"variable {int(np.argmax(weak))} of the minimum is at its bound with a multiplier of zero, "
            "so its "
            "derivative is one-sided",
            next="move the bound or the start a little, or leave the bound out where it does not act",
        )
    return ~at


non_differentiable(is_at, free_by, why="returns truth values")
