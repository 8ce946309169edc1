"""Wright's function φ(a, b; x) = Σ xᵏ/(k! Γ(a k + b)) and its logarithm, by both parameters, as jets.

All terms are positive for a, b, x ≥ 0 (DLMF 10.46.1), and summed relative to the largest of them, so that the
logarithm does not overflow. By x a derivative is φ(a, a + b; x); of the logarithm they follow as cumulants do
from moments. More than 20,000 terms are refused.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy import special

from ....core import NotDifferentiableError
from .linear_forms import Jet, Orders, product, quotient

MOST = 20_000
AT_ONCE = 2**17


def wright(a: Any, b: Any, x: Any, orders: Orders) -> Jet:
    """Of φ."""
    jet, top = _relative(a, b, x, orders)
    return jet * np.exp(top)


def log_wright(a: Any, b: Any, x: Any, orders: Orders) -> Jet:
    """Of log φ: by x from the ratios of φ(a, a m + b; x) to φ(a, b; x)."""
    *others, m = orders
    jet, top = _relative(a, b, x, (*others, 0))
    if m == 0:
        return _logarithm(jet, top)
    ratios: list[Any] = []
    for n in range(1, m + 1):
        raised, above = _relative(a, b, x, (*others, n))
        ratios.append(quotient(raised * np.exp(above - top), jet))
    slopes: list[Any] = []
    for n in range(m):
        rest = sum(math.comb(n, k) * product(slopes[k], ratios[n - 1 - k]) for k in range(n))
        slopes.append(ratios[n] - rest)
    return slopes[-1]


def _logarithm(jet: Jet, top: Any) -> Jet:
    """log c + Σ (−1)ⁿ⁺¹ uⁿ/n of a series c (1 + u), and the logarithm of what it is relative to."""
    zero = (0,) * (jet.ndim - 1)
    u = jet / jet[zero]
    u[zero] = 0.0
    made, power = u.copy(), u
    for n in range(2, sum(jet.shape[:-1])):
        power = product(power, u)
        made -= (-1) ** n * power / n
    made[zero] = top + np.log(jet[zero])
    return made


def _relative(a: Any, b: Any, x: Any, orders: Orders) -> tuple[Jet, Any]:
    """The series of φ(a, a m + b; x) over its largest term, and the logarithm of that."""
    i, j, m = orders
    with np.errstate(all="ignore"):
        centre = (x / np.where(a > 0, a, 1.0) ** a) ** (1 / (1 + a))
    terms = 2 ** np.ceil(np.log2(centre + 14 * np.sqrt(centre) + 40))
    valid = (a >= 0) & (b >= 0) & (x >= 0)
    if np.max(np.where(valid, terms, 0), initial=0) > MOST:
        raise NotDifferentiableError(
            f"Wright's function by its parameters, a sum of {np.nanmax(terms):g} terms",
            next="use a smaller argument, or the derivative by the argument alone",
        )
    made, tops = np.full((i + 1, j + 1, a.size), np.nan), np.full(a.size, np.nan)
    for count in np.unique(terms[valid]):
        rows = np.flatnonzero(valid & (terms == count))
        for some in np.array_split(rows, 1 + int(rows.size * count) // AT_ONCE):
            k = np.arange(count)[:, None]
            w = a[some] * (k + m) + b[some]
            log = special.xlogy(k, x[some]) - special.gammaln(k + 1) - special.gammaln(w + 1)
            tops[some] = np.max(log, axis=0)
            weights, slopes = np.exp(log - tops[some]), _over_gamma(w, i + j)
            for p, q in np.ndindex(i + 1, j + 1):
                part = math.comb(p + q, p) * (k + m) ** p * slopes[p + q]
                made[p, q, some] = np.sum(weights * part, axis=0)
    return made, tops


def _over_gamma(w: Any, n: int) -> list[Any]:
    """The Taylor coefficients of Γ(w + 1)/Γ(w + s) = Γ(w + 1) (w + s)/Γ(w + 1 + s), finite at w = 0"""
    psi = [special.psi(w + 1), *(special.polygamma(k, w + 1) / math.factorial(k) for k in range(1, n))]
    above: list[Any] = [np.ones_like(w)]
    for k in range(n):
        above.append(-sum(psi[i] * above[k - i] for i in range(k + 1)) / (k + 1))
    return [w * above[0], *(w * above[k] + above[k - 1] for k in range(1, n + 1))]
