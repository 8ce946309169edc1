"""The incomplete beta function by its parameters: ∂ⁱ⁺ʲI_x(a, b)/∂aⁱ∂bʲ, of any order.

With f = tᵃ⁻¹(1−t)ᵇ⁻¹/B(a, b) it is the integral of ∂f, f times a polynomial in log t, log(1 − t) and
polygammas, over the side of x on which f falls off: from 0 where x ≤ a/(a + b), else from 1 with the other
sign, the roles exchanged. In v = logit t − logit x the integrand is the exponential of a concave function;
where a < 3/2, whose tail is long, the recurrence I_x(a, b) = I_x(a+1, b) + xᵃ(1−x)ᵇ/(a B(a, b)) (DLMF
8.17.20) shortens it. Boik & Robinson-Cox (1998) differentiate the continued fraction instead.

Each function takes x and its complement 1 − x, which a caller often knows better than by subtraction.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special

from ....core import scalar_rule
from ....tangents import NotImplementedTangent
from .log_concave import falls_off, integral, log_gamma_star, moments
from .polygammas import polygamma, psi_difference

SMALLEST = 1e-100
SHORT = 1.5
WHOLE = NotImplementedTangent("the order of a derivative is a whole number")


def beta_density(a: Any, b: Any, x: Any, y: Any) -> Any:
    """xᵃ⁻¹ yᵇ⁻¹/B(a, b), y = 1 − x, by Stirling's formula around its peak.

    Example: >>> round(float(beta_density(2.0, 1.0, 0.5, 0.5)), 12)
             1.0
    """
    a, b, x, y = (np.asarray(v, dtype=float) for v in (a, b, x, y))
    inner = (x > 0) & (y > 0) & (a > 0) & (b > 0)
    p, q = np.where(inner, x, 0.5), np.where(inner, y, 0.5)
    power = _power_over_beta(np.where(inner, a, 1.0), np.where(inner, b, 1.0), p, q)
    with np.errstate(all="ignore"):
        ends = np.exp(special.xlogy(a - 1.0, x) + special.xlogy(b - 1.0, y) - special.betaln(a, b))
    return np.where(inner, power / (p * q), np.where((x < 0) | (y < 0), np.nan, ends))[()]


def _power_over_beta(a: Any, b: Any, x: Any, y: Any) -> Any:
    """xᵃyᵇ/B(a, b) with both powers taken relative to their peaks a/(a+b) and b/(a+b)."""
    total, off = a + b, x * b - y * a
    with np.errstate(all="ignore"):
        exponent = _relative(a, off, x, total) + _relative(b, -off, y, total)
        stars = log_gamma_star(total) - log_gamma_star(a) - log_gamma_star(b)
        return np.exp(exponent + stars) * np.sqrt(a / (2 * np.pi)) * np.sqrt(b / total)


def _relative(a: Any, off: Any, x: Any, total: Any) -> Any:
    """a log(x (a + b)/a)"""
    near = np.abs(off) < 0.5 * a
    return a * np.where(near, np.log1p(np.where(near, off / a, 0.0)), np.log(x * (total / a)))


def _log_slopes(a, b, x, y):
    """∂ of log f by a and by b: log x + ψ(a+b) − ψ(a), log y + ψ(a+b) − ψ(b)"""
    return np.log(x) + psi_difference(a, b), np.log(y) + psi_difference(b, a)


def _slope(f, a, b, x, y):
    """∂f/∂x = (a − 1) f/x − (b − 1) f/y; at the ends, where f/x is 0/0, by powers"""
    with np.errstate(all="ignore"):
        ends = (x == 0) | (y == 0)
        whole = special.betaln(a, b)
        up = np.exp(special.xlogy(a - 2.0, x) + special.xlogy(b - 1.0, y) - whole)
        down = np.exp(special.xlogy(a - 1.0, x) + special.xlogy(b - 2.0, y) - whole)
        up, down = np.where(a == 1, 0.0, (a - 1.0) * up), np.where(b == 1, 0.0, (b - 1.0) * down)
        return np.where(ends, up - down, f * ((a - 1.0) / x - (b - 1.0) / y))[()]


scalar_rule(
    beta_density,
    lambda f, a, b, x, y: density_by(a, b, x, y, 1, 0),
    lambda f, a, b, x, y: density_by(a, b, x, y, 0, 1),
    _slope,
    0.0,
)


def beta_by(a: Any, b: Any, x: Any, y: Any, i: Any, j: Any) -> Any:
    """∂ⁱ⁺ʲI_x(a, b)/∂aⁱ∂bʲ for i + j ≥ 1, a, b > 0 and y = 1 − x.

    Example: >>> round(float(beta_by(1.0, 1.0, 0.5, 0.5, 1, 0)), 9)
             -0.34657359
    """
    values = np.broadcast_arrays(*(np.asarray(v, dtype=float) for v in (a, b, x, y)))
    shape, (a, b, x, y), i, j = values[0].shape, (v.ravel() for v in values), int(i), int(j)
    out = np.where((a > 0) & (b > 0) & (x >= 0) & (y >= 0) & np.isfinite(a + b), 0.0, np.nan)
    moves = (out == 0) & (x > 0) & (y > 0)
    low = moves & (x * b <= y * a)
    high = moves & ~low
    with np.errstate(all="ignore"):
        if np.any(low):
            out[low] = _lower(a[low], b[low], x[low], y[low], i, j)
        if np.any(high):
            out[high] = -_lower(b[high], a[high], y[high], x[high], j, i)
    return out.reshape(shape)[()]


def _lower(a: Any, b: Any, x: Any, y: Any, i: int, j: int) -> Any:
    """From 0 to x ≤ a/(a + b), a raised until the tail is short."""
    a, b = np.maximum(a, SMALLEST), np.maximum(b, SMALLEST)
    total = np.zeros_like(a)
    while np.any(raised := a < SHORT):
        total[raised] += _term(a[raised], b[raised], x[raised], y[raised], i, j)
        a = np.where(raised, a + 1, a)
    return total + _tail(a, b, x, y, i, j)


def _term(a: Any, b: Any, x: Any, y: Any, i: int, j: int) -> Any:
    """∂ⁱ⁺ʲ of xᵃyᵇ Γ(a+b)/(Γ(a+1) Γ(b)), which is xᵃ⁺¹yᵇ/B(a+1, b) over x (a+b)"""
    value = _power_over_beta(a + 1, b, x, y) / (x * (a + b))
    first = (np.log(x) - 1 / (a + b) + psi_difference(a + 1, b), np.log(y) + _psi_rest(a, b))
    return value * moments(_cumulants(first, a + 1, b, a + b), i, j)


def _psi_rest(a: Any, b: Any) -> Any:
    """ψ(a + b) − ψ(b)"""
    return psi_difference(b, a)


def _cumulants(first: Any, a: Any, b: Any, total: Any) -> Any:
    """The derivatives of log(tᵃ(1−t)ᵇ Γ(total)/(Γ(a) Γ(b))), the first two being given."""

    def cumulant(k: int, m: int) -> Any:
        if k + m == 1:
            return first[m]
        shared = polygamma(k + m - 1, total)
        return shared - polygamma(k + m - 1, a if m == 0 else b) if 0 in (k, m) else shared

    return cumulant


def _tail(a: Any, b: Any, x: Any, y: Any, i: int, j: int) -> Any:
    """∫ over v < 0 of e^{av − (a+b) log(1 + x(e^v − 1))} times the factor of the derivative."""

    def g(v: Any) -> tuple[Any, Any]:
        rest = _log_rest(x, y, v)
        return a * v - (a + b) * rest, a - (a + b) * x * np.exp(v - rest)

    start = -np.minimum(1.0 / np.sqrt(a * b / (a + b)), 3.0)
    width = falls_off(g, start)
    p, q = psi_difference(a, b) + np.log(x), psi_difference(b, a) + np.log(y)
    higher = [(k, m) for k in range(i + 1) for m in range(j + 1) if k + m > 1]
    known = [_cumulants((p, q), a, b, a + b)(k, m) for k, m in higher]

    def integrand(v: Any, a: Any, b: Any, x: Any, y: Any, p: Any, q: Any, *known: Any) -> Any:
        rest = _log_rest(x, y, v)
        table = {(1, 0): p + v - rest, (0, 1): q - rest, **dict(zip(higher, known, strict=True))}
        return np.exp(a * v - (a + b) * rest) * moments(lambda k, m: table[k, m], i, j)

    return _power_over_beta(a, b, x, y) * integral(integrand, width, a, b, x, y, p, q, *known)


def _log_rest(x: Any, y: Any, v: Any) -> Any:
    """log(1 + x(e^v − 1)) = log(y + x e^v)"""
    small = x * np.expm1(v)
    near = small > -0.5
    return np.where(near, np.log1p(np.where(near, small, 0.0)), np.log(y + x * np.exp(v)))


def density_by(a: Any, b: Any, x: Any, y: Any, i: int, j: int) -> Any:
    """∂ⁱ⁺ʲf/∂aⁱ∂bʲ at x; zero where f is, at an end, since powers win against logarithms"""
    with np.errstate(all="ignore"):
        f = beta_density(a, b, x, y)
        found = f * moments(_cumulants(_log_slopes(a, b, x, y), a, b, a + b), i, j)
        return np.where(f == 0, 0.0, found)[()]


scalar_rule(
    beta_by,
    lambda f, a, b, x, y, i, j: beta_by(a, b, x, y, i + 1, j),
    lambda f, a, b, x, y, i, j: beta_by(a, b, x, y, i, j + 1),
    lambda f, a, b, x, y, i, j: density_by(a, b, x, y, i, j),
    0.0,
    WHOLE,
    WHOLE,
)
