"""The derivatives of Faddeeva's function w(z) = e^{−z²} erfc(−iz), from which those of its family follow.

w′ = 2i/√π − 2zw and w⁽ⁿ⁺²⁾ = −2z w⁽ⁿ⁺¹⁾ − 2(n+1) w⁽ⁿ⁾ (DLMF 7.10.2–4) cancel where |z| is large. There the
asymptotic series w ~ (i/√π) Σ (½)ₖ / z²ᵏ⁺¹, Im z ≥ 0 (DLMF 7.12.1), is differentiated term by term; below
the real axis w(z) = 2e^{−z²} − w(−z) (DLMF 7.4.3).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special

from ....core import scalar_rule
from ....tangents import NotImplementedTangent

FAR = 8.0
TERMS = 26
ROOT_PI = float(np.sqrt(np.pi))
WHOLE = NotImplementedTangent("the order of a derivative is a whole number")


def faddeeva(z: Any, n: Any) -> Any:
    """w⁽ⁿ⁾(z), n a whole number.

    Example: >>> complex(faddeeva(0.0, 1)) == 2j / np.sqrt(np.pi)
             True
    """
    n, z = int(n), np.asarray(z, dtype=complex)
    out = np.empty_like(z)
    far = np.abs(z) > FAR
    with np.errstate(all="ignore"):
        out[~far] = _upwards(z[~far], n)
        out[far] = _far(z[far], n)
    return out[()]


def _upwards(z: Any, n: int) -> Any:
    """By the recurrence."""
    lower, value = special.wofz(z), 2j / ROOT_PI - 2 * z * special.wofz(z)
    if n == 0:
        return lower
    for m in range(n - 1):
        lower, value = value, -2 * z * value - 2 * (m + 1) * lower
    return value


def _far(z: Any, n: int) -> Any:
    """By the series above the real axis, and its reflection below."""
    below = np.imag(z) < 0
    up = np.where(below, -z, z)
    value = 1j / ROOT_PI * odd_series(up, n)
    if not np.any(below):
        return value
    return np.where(below, 2 * _gaussian(z, n) - (-1) ** n * value, value)


def odd_series(z: Any, n: int) -> Any:
    """The n-th derivative of Σ (½)ₖ / z²ᵏ⁺¹."""
    k = np.arange(TERMS)
    coefficients = (-1.0) ** n * special.poch(0.5, k) * special.poch(2 * k + 1, n)
    inverse = 1.0 / z
    return np.polynomial.polynomial.polyval(inverse * inverse, coefficients) * inverse ** (n + 1)


def _gaussian(z: Any, n: int) -> Any:
    """The n-th derivative of e^{−z²} by Hermite's polynomials."""
    lower, value = np.zeros_like(z), np.exp(-z * z)
    for m in range(n):
        lower, value = value, -2 * z * value - 2 * m * lower
    return value


scalar_rule(faddeeva, lambda y, z, n: faddeeva(z, n + 1), WHOLE)


def dawson(x: Any, n: Any) -> Any:
    """The n-th derivative of Dawson's integral of real x.

    Example: >>> float(dawson(0.0, 1))
             1.0
    """
    n, x = int(n), np.asarray(x, dtype=float)
    out = np.empty_like(x)
    far = np.abs(x) > FAR
    with np.errstate(all="ignore"):
        out[far] = 0.5 * odd_series(x[far], n)
        z = x[~far]
        lower, value = special.dawsn(z), 1 - 2 * z * special.dawsn(z)
        for m in range(n - 1):
            lower, value = value, -2 * z * value - 2 * (m + 1) * lower
        out[~far] = value if n else lower
    return out[()]


scalar_rule(dawson, lambda y, x, n: dawson(x, n + 1), WHOLE)
