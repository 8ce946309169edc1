"""Riemann's and Hurwitz's zeta functions, by the exponent and by the shift.

By the shift −s ζ(s+1, q) (DLMF 25.11.17). By the exponent, the Euler–Maclaurin sum (DLMF 25.11.7) is
differentiated term by term, in truncated Taylor series; left of −½, Riemann's by the reflection (DLMF
25.4.1). At s = 1 there is a pole.
"""

from __future__ import annotations

from math import factorial
from typing import Any

import numpy as np
from scipy import special

from ....core import Array, scalar_rule
from ....tangents import NotImplementedTangent
from ...written import written_out
from .quietly import quietly

TERMS, TAIL = 24, 12
BERNOULLI = special.bernoulli(2 * TAIL)[2::2]
WHOLE = NotImplementedTangent("the order of a derivative of zeta is a whole number")


def zeta_by_exponent(s: Any, q: Any, n: Any) -> Any:
    """∂ⁿζ(s, q)/∂sⁿ for Re s > −1 and q > 0, n a whole number.

    Example: >>> round(float(zeta_by_exponent(2.0, 1.0, 1)), 12)
             -0.937548254316
    """
    n = int(n)
    s, q = np.broadcast_arrays(np.asarray(s), np.asarray(q, dtype=float))
    terms = TERMS + int(np.max(np.abs(np.imag(s)), initial=0.0))
    with np.errstate(all="ignore"):
        total = sum(_power(q + k, s, n) for k in range(terms)) if n >= 0 else 0.0
        w = q + terms
        total = total + _over_linear(w, s, n) + 0.5 * _power(w, s, n)
        rising = [s, np.ones_like(s)]  # the Taylor coefficients of s, of which (s)₁ is made
        for j, b in enumerate(BERNOULLI, 1):
            total = total + b / factorial(2 * j) * _product_with_power(rising, w, s, 2 * j - 1, n)
            rising = _times_linear(_times_linear(rising, s + (2 * j - 1)), s + 2 * j)
    return np.where(np.real(s) == 1, np.nan, total)[()]


def _power(w: Any, s: Any, n: int) -> Any:
    """∂ⁿ w^{−s}"""
    return (-np.log(w)) ** n * w ** (-1.0 * s)


def _over_linear(w: Any, s: Any, n: int) -> Any:
    """∂ⁿ w^{1−s}/(s − 1) by Leibniz's rule."""
    total: Any = 0.0
    for i in range(n + 1):
        reciprocal = (-1.0) ** i * factorial(i) / (s - 1) ** (i + 1)
        total = total + special.comb(n, i) * reciprocal * w * _power(w, s, n - i)
    return total


def _product_with_power(coefficients: list[Any], w: Any, s: Any, shift: int, n: int) -> Any:
    """∂ⁿ of a polynomial, given by its Taylor coefficients at s, times w^{−s−shift}."""
    total: Any = 0.0
    for i in range(min(n, len(coefficients) - 1) + 1):
        slope = factorial(i) * coefficients[i]
        total = total + special.comb(n, i) * slope * w ** (-1.0 * shift) * _power(w, s, n - i)
    return total


def _times_linear(coefficients: list[Any], c: Any) -> list[Any]:
    """The coefficients of a polynomial in ε times (c + ε), the first few of them."""
    made = [coefficients[0] * c]
    for i in range(1, len(coefficients)):
        made.append(coefficients[i] * c + coefficients[i - 1])
    return [*made, coefficients[-1]][:8]


def _by_shift(s: Any, q: Any, n: Any) -> Any:
    """∂/∂q ∂ⁿ/∂sⁿ ζ(s, q) = −s ∂ⁿζ(s+1, q) − n ∂ⁿ⁻¹ζ(s+1, q)"""
    lower = n * zeta_by_exponent(s + 1.0, q, n - 1) if n else 0.0
    return -s * zeta_by_exponent(s + 1.0, q, n) - lower


scalar_rule(
    zeta_by_exponent,
    lambda y, s, q, n: zeta_by_exponent(s, q, n + 1),
    lambda y, s, q, n: _by_shift(s, q, n),
    WHOLE,
    strong_zero=True,
)


def riemann_slope(s):
    """ζ′(s); left of −½ the derivative of 2 (2π)^{s−1} sin(πs/2) Γ(1−s) ζ(1−s)."""
    left = np.real(s) < -0.5
    right = zeta_by_exponent(np.where(left, 2.0, s), 1.0, 1)
    if not np.any(left):
        return right
    u = np.where(left, s, -2.0)
    angle, z = np.pi / 2 * (u - 4.0 * np.round(np.real(u) / 4.0)), special.zeta(1.0 - u)
    sine, log_scale = np.sin(angle), np.log(2 * np.pi)
    bracket = (log_scale - special.psi(1.0 - u)) * sine * z + np.pi / 2 * np.cos(angle) * z
    bracket = bracket - sine * zeta_by_exponent(1.0 - u, 1.0, 1)
    return np.where(left, 2 * (2 * np.pi) ** (u - 1.0) * special.gamma(1.0 - u) * bracket, right)


def riemann(x):
    """ζ(x)"""
    return special.zeta(x)


def hurwitz(x, q):
    """ζ(x, q)"""
    return special.zeta(x, q)


scalar_rule(special.zetac, quietly(lambda y, x: riemann_slope(x)), strong_zero=True)
scalar_rule(riemann, quietly(lambda y, x: riemann_slope(x)), strong_zero=True)
scalar_rule(
    hurwitz,
    quietly(lambda y, x, q: np.where(x > 1, zeta_by_exponent(np.where(x > 1, x, 2.0), q, 1), np.nan)),
    quietly(lambda y, x, q: -x * hurwitz(x + 1.0, q)),
    strong_zero=True,
)


@written_out(special.zeta)
def zeta_written_out(x: Array, q: Array | None = None, *, out: None = None):
    """ζ(x, q) = Σ (q + k)^{−x}, Riemann's with q = 1"""
    return riemann(x) if q is None else hurwitz(x, q)
