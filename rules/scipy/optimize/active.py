"""Which bounds hold a minimum: the variables that are free, and those that stay at their bounds.

A variable at its bound stays there while its multiplier, the objective's slope into the bound, is not
zero. Where that is zero the derivative is one-sided, and refused. [Fiacco 1976]
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import optimize

from ....core import NotDifferentiableError, non_differentiable
from ....core.residuals import gradient_of

AT_BOUND = 1e-6
"""A variable is at its bound within this share of 1 + |bound|."""

SLOPE = 1e-6
"""A multiplier is zero below this share of the largest slope, or of 1."""


def bounds_of(bounds: Any, n: int) -> tuple[Any, Any]:
    """Lower and upper bounds as vectors, infinite where there is none."""
    if bounds is None:
        return np.full(n, -np.inf), np.full(n, np.inf)
    if isinstance(bounds, optimize.Bounds):
        return np.broadcast_to(bounds.lb, n), np.broadcast_to(bounds.ub, n)
    lower = [-np.inf if low is None else low for low, _ in bounds]
    upper = [np.inf if high is None else high for _, high in bounds]
    return np.array(lower), np.array(upper)


def is_at(x: Any, bound: Any) -> Any:
    """Where a value is at its bound; nothing is at an infinite one."""
    finite = np.where(np.isfinite(bound), bound, 0.0)
    return np.isfinite(bound) & (np.abs(x - finite) <= AT_BOUND * (1 + np.abs(finite)))


def free_of(objective: Any, x: Any, parameters: Any, lower: Any, upper: Any) -> Any:
    """Which variables are free, as truth values.

    Raises:  NotDifferentiableError where a variable is at a bound and its multiplier is zero.
    """
    at = is_at(x, lower) | is_at(x, upper)
    if not np.any(at):
        return ~at
    return free_by(gradient_of(objective, x, parameters), at)


def free_by(slopes: Any, at: Any) -> Any:
    """The same, of the objective's slopes and of which variables are at their bounds."""
    weak = at & (np.abs(slopes) <= SLOPE * max(1.0, float(np.max(np.abs(slopes)))))
    if np.any(weak):
        raise NotDifferentiableError(
            f"variable {int(np.argmax(weak))} of the minimum is at its bound with a multiplier of zero, "
            "so its "
            "derivative is one-sided",
            next="move the bound or the start a little, or leave the bound out where it does not act",
        )
    return ~at


def places(free: Any) -> Any:
    """For each variable its place among the free ones; for the others that of a zero behind these."""
    return np.where(free, np.cumsum(free) - 1, np.count_nonzero(free))


def filled(free: Any, z: Any, held: Any) -> Any:
    """The variables, from the free ones and the held ones."""
    return np.where(free, np.concatenate([z, np.zeros(1)])[places(free)], held)


non_differentiable(is_at, free_of, free_by, places, why="returns truth values or places")
