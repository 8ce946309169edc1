"""The moments of an exponential, M_n(u) = ∫₀¹ sⁿ e^{us} ds; `exprel` is M₀, and Mₙ₊₁ the derivative of Mₙ.

Three ways to compute them, none of which cancels: the incomplete gamma function γ(n+1, −u)/(−u)^{n+1} for u
< −1 (DLMF 8.2.1), the power series Σ u^k/(k! (n+1+k)) for −1 ≤ u ≤ 8, and M_n = (e^u − n M_{n−1})/u beyond.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special

from ....core import scalar_rule
from ....tangents import NotImplementedTangent

SERIES_TO = 8.0
TERMS = 45


def moment(u: Any, n: Any) -> Any:
    """M_n(u) = ∫₀¹ sⁿ e^{us} ds, n a whole number.

    Example: >>> round(float(moment(0.0, 1)), 12)
             0.5
    """
    n, x = int(n), np.asarray(u, dtype=float)
    out = np.full(x.shape, np.nan)
    low, high = x < -1.0, x > SERIES_TO
    middle = ~low & ~high & ~np.isnan(x)
    with np.errstate(all="ignore"):
        out[low] = special.gammainc(n + 1, -x[low]) * special.gamma(n + 1) / (-x[low]) ** (n + 1)
        out[middle] = _series(x[middle], n)
        out[high] = _upwards(x[high], n)
    return out[()]


def _series(x: Any, n: int) -> Any:
    k = np.arange(TERMS)
    return np.polynomial.polynomial.polyval(x, 1.0 / (special.gamma(k + 1) * (n + 1 + k)))


def _upwards(x: Any, n: int) -> Any:
    value, top = np.expm1(x) / x, np.exp(x)
    for m in range(1, n + 1):
        value = np.where(np.isinf(top), np.inf, (top - m * value) / x)
    return value


scalar_rule(moment, lambda y, u, n: moment(u, n + 1), NotImplementedTangent("a moment has a whole order"))
