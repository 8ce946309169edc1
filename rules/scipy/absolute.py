"""Absolute values where something smooth is written with them: their second derivatives are right at zero.

The derivative of |x| at 0 is 0 here, so that of |x|² would have none to second order, where x² has 2.
"""

from __future__ import annotations

from typing import Any

import numpy as np


def absolute_power(x: Any, p: Any) -> Any:
    """|x|ᵖ for p > 0; at x = 0 all derivatives that exist are 0, but for the second where p is 2."""
    zero = np.equal(x, 0)
    size = np.where(zero, 1.0, np.abs(x))
    two, from_two = np.equal(p, 2), np.greater_equal(p, 2)
    squared = x * x * np.where(zero, np.where(two, 1.0, 0.0), size ** np.where(from_two, p - 2.0, 1.0))
    return np.where(from_two, squared, np.where(zero, 0.0, size ** np.where(from_two, 1.0, p)))


def one_sided(x: Any) -> Any:
    """|x|, with the derivative from the right at 0: for formulas that are chosen by x < 0."""
    return np.where(np.less(x, 0), -x, x)
