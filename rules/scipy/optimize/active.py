"""Which bounds hold a minimum, and the variables that are free (core/bounds.py)."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import optimize

from ....core import non_differentiable
from ....core.bounds import free_by, is_at
from ....core.residuals import Gradient


def bounds_of(bounds: Any, n: int) -> tuple[Any, Any]:
    """Lower and upper bounds as vectors, infinite where there is none."""
    if bounds is None:
        return np.full(n, -np.inf), np.full(n, np.inf)
    if isinstance(bounds, optimize.Bounds):
        return np.broadcast_to(bounds.lb, n), np.broadcast_to(bounds.ub, n)
    lower = [-np.inf if low is None else low for low, _ in bounds]
    upper = [np.inf if high is None else high for _, high in bounds]
    return np.array(lower), np.array(upper)


def free_of(objective: Any, x: Any, parameters: Any, lower: Any, upper: Any) -> Any:
    """Which variables are free, as truth values.

    Raises:  NotDifferentiableError where a variable is at a bound and its multiplier is zero.
    """
    low, high = is_at(x, np.array((lower, upper)))
    at = low | high
    if not at.any():
        return ~at
    return free_by(Gradient(objective)(x, *parameters), at)


def places(free: Any) -> Any:
    """For each variable its place among the free ones; for the others that of a zero behind these."""
    return np.where(free, np.cumsum(free) - 1, np.count_nonzero(free))


def filled(free: Any, z: Any, held: Any) -> Any:
    """The variables, from the free ones and the held ones."""
    return np.where(free, np.concatenate([z, np.zeros(1)])[places(free)], held)


non_differentiable(free_of, places, why="returns truth values or places")
