"""Functions of `cmath`, by the partials of their twins for real numbers; polar coordinates.

A value is complex for a real argument too, whose cotangent is real. The phase of zero has derivative
zero, and so has its modulus.
"""

from __future__ import annotations

import cmath
from typing import Any

import numpy as np

from ...core import Array, frule, non_differentiable, rrule, scalar_rule
from ...tangents import Composite, is_zero, unthunk
from ..numpy.trigonometric import other_leg
from ..quiet import divide, ratio

scalar_rule(cmath.exp, lambda y, z: y)
scalar_rule(cmath.sqrt, lambda y, z: divide(0.5, y), strong_zero=True)
scalar_rule(cmath.log, lambda y, z: divide(1.0, z), signature="z, base, /", strong_zero=True)
scalar_rule(
    cmath.log,
    lambda y, z, base: divide(1.0, z * cmath.log(base)),
    lambda y, z, base: -divide(y, base * cmath.log(base)),
)
scalar_rule(cmath.log10, lambda y, z: divide(1.0, z * cmath.log(10)), strong_zero=True)
scalar_rule(cmath.sin, lambda y, z: cmath.cos(z))
scalar_rule(cmath.cos, lambda y, z: -cmath.sin(z))
scalar_rule(cmath.tan, lambda y, z: 1 + y * y)
scalar_rule(cmath.asin, lambda y, z: divide(1.0, other_leg(cmath, complex(z))), strong_zero=True)
scalar_rule(cmath.acos, lambda y, z: divide(-1.0, other_leg(cmath, complex(z))), strong_zero=True)
scalar_rule(cmath.atan, lambda y, z: divide(1.0, 1 + z * z), strong_zero=True)
scalar_rule(cmath.sinh, lambda y, z: cmath.cosh(z))
scalar_rule(cmath.cosh, lambda y, z: cmath.sinh(z))
scalar_rule(cmath.tanh, lambda y, z: 1 - y * y)
scalar_rule(cmath.asinh, lambda y, z: divide(1.0, cmath.sqrt(z * z - -1)), strong_zero=True)
scalar_rule(cmath.acosh, lambda y, z: divide(1.0, cmath.sqrt(z - 1) * cmath.sqrt(z - -1)), strong_zero=True)
scalar_rule(cmath.atanh, lambda y, z: divide(1.0, 1 - z * z), strong_zero=True)
scalar_rule(cmath.phase, lambda y, z: ratio(-1j * np.conj(z), abs(z) ** 2))
scalar_rule(cmath.rect, lambda y, r, phi: cmath.rect(1.0, phi), lambda y, r, phi: 1j * y, holomorphic=False)
non_differentiable(cmath.isclose, cmath.isfinite, cmath.isinf, cmath.isnan, why="returns a truth value")


@frule(cmath.polar)
def polar_frule(tangents, z: Array):
    """z = r exp(iφ)        ṙ = Re(conj(z) ż) / r        φ̇ = Im(conj(z) ż) / r²"""
    r, phi = cmath.polar(z)
    moved = np.conj(z) * tangents[0]
    return (r, phi), Composite[tuple](ratio(np.real(moved), r), ratio(np.imag(moved), r * r))


@rrule(cmath.polar)
def polar_rrule(z: Array):
    """z̄ = z r̄ / r + i z φ̄ / r²"""
    r, phi = cmath.polar(z)

    def polar_pullback(y_bar):
        return ratio(z * part(y_bar[0]), r) + ratio(1j * z * part(y_bar[1]), r * r)

    return (r, phi), polar_pullback


def part(t: Any) -> Any:
    """A cotangent of one of the two, as a number."""
    return 0.0 if is_zero(t) else unthunk(t)
