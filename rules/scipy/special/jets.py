"""Truncated Taylor series in two variables: products, exponentials, gamma functions.

A series is the array of its coefficients: `c[i, j]` stands with sⁱ tʲ; the derivative of orders i, j is
i! j! times it. With them the integrand of a quadrature is differentiated by two parameters at once, to
any order.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy import special

Jet = Any  # an array (i + 1, j + 1, …)


def product(a: Jet, b: Jet) -> Jet:
    """The series of the product, cut off where the factors are."""
    made = np.zeros(np.broadcast_shapes(a.shape, b.shape), np.result_type(a, b))
    for i, j in np.ndindex(a.shape[:2]):
        made[i:, j:] += a[i, j] * b[: made.shape[0] - i, : made.shape[1] - j]
    return made


def exponential(a: Jet) -> Jet:
    """The series of e to the power of a series."""
    rest = a.copy()
    rest[0, 0] = 0.0
    made = term = constant(1.0, a.shape)
    for k in range(1, a.shape[0] + a.shape[1] - 1):
        term = product(term, rest) / k
        made = made + term
    return made * np.exp(a[0, 0])


def constant(value: Any, shape: tuple[int, ...]) -> Jet:
    """The series that is one number."""
    made = np.zeros(shape, np.result_type(value, float))
    made[0, 0] = value
    return made


def linear(value: Any, by_s: float, by_t: float, shape: tuple[int, ...]) -> Jet:
    """value + by_s s + by_t t"""
    made = constant(value, shape)
    if shape[0] > 1:
        made[1, 0] = by_s
    if shape[1] > 1:
        made[0, 1] = by_t
    return made


def log_gamma(value: float, by_s: float, by_t: float, shape: tuple[int, int]) -> Jet:
    """log Γ(value + by_s s + by_t t) of a positive value        [DLMF 5.15.1]"""
    made = np.zeros(shape)
    for i, j in np.ndindex(shape):
        order = i + j
        slope = special.polygamma(order - 1, value) if order else special.gammaln(value)
        made[i, j] = slope * by_s**i * by_t**j / (math.factorial(i) * math.factorial(j))
    return made


def rising(value: float, by_s: float, by_t: float, count: int, shape: tuple[int, int]) -> Jet:
    """(z)ₙ = z (z + 1) … (z + n − 1) of z = value + by_s s + by_t t"""
    made = constant(1.0, shape)
    for k in range(count):
        made = product(made, linear(value + k, by_s, by_t, shape))
    return made
