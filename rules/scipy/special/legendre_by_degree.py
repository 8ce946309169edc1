"""Legendre functions P_ν(x) by their real degree, for x in (−1, 1): every derivative, all points at once.

The integral of Mehler and Dirichlet (DLMF 14.12.1), with sin(t/2) = k sin ψ and k² = (1 − x)/2, is

    P_ν = (2/π) ∫ cos((2ν + 1) a) / cos a dψ,        a = arcsin(k sin ψ), ψ from 0 to π/2.

Its integrand is even and has the period π, so that the trapezoidal rule converges exponentially: with N
intervals the error is e^(−4Nd), cosh d = 1/k, once N is more than |2ν + 1|/4. Points that need about as many
go together. Near x = −1, where d is small, Gegenbauer's integral (`gegenbauer`) takes over.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

LOWEST = -0.98
DIGITS = 40.0  # of e: what the rule leaves out is smaller than e^−40
MOST = 2**16  # intervals times points that are summed at once


def legendre_by_degree(nu: Any, x: Any, i: int) -> Any:
    """∂ⁱP_ν/∂νⁱ = (2/π) ∫ (2a)ⁱ cos((2ν + 1) a + iπ/2) / cos a dψ for i ≥ 1, of flat arrays.

    Example: >>> float(legendre_by_degree(np.zeros(1), np.array([0.5]), 1)[0] - np.log(0.75)) < 1e-15
             True
    """
    found = np.empty(x.shape)
    with np.errstate(divide="ignore"):
        d = np.arccosh(1 / np.sqrt((1 - x) / 2))
    wanted = np.exp2(np.ceil(2 * np.log2(DIGITS / (4 * d) + np.abs(2 * nu + 1) / 4 + 4)) / 2)
    for count in np.unique(wanted):
        rows, n = np.flatnonzero(wanted == count), math.ceil(count)
        for some in np.array_split(rows, math.ceil(rows.size * n / MOST)):
            found[some] = _sum(nu[some][:, None], x[some][:, None], i, n)
    return found


def _sum(nu: Any, x: Any, i: int, n: int) -> Any:
    """The trapezoidal rule with n intervals; at ψ = 0 the integrand is 0, at ψ = π/2 it counts half."""
    psi = np.pi / (2 * n) * np.arange(1, n + 1)
    weights = np.where(np.arange(1, n + 1) == n, 0.5, 1.0) / n
    k2 = (1 - x) / 2
    cosine = np.sqrt((1 + x) / 2 + k2 * np.cos(psi) ** 2)
    a = np.arctan2(np.sqrt(k2) * np.sin(psi), cosine)
    wave = (np.sin, np.cos)[(i + 1) % 2]((2 * nu + 1) * a)
    sign = (1.0, -1.0, -1.0, 1.0)[i % 4]
    return sign * ((2 * a) ** i * wave / cosine) @ weights
