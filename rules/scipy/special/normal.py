"""The normal distribution function, its logarithm, and their inverses by each argument.

The inverses have infinite slopes at probabilities 0 and 1, which a zero cotangent does not meet; the mean
and the deviation follow from x = mean + deviation · Φ⁻¹(p).
"""

from __future__ import annotations

import numpy as np
from scipy import special

from ....core import scalar_rule
from ...quiet import divide
from .inverse import inverse_rule
from .quietly import quietly

ROOT_2PI = float(np.sqrt(2 * np.pi))


def density(x):
    """φ(x) = e^(−x²/2)/√(2π)"""
    return np.exp(-0.5 * x * x) / ROOT_2PI


scalar_rule(special.ndtr, lambda y, x: density(x))
inverse_rule(special.ndtri, special.ndtr, 0)


def hazard(y, x):
    """φ(x)/Φ(x): for x < 0 it is √(2/π) / erfcx(−x/√2), which does not underflow."""
    if np.iscomplexobj(x):
        low = np.real(x) < 0
        left = np.sqrt(2 / np.pi) / special.erfcx(np.where(low, -x, 0.0) / np.sqrt(2.0))
        right = np.exp(np.where(low, 0.0, -0.5 * x * x - y)) / ROOT_2PI
        return np.where(low, left, right)
    low = x < 0
    left = np.sqrt(2 / np.pi) / special.erfcx(np.where(low, -x, 0.0) / np.sqrt(2.0))
    right = np.where(low, 0.0, x)
    return np.where(low, left, density(right) / special.ndtr(right))


scalar_rule(special.log_ndtr, quietly(hazard))
inverse_rule(special.ndtri_exp, special.log_ndtr, 0)
scalar_rule(
    special.nrdtrimn,
    quietly(lambda y, p, s, x: divide(-s, density(special.ndtri(p)))),
    quietly(lambda y, p, s, x: -special.ndtri(p)),
    1,
    strong_zero=True,
)
scalar_rule(
    special.nrdtrisd,
    quietly(lambda y, m, p, x: divide(-1.0, special.ndtri(p))),
    quietly(lambda y, m, p, x: divide(-y, special.ndtri(p) * density(special.ndtri(p)))),
    quietly(lambda y, m, p, x: divide(1.0, special.ndtri(p))),
    strong_zero=True,
)
