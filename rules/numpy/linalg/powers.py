"""Powers of matrices: matrix_power, for one matrix or a stack of them.

An exponent is an integer and has no derivative. Negative powers are those of the inverse.

See [Giles 2008].
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....core import Array, frule, rrule
from ..adjoints import adjoint


@frule(np.linalg.matrix_power)
def matrix_power_frule(tangents, a: Array, *, n):
    """y = aⁿ        ẏ = Σ aᵏ ȧ aⁿ⁻¹⁻ᵏ        for n < 0, of the inverse"""
    base, dbase = a, tangents[0]
    if n < 0:
        base = np.linalg.inv(a)
        dbase = -np.matmul(np.matmul(base, dbase), base)
    return np.linalg.matrix_power(a, n), passed_through(base, dbase, abs(n))


@rrule(np.linalg.matrix_power)
def matrix_power_rrule(a: Array, *, n):
    """y = aⁿ        ā = Σ (aᵏ)ᴴ ȳ (aⁿ⁻¹⁻ᵏ)ᴴ        for n < 0, of the inverse"""

    def matrix_power_pullback(y_bar):
        base = np.linalg.inv(a) if n < 0 else a
        step = adjoint(base)
        base_bar = passed_through(step, y_bar, abs(n))
        return -np.matmul(np.matmul(step, base_bar), step) if n < 0 else base_bar

    return np.linalg.matrix_power(a, n), matrix_power_pullback


def passed_through(a: Any, x: Any, n: int) -> Any:
    """Σ aᵏ x aⁿ⁻¹⁻ᵏ, with one more factor a at each step."""
    power, total = np.linalg.matrix_power(a, 0), np.zeros_like(x)
    for _ in range(n):
        total = np.matmul(total, a) + np.matmul(power, x)
        power = np.matmul(power, a)
    return total
