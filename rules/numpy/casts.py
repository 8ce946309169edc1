"""Numbers made of numbers: `float`, `int`, `complex`, and NumPy's scalar types.

A cast to a type that holds the value is the identity, whatever its precision: the cotangent comes
back in the argument's own. A cast to an integer has derivative zero, and one to a truth value none.
"""

from __future__ import annotations

import numpy as np

from ...core import Array, frule, non_differentiable, rrule, scalar_rule
from ...tangents import ZERO
from ..steps import piecewise_constant

_REAL = (float, np.float16, np.float32, np.float64, np.longdouble)
_COMPLEX = (np.complex64, np.complex128, np.clongdouble)

for f in (*_REAL, *_COMPLEX):
    scalar_rule(f, 1, signature="x, /")

piecewise_constant(
    *(int, np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64), signature="x, /"
)
non_differentiable(bool, np.bool_, why="makes a truth value")


@frule(complex)
def complex_frule(tangents, real: Array = 0.0, imag: Array = 0.0):
    """z = x + i y        ż = ẋ + i ẏ"""
    dreal, dimag = tangents
    return complex(real, imag), dreal + (dimag if dimag is ZERO else 1j * dimag)


@rrule(complex)
def complex_rrule(real: Array = 0.0, imag: Array = 0.0):
    """x̄ = z̄        ȳ = −i z̄, real for a real part"""

    def complex_pullback(z_bar):
        return z_bar, -1j * z_bar

    return complex(real, imag), complex_pullback
