"""Integrals of Bessel and Struve functions of order 0: itj0y0, it2i0k0, itstruve0 and their kin.

The derivative of an integral is its integrand. Where that is a quotient by x which is finite at 0, it is a
power series near 0, and so are its derivatives. Not here: `itairy` (airy), `besselpoly`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy import special

from ....core import scalar_rule
from ...quiet import divide
from .outputs import outputs_rule

NEAR = 2.0
TERMS = 14


def _series(sign: int) -> list[float]:
    """(±1)ⁿ⁺¹ 4⁻ⁿ/(n!)², n ≥ 1: the coefficients of ∓(J₀ − 1) and I₀ − 1 in powers of x²"""
    return [(-sign) ** (n + 1) * 0.25**n / math.factorial(n) ** 2 for n in range(1, TERMS)]


def _struve_series() -> list[float]:
    """The coefficients of H₀(x)/x in powers of x² (DLMF 11.2.1)"""
    return [(-1) ** n * 0.25**n * 0.5 / math.gamma(n + 1.5) ** 2 for n in range(TERMS)]


J_SERIES, I_SERIES, H_SERIES = _series(1), _series(-1), _struve_series()


def polynomial(coefficients: list[float], x: Any) -> Any:
    """Σ cₙ x²ⁿ"""
    square, total = x * x, 0.0 * x
    for c in coefficients[::-1]:
        total = total * square + c
    return total


def near_zero(x: Any, series: Any, quotient: Any) -> Any:
    """A series where x is small, and elsewhere the quotient."""
    near = abs(x) < NEAR
    return np.where(near, series(np.where(near, x, 0.0)), quotient(np.where(near, NEAR, x)))[()]


def j_quotient(x: Any) -> Any:
    """(1 − J₀(x))/x"""
    return near_zero(x, lambda t: t * polynomial(J_SERIES, t), lambda t: (1 - special.j0(t)) / t)


def i_quotient(x: Any) -> Any:
    """(I₀(x) − 1)/x"""
    return near_zero(x, lambda t: t * polynomial(I_SERIES, t), lambda t: (special.i0(t) - 1) / t)


def h_quotient(x: Any) -> Any:
    """H₀(x)/x"""
    return near_zero(x, lambda t: polynomial(H_SERIES, t), lambda t: special.struve(0, t) / t)


outputs_rule(special.itj0y0, [lambda y, x: special.j0(x)], [lambda y, x: special.y0(x)])
outputs_rule(special.iti0k0, [lambda y, x: special.i0(x)], [lambda y, x: special.k0(x)])
outputs_rule(special.it2j0y0, [lambda y, x: j_quotient(x)], [lambda y, x: -divide(special.y0(x), x)])
outputs_rule(special.it2i0k0, [lambda y, x: i_quotient(x)], [lambda y, x: -divide(special.k0(x), x)])
scalar_rule(special.itstruve0, lambda y, x: special.struve(0, x))
scalar_rule(special.itmodstruve0, lambda y, x: special.modstruve(0, x))
scalar_rule(special.it2struve0, lambda y, x: -h_quotient(x))
