"""The p-values of tests of fit, by the distance that was found.

The two-sided distance of n observations from a continuous distribution has a distribution that is a
polynomial, an entry of a matrix's power [Marsaglia, Tsang & Wang 2003]; Cramér and von Mises' one is the
first two terms of an expansion in 1/n [Csörgő & Faraway 1996].
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import gamma, gammaln, kolmogorov, kve, smirnov

from ....core import NotDifferentiableError, non_differentiable

LARGEST = 400


def kolmogorov_tail(distance: Any, n: int, alternative: str, method: str) -> Any:
    """The p-value of a greatest distance."""
    if alternative != "two-sided":
        return smirnov(n, distance)
    if method == "asymp":
        return kolmogorov(distance * np.sqrt(n))
    if method == "approx":
        return np.clip(2.0 * smirnov(n, distance), 0.0, 1.0)
    if np.ndim(distance) == 0:
        return both_sided(distance, n)
    found = [both_sided(d, n) for d in np.reshape(distance, -1)]
    return np.reshape(np.stack(found), np.shape(distance))


def both_sided(d: Any, n: int) -> Any:
    """1 − n!/nⁿ (Hⁿ)ₖₖ, with h = k − n d; far out twice the one-sided tail, to the last digit"""
    if one_sided(d, n):
        return 2.0 * smirnov(n, d)
    k, powers, inside, column, row, corner, divisors = frame(d, n)
    h = k - n * d
    raised = h**powers
    below = np.maximum(2.0 * h - 1.0, 0.0) ** len(powers)
    H = (inside - raised[:, None] * column - raised[::-1] * row + below * corner) / divisors
    return 1.0 - np.linalg.matrix_power(H / np.e, n)[k - 1, k - 1] * leading(n)


def one_sided(d: Any, n: int) -> Any:
    """Whether a distance is so great that only one side has it, to the last digit."""
    return bool(d >= 0.5 or n * d * d > 6.0)


def frame(d: Any, n: int) -> Any:
    """What does not move in H: its middle row, powers, where entries stand, and what divides them."""
    k = int(n * d) + 1
    m = 2 * k - 1
    if m > LARGEST:
        raise NotDifferentiableError(
            f"the exact p-value of {n} observations at the distance {d} by a matrix of order {m}",
            next="give scipy.stats.ks_1samp method='asymp'",
        )
    i, j = np.indices((m, m))
    inside = (i - j + 1 >= 0) * 1.0
    divisors = gamma(np.maximum(i - j + 1, 0) + 1.0)
    last = m - 1
    column, row = (j == 0) * 1.0, (i == last) * 1.0
    return k, np.arange(1, m + 1), inside, column, row, column * row, divisors


def leading(n: int) -> Any:
    """n! eⁿ/nⁿ"""
    return np.exp(gammaln(n + 1.0) - n * np.log(n) + n)


non_differentiable(one_sided, frame, leading, why="are constants")


TERMS = 12
"""Of the series of the p-value, whose terms fall off as exp −(4 k + 1)²/(16 x)."""


def cramer_tail(x: Any, n: int) -> Any:
    """The p-value by two terms of an expansion in 1/n [Csörgő & Faraway 1996, 1.3 and 1.8]"""
    k, x = np.arange(TERMS) * 1.0, np.expand_dims(x, -1)
    limit = np.sum(limit_term(x, k), axis=-1)
    correction = np.sum(correction_term(x, k), axis=-1)
    found = 1.0 - (limit * (1.0 + 1.0 / (12.0 * n)) - correction / n)
    return np.maximum(found, 0.0)


def limit_term(x: Any, k: Any) -> Any:
    """The terms of the limit's distribution function."""
    y = 4.0 * k + 1.0
    factor = np.exp(gammaln(k + 0.5) - gammaln(k + 1.0)) * np.sqrt(y) / np.pi**1.5
    q = y * y / (16.0 * x)
    return factor / np.sqrt(x) * np.exp(-2.0 * q) * kve(0.25, q)


def parabolic_2(y: Any) -> Any:
    """Of D₂ and of its order 3/2: K of orders 1/4 and 3/4, with exp −2 z."""
    z = 0.25 * y * y
    return np.exp(-2.0 * z) * (0.5 * y) ** 1.5 * (kve(0.25, z) + kve(0.75, z)) / np.sqrt(np.pi)


def parabolic_3(y: Any) -> Any:
    """Of order 5/2: K of orders 1/4, 3/4 and 5/4."""
    z = 0.25 * y * y
    bessel = 2.0 * kve(0.25, z) + 3.0 * kve(0.75, z) - kve(1.25, z)
    return np.exp(-2.0 * z) * (0.5 * y) ** 2.5 * bessel / np.sqrt(np.pi)


def correction_term(x: Any, k: Any) -> Any:
    """The terms of the part that falls off as 1/n."""
    m, root = 2.0 * k + 1.0, 2.0 * np.sqrt(x)
    first, second = gamma(k + 0.5), gamma(k + 1.5)
    y1, y2 = x**0.75, x**1.25
    found = m * first * parabolic_2((4.0 * k + 3.0) / root) / (9.0 * y1)
    found = found + first * parabolic_3((4.0 * k + 1.0) / root) / (72.0 * y2)
    found = found + (m + 2.0) * second * parabolic_3((4.0 * k + 5.0) / root) / (6.0 * y2)
    ends = parabolic_2((4.0 * k + 1.0) / root) + parabolic_2((4.0 * k + 5.0) / root)
    return (found + 7.0 * m * first * ends / (144.0 * y1)) / (np.pi * gamma(k + 1.0))
