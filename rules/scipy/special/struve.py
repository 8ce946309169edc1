"""Struve functions, struve and modstruve, Wright's function, its logarithm, and besselpoly.

By the argument each derivative is a sum over neighbours of the function, without a division by it; those by
the order and the other parameters are series and integrals (`struve_jets`, `wright_jets`,
`bessel_polynomials`).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy import special

from ....core import scalar_rule
from .derivatives import by_parameter


def first_term(v: Any, x: Any) -> Any:
    """(x/2)ᵛ/(√π Γ(v + 3/2))"""
    return (0.5 * x) ** v * special.rgamma(v + 1.5) / math.sqrt(math.pi)


# DLMF 11.4.27–30: 𝐇ᵥ₋₁ − 𝐇ᵥ₊₁ = 2 𝐇ᵥ′ − (z/2)ᵛ/(√π Γ(v + 3/2)), and with signs of 𝐋
scalar_rule(
    special.struve,
    by_parameter(special.struve, 0),
    lambda y, v, x: 0.5 * (special.struve(v - 1.0, x) - special.struve(v + 1.0, x) + first_term(v, x)),
)
scalar_rule(
    special.modstruve,
    by_parameter(special.modstruve, 0),
    lambda y, v, x: 0.5 * (special.modstruve(v - 1.0, x) + special.modstruve(v + 1.0, x) + first_term(v, x)),
)

# DLMF 10.46.1: φ(a, b; x) = Σ xᵏ/(k! Γ(a k + b)), termwise
scalar_rule(
    special.wright_bessel,
    by_parameter(special.wright_bessel, 0),
    by_parameter(special.wright_bessel, 1),
    lambda y, a, b, x: special.wright_bessel(a, a + b, x),
)
scalar_rule(
    special.log_wright_bessel,
    by_parameter(special.log_wright_bessel, 0),
    by_parameter(special.log_wright_bessel, 1),
    lambda y, a, b, x: np.exp(special.log_wright_bessel(a, a + b, x) - y),
)


def _besselpoly_by_a(y: Any, a: Any, power: Any, v: Any) -> Any:
    """∫₀¹ tˡ⁺¹ 2 Jᵥ′(2 a t) dt, 2 Jᵥ′(z) = (2v/z) Jᵥ − 2 Jᵥ₊₁, where v y/a is B(v−1) + B(v+1) (DLMF 10.6.1).

    Only at a = 0 is B(v−1) needed, infinite for 0 < v < 1; SciPy has it wrong for some negative orders.
    """
    zero = (a == 0) & (v != 0)
    above = special.besselpoly(a, power + 1.0, v + 1.0)
    below = special.besselpoly(np.where(zero, a, 0.5), power + 1.0, v - 1.0)
    return np.where(
        zero, np.where(v < 1, np.inf, below) - above, v * y / np.where(a == 0, 1.0, a) - 2.0 * above
    )[()]


scalar_rule(
    special.besselpoly,
    _besselpoly_by_a,
    by_parameter(special.besselpoly, 1),
    by_parameter(special.besselpoly, 2),
)
