"""Logarithms that distributions need, without cancellation: log(1 − eᵈ), log(1 + w)/w, log(1 + u) − u.

`log1p_ratio(w, n)` is the n-th derivative of log(1 + w)/w. Where w is small it is an integral,
(−1)ⁿ n! ∫₀¹ tⁿ/(1 + w t)ⁿ⁺¹ dt, by Gauss' rule, which 24 nodes give to the last digit for |w| < ½; elsewhere
it follows from w y⁽ⁿ⁾ + n y⁽ⁿ⁻¹⁾ = (−1)ⁿ⁻¹ (n − 1)!/(1 + w)ⁿ.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import factorial, gammaln, psi

from ....core import non_differentiable, scalar_rule
from ....tangents import NotImplementedTangent
from ..special.quietly import quietly

NODES, WEIGHTS = np.polynomial.legendre.leggauss(24)
WHOLE = NotImplementedTangent("the order of a derivative is a whole number")
MANY = 30.0


def log1mexp(d: Any) -> Any:
    """log(1 − eᵈ) for d ≤ 0 [Mächler 2012]

    Example: >>> float(log1mexp(-1e-20))
             -46.051701859880914
    """
    d = np.asarray(d, dtype=float)
    with np.errstate(all="ignore"):
        near = np.log(-np.expm1(d))
        far = np.log1p(-np.exp(d))
    return np.where(d > -0.7, near, far)[()]


scalar_rule(log1mexp, quietly(lambda y, d: -1.0 / np.expm1(-d)), strong_zero=True)


def log1p_ratio(w: Any, n: Any) -> Any:
    """The n-th derivative of log(1 + w)/w, which is 1 at w = 0

    Example: >>> float(log1p_ratio(0.0, 1))
             -0.5
    """
    w, n = np.asarray(w, dtype=float), int(n)
    out = np.empty(w.shape)
    small = np.abs(w) < 0.5
    t, near = 0.5 * (NODES + 1.0), w[small]
    integrand = t**n / (1.0 + near[..., None] * t) ** (n + 1)
    out[small] = (-1.0) ** n * factorial(n) * 0.5 * (integrand @ WEIGHTS)
    far = w[~small]
    with np.errstate(all="ignore"):
        value = np.log1p(far) / far
        for m in range(1, n + 1):
            value = ((-1.0) ** (m - 1) * factorial(m - 1) / (1.0 + far) ** m - m * value) / far
    out[~small] = value
    return out[()]


scalar_rule(log1p_ratio, lambda y, w, n: log1p_ratio(w, n + 1), WHOLE, strong_zero=True)


def log1pmx(u: Any) -> Any:
    """log(1 + u) − u = −u² ∫₀¹ t/(1 + u t) dt, which keeps its digits where u is small"""
    return u * (log1p_ratio(u, 0) - 1.0)


scalar_rule(log1pmx, quietly(lambda y, u: -u / (1.0 + u)))


def log_gamma_rest(a: Any) -> Any:
    """log Γ(a) − (a − ½) log a + a − ½ log 2π, small for large a        [DLMF 5.11.1]"""
    return gammaln(a) - (a - 0.5) * np.log(a) + a - 0.5 * np.log(2 * np.pi)


def psi_rest(a: Any) -> Any:
    """ψ(a) − log a + 1/(2a), by DLMF 5.11.2 where a is large"""
    large = a > MANY
    r = 1.0 / np.square(np.where(large, a, MANY))
    series = r * (-1 / 12 + r * (1 / 120 + r * (-1 / 252 + r * (1 / 240 - r / 132))))
    b = np.where(large, 1.0, a)
    return np.where(large, series, psi(b) - np.log(b) + 0.5 / b)


def half(x: Any) -> Any:
    """1 from 0 on, −1 left of it"""
    return np.where(np.asarray(x) < 0, -1.0, 1.0)[()]


non_differentiable(half, why="says on which side of 0 a number is")
scalar_rule(log_gamma_rest, lambda y, a: psi_rest(a))
