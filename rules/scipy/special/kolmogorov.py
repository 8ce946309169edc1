"""The distributions of Kolmogorov's and Smirnov's statistics, by the statistic, and their inverses.

Kolmogorov's: K(x) = 2 Σ (−1)ᵏ⁻¹ e^{−2k²x²}, summed as it stands for large x, and by the theta function's
transformation √(2π)/x Σ e^{−(2k−1)²π²/(8x²)} = 1 − K for small. Smirnov's (Birnbaum & Tingey 1951): P(n, d)
= d Σ C(n, k) (d + k/n)ᵏ⁻¹ (1 − d − k/n)ⁿ⁻ᵏ over k ≤ n(1 − d), positive terms, differentiated term by term.
By the number n, a whole one, the derivative is not known here.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special

from ....core import NotDifferentiableError, scalar_rule
from ....tangents import NotImplementedTangent
from .inverse import inverse_rule

WHOLE = NotImplementedTangent("the size of the sample is a whole number")
SMALL = 0.8
TERMS = 12
MOST = 20_000


def kolmogorov_by(x: Any, n: Any) -> Any:
    """The n-th derivative of K, n ≥ 1: by Hermite's polynomials, and below by polynomials in c/x².

    Example: >>> round(float(kolmogorov_by(1.0, 1)), 9)
             -1.071948558
    """
    x, n = np.asarray(x, dtype=float), int(n)
    low, high = np.where(x < SMALL, x, SMALL)[..., None], np.where(x < SMALL, SMALL, x)[..., None]
    k = np.arange(1, TERMS + 1)
    with np.errstate(all="ignore"):
        s, scale = (2 * k - 1) ** 2 * np.pi**2 / 8 / low**2, np.sqrt(2 * np.pi) / low ** (n + 1)
        below = -np.sum(scale * np.exp(-s) * _theta_polynomial(n)(s), axis=-1)
        waves = (-1.0) ** (k + n + 1) * (2.0 * k) ** n * special.eval_hermitenorm(n, 2 * k * high)
        above = 2 * np.sum(waves * np.exp(-2.0 * k * k * high**2), axis=-1)
    return np.where(x <= 0, 0.0, np.where(x < SMALL, np.where(np.isnan(below), 0.0, below), above))[()]


def _theta_polynomial(n: int) -> np.polynomial.Polynomial:
    """P with (e^{−s}/x)⁽ⁿ⁾ = P(s) e^{−s}/xⁿ⁺¹, s = c/x²: each is 2s (P − P′) − mP of the one before"""
    s, p = np.polynomial.Polynomial([0.0, 1.0]), np.polynomial.Polynomial([1.0])
    for m in range(1, n + 1):
        p = 2 * s * (p - p.deriv()) - m * p
    return p


scalar_rule(
    kolmogorov_by,
    lambda y, x, n: kolmogorov_by(x, n + 1),
    NotImplementedTangent("the order of a derivative is a whole number"),
)
scalar_rule(special.kolmogorov, lambda y, x: kolmogorov_by(x, 1))
inverse_rule(special.kolmogi, special.kolmogorov, 0)


def smirnov_by(n: Any, d: Any, order: Any) -> Any:
    """The derivative of P(n, d) of this order by d.

    Example: >>> float(smirnov_by(1, 0.25, 1))
             -1.0
    """
    n, d = np.broadcast_arrays(np.asarray(n), np.asarray(d, dtype=float))
    if np.max(n, initial=0) > MOST:
        raise NotDifferentiableError(
            f"smirnov of {int(np.max(n))} observations, whose sum has as many terms",
            next="for so many, use kolmogorov(√n d), the limit",
        )
    pairs = zip(n.ravel(), d.ravel(), strict=True)
    values = [_smirnov_slope(int(m), float(x), int(order)) for m, x in pairs]
    return np.array(values, dtype=float).reshape(n.shape)[()]


def _smirnov_slope(n: int, d: float, order: int) -> float:
    """d times a sum of products of two powers, by Leibniz's rule; the term k = 0 is (1 − d)ⁿ alone."""
    if not 0 <= d <= 1 or n < 1:
        return np.nan if np.isnan(d) or n < 1 else 0.0
    k = np.arange(1, int(np.floor(n * (1 - d))) + 1)
    p, q = d + k / n, np.maximum(1 - d - k / n, 0.0)
    total = _falling(n, order) * (-1.0) ** order * (1 - d) ** max(n - order, 0)
    log_scale = special.gammaln(n + 1) - special.gammaln(k + 1) - special.gammaln(n - k + 1)
    for i in range(order + 1):
        for factor, m in ((d, order), (float(order), order - 1)):
            if i > m or factor == 0 or m < 0:
                continue
            weight = special.comb(m, i) * _falling(k - 1, i) * _falling(n - k, m - i) * (-1.0) ** (m - i)
            logs = log_scale + (k - 1 - i) * np.log(p) + special.xlogy(np.maximum(n - k - m + i, 0), q)
            total += factor * np.sum(np.where(weight == 0, 0.0, weight * np.exp(logs)))
    return float(total)


def _falling(n: Any, i: int) -> Any:
    """n (n − 1) … (n − i + 1)"""
    total: Any = 1.0
    for j in range(i):
        total = total * (n - j)
    return total


scalar_rule(
    smirnov_by,
    WHOLE,
    lambda y, n, d, order: smirnov_by(n, d, order + 1),
    NotImplementedTangent("the order of a derivative is a whole number"),
)
scalar_rule(special.smirnov, WHOLE, lambda y, n, d: smirnov_by(n, d, 1))
inverse_rule(special.smirnovi, special.smirnov, 1)
