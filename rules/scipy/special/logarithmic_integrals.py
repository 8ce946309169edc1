"""Exponential integrals, the dilogarithm and Owen's function: their derivatives are their integrands.

At 0, E₁, Ei and `expn` of low order have infinite slopes; `spence` has slope −1 at 1 and −∞ at 0, which a
zero cotangent does not meet. `expn` takes whole orders alone: by the order its derivative is not known
here.
"""

from __future__ import annotations

from math import factorial
from typing import Any

import numpy as np
from scipy import special

from ....core import scalar_rule
from ....tangents import NotImplementedTangent
from ...quiet import divide
from .quietly import quietly

WHOLE = NotImplementedTangent("the order is a whole number")
TERMS = 60

scalar_rule(special.exp1, quietly(lambda y, x: -divide(np.exp(-x), x)), strong_zero=True)
scalar_rule(special.expi, quietly(lambda y, x: divide(np.exp(x), x)), strong_zero=True)


def _lower_order(y, n, x):
    """−E_{n−1}(x) (DLMF 8.19.13), of E₀ = e^{−x}/x that is −e^{−x}(1 + 1/x)/x"""
    first = divide(np.exp(-x), x)
    return (
        -np.where(n == 0, first * (1.0 + divide(1.0, x)), special.expn(np.where(n < 1, 1, n) - 1, x))
        + 0.0 * y
    )


scalar_rule(special.expn, WHOLE, quietly(_lower_order), strong_zero=True)


def log1p_ratio(w: Any, n: Any) -> Any:
    """The n-th derivative of log(1 + w)/w, by the series Σ (−w)ᵏ/(k + 1) near 0.

    Example: >>> float(log1p_ratio(0.0, 1))
             -0.5
    """
    n, w = int(n), np.asarray(w)
    near = np.abs(w) < 0.4
    small, large = np.where(near, w, 0.0), np.where(near, 1.0, w)
    k = np.arange(n, n + TERMS)
    series = np.polynomial.polynomial.polyval(small, (-1.0) ** k / (k + 1) * special.poch(k - n + 1, n))
    with np.errstate(all="ignore"):
        value = np.log1p(large) / large
        for m in range(1, n + 1):
            value = ((-1.0) ** (m - 1) * factorial(m - 1) / (1.0 + large) ** m - m * value) / large
    return np.where(near, series, value)[()]


scalar_rule(log1p_ratio, lambda y, w, n: log1p_ratio(w, n + 1), WHOLE)


def _dilogarithm_slope(y, z):
    """log z/(1 − z) (DLMF 25.12.2)"""
    return -log1p_ratio(z - 1.0, 0)


scalar_rule(special.spence, quietly(_dilogarithm_slope), strong_zero=True)
scalar_rule(
    special.owens_t,
    quietly(lambda y, h, a: -np.exp(-0.5 * h * h) * special.erf(h * a / np.sqrt(2.0)) / np.sqrt(8 * np.pi)),
    quietly(lambda y, h, a: divide(np.exp(-0.5 * h * h * (1.0 + a * a)), 2 * np.pi * (1.0 + a * a))),
)
