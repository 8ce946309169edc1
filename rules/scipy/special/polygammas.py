"""Digamma and its derivatives, of complex numbers too, and differences of digammas that do not cancel.

Recurrence (DLMF 5.15.5) up to Re z ≥ 15, then the asymptotic series ψ⁽ⁿ⁾(z) ~ (−1)ⁿ⁻¹ [ (n−1)!/zⁿ + n!/(2
zⁿ⁺¹) + Σ B₂ₖ (2k+n−1)!/((2k)! z²ᵏ⁺ⁿ) ] (DLMF 5.15.8). A difference ψ(z + m) − ψ(z) is taken term by term in
both, so that it is as exact for m much smaller than z. Poles give NaN.
"""

from __future__ import annotations

from math import factorial
from typing import Any

import numpy as np
from scipy import special

from ....core import NotDifferentiableError, scalar_rule
from ....tangents import NotImplementedTangent

FAR = 15.0
MOST_SHIFTS = 100_000
BERNOULLI = special.bernoulli(24)[2::2]
MANY = 128  # numbers, from which on one series of all is faster than zeta
STEPS = 10  # of the recurrence, before the series of a difference
SERIES = -BERNOULLI[:9] / (2 * np.arange(1, 10))
KEPT = 0.1  # a difference that is at least so much of its two parts is taken as it stands
WHOLE = NotImplementedTangent("the order of a derivative of digamma is a whole number")


def polygamma(n: Any, z: Any) -> Any:
    """ψ⁽ⁿ⁾(z), n ≥ 0, of real and complex z.

    Example: >>> round(float(polygamma(1, 1.0) - np.pi**2 / 6), 12)
             0.0
    """
    n = int(n)
    if n == 0:
        return special.psi(z)
    if not np.iscomplexobj(z):
        z = np.asarray(z, dtype=float)
        if n == 1 and z.size >= MANY and np.min(z) > 0:
            return _trigamma(z)
        with np.errstate(all="ignore"):
            return (-1.0) ** (n + 1) * factorial(n) * special.zeta(n + 1, z)
    return _complex_polygamma(n, np.asarray(z, dtype=complex))[()]


def _trigamma(z: Any) -> Any:
    """The recurrence and the series for many positive numbers, of which `zeta` takes each by itself."""
    total = np.zeros_like(z)
    with np.errstate(over="ignore", divide="ignore"):
        for k in range(STEPS):
            shifted = z + k
            total += 1.0 / (shifted * shifted)
    v = 1.0 / (z + STEPS)
    square, series = v * v, BERNOULLI[7]
    for b in BERNOULLI[6::-1]:
        series = b + square * series
    return total + v * (1.0 + v * (0.5 + v * series))


def _complex_polygamma(n: int, z: Any) -> Any:
    far = (np.real(z) >= FAR) | ((np.abs(z) >= 2 * FAR) & (np.abs(np.imag(z)) >= FAR))
    shifts = np.where(far | np.isnan(z), 0.0, np.ceil(FAR - np.real(z)))
    most = int(np.max(shifts, initial=0.0))
    if most > MOST_SHIFTS:
        raise NotDifferentiableError(
            f"digamma near the negative axis, {most} units left of where its series holds",
            next="use the reflection ψ(1 − z) = ψ(z) + π cot πz",
        )
    total = np.zeros_like(z)
    with np.errstate(all="ignore"):
        for k in range(most):
            total = total + np.where(k < shifts, 1.0 / (z + k) ** (n + 1), 0.0)
        w = z + shifts
        tail = factorial(n - 1) / w**n + factorial(n) / (2 * w ** (n + 1))
        for k, b in enumerate(BERNOULLI, 1):
            tail = tail + b * factorial(2 * k + n - 1) / factorial(2 * k) / w ** (2 * k + n)
    return (-1) ** (n + 1) * (factorial(n) * total + tail)


scalar_rule(polygamma, WHOLE, lambda y, n, z: polygamma(n + 1, z))


def psi_difference(z: Any, m: Any) -> Any:
    """ψ(z + m) − ψ(z), exact also where m is small; real arguments.

    Example: >>> round(float(psi_difference(2.0, 1.0)), 12)
             0.5
    """
    z, m = np.broadcast_arrays(np.asarray(z, dtype=float), np.asarray(m, dtype=float))
    with np.errstate(all="ignore"):
        far, here = special.psi(z + m), special.psi(z)
        plain = np.asarray(far - here)
        cancels = (z > 0) & (z + m > 0) & ~(np.abs(plain) >= KEPT * (np.abs(far) + np.abs(here)))
        if np.any(cancels):
            plain[cancels] = _difference(z[cancels], m[cancels])
    return plain[()]


def _difference(z: Any, m: Any) -> Any:
    """The recurrence and the series term by term, of flat arrays."""
    k = np.arange(STEPS)[:, None]
    total = np.sum(m / ((z + k) * (z + (m + k))), axis=0)
    w = z + STEPS
    t = np.log1p(m / w)
    total = total + t + m / (2 * w * (w + m))
    even = -2.0 * np.arange(1, len(SERIES) + 1)[:, None]
    return total + SERIES @ (np.expm1(even * t) * np.exp(even * np.log(w)))


scalar_rule(
    psi_difference,
    lambda y, z, m: polygamma(1, z + m) - polygamma(1, z),
    lambda y, z, m: polygamma(1, z + m),
)


def reciprocal_gamma_slope(x: Any) -> Any:
    """(1/Γ)′ = −ψ/Γ; left of ½ by the reflection, Γ(1−x) (cos πx − sin πx ψ(1−x)/π), which has no poles.

    Example: >>> reciprocal_gamma_slope(-2.0)
             np.float64(2.0)
    """
    left = np.real(x) < 0.5
    u, v = np.where(left, x, 0.0), np.where(left, 1.0, x)
    turns = np.round(np.real(u))
    sign, angle = np.where(turns % 2 == 0, 1.0, -1.0), np.pi * (u - turns)
    on_left = special.gamma(1.0 - u) * sign * (np.cos(angle) - np.sin(angle) * special.psi(1.0 - u) / np.pi)
    return np.where(left, on_left, -special.rgamma(v) * special.psi(v))[()]
