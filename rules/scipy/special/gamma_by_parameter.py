"""The incomplete gamma function by its parameter: ∂ⁿP(a, x)/∂aⁿ, of any order.

With f = tᵃ⁻¹e⁻ᵗ/Γ(a) it is the integral of ∂ⁿf/∂aⁿ, f times a polynomial in log t − ψ(a) and the ψ⁽ᵏ⁾(a),
from 0 to x, or from x to ∞ with the other sign: of the side that falls off from x. There the integral in v
= log(t/x) loses nothing, whatever a. For x ≤ 1.5 the power series xᵃ/Γ(a+1) (1 + Σ (−x)ᵏ/k! a/(a+k)) (DLMF
8.7.1) is differentiated term by term (Moore 1982).
"""

from __future__ import annotations

from math import comb, factorial
from typing import Any

import numpy as np
from scipy import special

from ....core import scalar_rule
from ....tangents import NotImplementedTangent
from .log_concave import falls_off, integral, log_gamma_star, moments
from .polygammas import polygamma

SERIES_TO = 1.5
TERMS = 26
SMALLEST = 1e-100
WHOLE = NotImplementedTangent("the order of a derivative is a whole number")


def gamma_density(a: Any, x: Any) -> Any:
    """xᵃ⁻¹ e⁻ˣ/Γ(a), by Stirling's formula around its peak where a is large.

    Example: >>> float(gamma_density(1.0, 0.0))
             1.0
    """
    a, x = np.asarray(a, dtype=float), np.asarray(x, dtype=float)
    large = (a > 12.0) & (x > 0)
    with np.errstate(all="ignore"):
        z = np.where(large, a, 13.0)
        off = np.where(large, x - a, 0.0) / z
        log = np.where(off < -0.5, np.log(np.where(large, x, 1.0) / z), np.log1p(off))
        peak = np.exp(z * (log - off) - log_gamma_star(z)) * np.sqrt(z / (2 * np.pi))
        small = np.exp(special.xlogy(a - 1.0, x) - x) * special.rgamma(a)
    value = np.where(large, peak / np.where(large, x, 1.0), np.where((x < 0) | (a < 0), np.nan, small))
    return np.where(np.isposinf(x) & (a >= 0), 0.0, value)[()]


def _slope(y, a, x):
    """∂/∂x = (a − 1) f/x − f; at 0, where f/x may be 0/0, by powers"""
    with np.errstate(all="ignore"):
        power = np.exp(special.xlogy(a - 2.0, np.where(x == 0, x, 1.0)))
        first = np.where(a == 1, 0.0, (a - 1.0) * special.rgamma(a) * power)
        return np.where(x == 0, first - y, y * ((a - 1.0) / np.where(x == 0, 1.0, x) - 1.0))[()]


scalar_rule(gamma_density, lambda y, a, x: density_by(a, x, 1), _slope)


def gamma_by(a: Any, x: Any, n: Any) -> Any:
    """∂ⁿP(a, x)/∂aⁿ for n ≥ 1, a > 0, x ≥ 0.

    Example: >>> round(float(gamma_by(1.0, 1.0, 1)), 9)
             -0.431729711
    """
    a, x = np.broadcast_arrays(np.asarray(a, dtype=float), np.asarray(x, dtype=float))
    shape, a, x, n = a.shape, a.ravel(), x.ravel(), int(n)
    out = np.where((a >= 0) & (x >= 0) & np.isfinite(a), 0.0, np.nan)
    a = np.maximum(a, SMALLEST)
    moves = (out == 0) & (x > 0) & np.isfinite(x)
    near = moves & (x <= SERIES_TO)
    below, above = moves & ~near & (x <= a), moves & ~near & (x > a)
    with np.errstate(all="ignore"):
        for here, value in ((near, _series), (below, _below), (above, _above)):
            if np.any(here):
                out[here] = value(a[here], x[here], n)
    return out.reshape(shape)[()]


def _series(a: Any, x: Any, n: int) -> Any:
    g = np.exp(a * np.log(x)) * special.rgamma(a + 1)
    k = np.arange(1, TERMS)[:, None]
    powers = np.cumprod(-x / k, axis=0)
    total: Any = 0.0
    for j in range(n + 1):
        slopes = -k * (-1.0) ** j * factorial(j) / (a + k) ** (j + 1)
        h = 1.0 + np.sum(powers * a / (a + k), axis=0) if j == 0 else np.sum(powers * slopes, axis=0)
        total = total + comb(n, j) * g * _moments(np.log(x), a + 1, n - j) * h
    return total


def _moments(log_t: Any, a: Any, n: int) -> Any:
    """∂ⁿ of tᵃ/Γ(a), over tᵃ/Γ(a)."""
    slopes = [log_t - special.psi(a), *(-polygamma(k, a) for k in range(1, n))]
    return moments(lambda k, _: slopes[k - 1], n, 0)


def _below(a: Any, x: Any, n: int) -> Any:
    """From 0 to x ≤ a."""

    def g(v: Any) -> tuple[Any, Any]:
        return a * v - x * np.expm1(v), a - x * np.exp(v)

    return x * gamma_density(a, x) * _part(a, x, n, falls_off(g, -1.0 / np.sqrt(x)))


def _above(a: Any, x: Any, n: int) -> Any:
    """From x > a to ∞, with the other sign; the end is sought in t, where the density falls as e⁻ᵗ."""

    def g(t: Any) -> tuple[Any, Any]:
        return a * np.log1p(t / x) - t, a / (x + t) - 1.0

    return -x * gamma_density(a, x) * _part(a, x, n, np.log1p(falls_off(g, np.sqrt(x)) / x))


def _part(a: Any, x: Any, n: int, width: Any) -> Any:
    """∫ e^{av − x(e^v − 1)} times the factor of the n-th derivative."""
    known = [np.log(x) - special.psi(a), *(-polygamma(k, a) for k in range(1, n))]

    def integrand(v: Any, a: Any, x: Any, first: Any, *more: Any) -> Any:
        slopes = [first + v, *more]
        return np.exp(a * v - x * np.expm1(v)) * moments(lambda k, _: slopes[k - 1], n, 0)

    return integral(integrand, width, a, x, *known)


def density_by(a: Any, x: Any, n: int) -> Any:
    """∂ⁿf(x; a)/∂aⁿ, zero where f is: powers win against logarithms"""
    with np.errstate(all="ignore"):
        f = gamma_density(a, x)
        return np.where(f == 0, 0.0, f * _moments(np.log(x), a, n))[()]


scalar_rule(
    gamma_by,
    lambda y, a, x, n: gamma_by(a, x, n + 1),
    lambda y, a, x, n: density_by(a, x, n),
    WHOLE,
)
