"""Linear systems: solve, inv, for one matrix or a stack of them.

A singular matrix has no solution and raises what NumPy raises. Not here: `lstsq`, `pinv` (least_squares).
"""

from __future__ import annotations

import numpy as np

from ....core import Array, frule, rrule, unbroadcast
from ....tangents import ZERO
from ..adjoints import adjoint, conj


@frule(np.linalg.solve)
def solve_frule(tangents, a: Array, b: Array):
    """a y = b        a ẏ = ḃ − ȧ y"""
    da, db = tangents
    y = np.linalg.solve(a, b)
    if da is ZERO:
        return y, np.linalg.solve(a, db)
    if np.ndim(b) == 1:
        moved = np.squeeze(np.matmul(da, np.expand_dims(y, -1)), -1)
        return y, np.squeeze(np.linalg.solve(a, np.expand_dims(db - moved, -1)), -1)
    return y, np.linalg.solve(a, db - np.matmul(da, y))


@rrule(np.linalg.solve)
def solve_rrule(a: Array, b: Array, *, needs):
    """a y = b        a (…, n, n) · b (…, n, k), or one vector (n,)
    b̄ = a⁻ᴴ ȳ         ā = −b̄ yᴴ                [Giles 2008]"""
    y = np.linalg.solve(a, b)
    a_shape, b_shape = np.shape(a), np.shape(b)

    def solve_pullback(y_bar):
        column = y_bar
        if len(b_shape) == 1:
            column = np.expand_dims(y_bar, -1)
        b_bar = np.linalg.solve(adjoint(a), column)
        a_bar = ZERO
        if needs[0]:
            if len(b_shape) == 1:
                a_bar = unbroadcast(-b_bar * np.expand_dims(conj(y), -2), a_shape)
            else:
                a_bar = unbroadcast(np.matmul(-b_bar, adjoint(y)), a_shape)
        if len(b_shape) == 1:
            b_bar = np.squeeze(b_bar, -1)
        return a_bar, unbroadcast(b_bar, b_shape)

    return y, solve_pullback


@frule(np.linalg.inv)
def inv_frule(tangents, a: Array):
    """y = a⁻¹        ẏ = −y ȧ y"""
    (da,) = tangents
    y = np.linalg.inv(a)
    return y, -np.matmul(np.matmul(y, da), y)


@rrule(np.linalg.inv)
def inv_rrule(a: Array):
    """y = a⁻¹        ā = −yᴴ ȳ yᴴ"""
    y = np.linalg.inv(a)

    def inv_pullback(y_bar):
        y_adjoint = adjoint(y)
        return np.matmul(np.matmul(-y_adjoint, y_bar), y_adjoint)

    return y, inv_pullback
