"""Powers of matrices: matrix_power, for one matrix or a stack of them.

An exponent is an integer and has no derivative. Negative powers are those of the inverse.
"""

from __future__ import annotations

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
    y = np.linalg.matrix_power(base, 0)
    dy = np.zeros_like(dbase)
    for _ in range(abs(n)):
        dy = np.matmul(dy, base) + np.matmul(y, dbase)
        y = np.matmul(y, base)
    return np.linalg.matrix_power(a, n), dy


@rrule(np.linalg.matrix_power)
def matrix_power_rrule(a: Array, *, n):
    """y = aⁿ        ā = Σ (aᵏ)ᴴ ȳ (aⁿ⁻¹⁻ᵏ)ᴴ        for n < 0, of the inverse"""

    def matrix_power_pullback(y_bar):
        base = np.linalg.inv(a) if n < 0 else a
        step = adjoint(base)
        right = y_bar
        base_bar = np.zeros_like(y_bar)
        left = np.linalg.matrix_power(step, 0)
        for k in range(abs(n)):
            right = np.matmul(y_bar, np.linalg.matrix_power(step, abs(n) - 1 - k))
            base_bar = base_bar + np.matmul(left, right)
            left = np.matmul(left, step)
        return -np.matmul(np.matmul(step, base_bar), step) if n < 0 else base_bar

    return np.linalg.matrix_power(a, n), matrix_power_pullback
