"""Kelvin functions: ber, bei, ker, kei, their derivatives berp to keip, and kelvin, which returns them all.

With w = ber x + i bei x = J₀(ζ), ζ = x e^{3πi/4}, w″ = ½ i (w − J₂(ζ)): no division, so it is right at 0.
With w = ker x + i kei x, which is singular there, w″ = i w − w′/x (DLMF 10.61.3).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy import special

from ....core import scalar_rule
from ...quiet import divide
from .outputs import outputs_rule

TURN = complex(-math.sqrt(0.5), math.sqrt(0.5))  # e^{3πi/4}


def curvature(x: Any) -> Any:
    """ber″ x + i bei″ x"""
    zeta = TURN * x
    return 0.5j * (special.jv(0, zeta) - special.jv(2, zeta))


scalar_rule(special.ber, lambda y, x: special.berp(x), strong_zero=True)
scalar_rule(special.bei, lambda y, x: special.beip(x), strong_zero=True)
scalar_rule(special.ker, lambda y, x: special.kerp(x), strong_zero=True)
scalar_rule(special.kei, lambda y, x: special.keip(x), strong_zero=True)
scalar_rule(special.berp, lambda y, x: np.real(curvature(x)), strong_zero=True)
scalar_rule(special.beip, lambda y, x: np.imag(curvature(x)), strong_zero=True)
scalar_rule(special.kerp, lambda y, x: -special.kei(x) - divide(y, x), strong_zero=True)
scalar_rule(special.keip, lambda y, x: special.ker(x) - divide(y, x), strong_zero=True)
outputs_rule(
    special.kelvin,
    [lambda y, x: y[2]],
    [lambda y, x: y[3]],
    [lambda y, x: curvature(x)],
    [lambda y, x: 1j * y[1] - divide(y[3], x)],
)
