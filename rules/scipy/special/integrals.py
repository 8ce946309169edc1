"""Integrals of trigonometric functions: sine and cosine integrals, their hyperbolic twins, Fresnel's.

The derivative of each is its integrand (DLMF 6.2.9–16, 7.2.7–8), which is analytic at 0 for Si, Shi, S and C,
and has a pole there for Ci and Chi, where a zero cotangent stays zero.
"""

from __future__ import annotations

import numpy as np
from scipy import special

from ...quiet import divide
from .outputs import outputs_rule


def sinc(x):
    """sin x / x, and 1 at 0."""
    at_zero = x == 0
    safe = np.where(at_zero, 1.0, x)
    return np.where(at_zero, 1.0, np.sin(safe) / safe)


def sinhc(x):
    """sinh x / x, and 1 at 0."""
    at_zero = x == 0
    safe = np.where(at_zero, 1.0, x)
    return np.where(at_zero, 1.0, np.sinh(safe) / safe)


outputs_rule(special.sici, [lambda y, x: sinc(x)], [lambda y, x: divide(np.cos(x), x)])
outputs_rule(special.shichi, [lambda y, x: sinhc(x)], [lambda y, x: divide(np.cosh(x), x)])
outputs_rule(
    special.fresnel,
    [lambda y, x: np.sin(np.pi / 2 * x * x)],
    [lambda y, x: np.cos(np.pi / 2 * x * x)],
)
