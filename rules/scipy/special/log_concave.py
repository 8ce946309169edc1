"""Integrals of log-concave densities up to an end, times functions of the logarithm, by Gauss and Legendre.

A density falls off from its end as e^{g(v)}, g concave with g(0) = 0. Newton's method, begun where it
overshoots, comes to g(v) = −42 from outside; what lies beyond is less than 10⁻¹⁸ of the density at the end.
The integrands here are analytic within π of the real axis, so that panels of at most twelve units of v with
forty nodes are exact to rounding.
"""

from __future__ import annotations

from collections.abc import Callable
from math import comb
from typing import Any

import numpy as np
from scipy import special

DROP = 42.0
PANEL = 12.0
AT_ONCE = 2**13  # values of the integrand, which stay in a processor's cache
NODES, WEIGHTS = np.polynomial.legendre.leggauss(40)
STEPS = 8


def falls_off(g: Callable[[Any], tuple[Any, Any]], start: Any) -> Any:
    """Where g, given with its slope, has fallen to −42, or a little beyond."""
    v = start
    for _ in range(STEPS):
        value, slope = g(v)
        v = v - (value + DROP) / slope
    return v


def integral(f: Callable[..., Any], width: Any, *parameters: Any) -> Any:
    """∫₀ʷ f(v, *parameters) dv, entry by entry of one-dimensional arrays, down from 0 where w is negative."""
    out = np.full(width.shape, np.nan)
    panels = np.where(np.isfinite(width), np.ceil(np.abs(width) / PANEL), 0).astype(int)
    for count in np.unique(panels[panels > 0]):
        rows = np.flatnonzero(panels == count)
        nodes = ((NODES + 1) / 2 + np.arange(count)[:, None]).ravel() / count
        weights = np.tile(WEIGHTS / 2, count) / count
        for here in np.array_split(rows, -(-rows.size * nodes.size // AT_ONCE)):
            w = width[here][:, None]
            values = f(w * nodes, *(p[here][:, None] for p in parameters))
            out[here] = (values @ weights) * np.abs(width[here])
    out[panels == 0] = np.where(width[panels == 0] == 0, 0.0, np.nan)
    return out


def moments(cumulants: Callable[[int, int], Any], i: int, j: int) -> Any:
    """The factor by which ∂ⁱ⁺ʲ of e^c differs from e^c, given the derivatives of c: moments from cumulants.

    Example: >>> moments(lambda k, l: {(1, 0): 3.0, (2, 0): 1.0}[k, l], 2, 0)
             10.0
    """
    if i == j == 0:
        return 1.0
    if i == 0:
        return _step(lambda k, m: cumulants(m, k), j, 0)
    return _step(cumulants, i, j)


def _step(cumulants: Callable[[int, int], Any], i: int, j: int) -> Any:
    total: Any = 0.0
    for k in range(i):
        for m in range(j + 1):
            term = comb(i - 1, k) * comb(j, m) * cumulants(k + 1, m)
            total = total + term * moments(cumulants, i - 1 - k, j - m)
    return total


def log_gamma_star(a: Any) -> Any:
    """log Γ(a) − (a − ½) log a + a − ½ log 2π, which is small for large a (DLMF 5.11.1)."""
    large = a > 12.0
    z, w = np.where(large, a, 13.0), np.where(large, 1.0, a)
    r = 1.0 / (z * z)
    series = np.polynomial.polynomial.polyval(r, STIRLING) / z
    direct = special.gammaln(w) - (w - 0.5) * np.log(w) + w - 0.5 * np.log(2 * np.pi)
    return np.where(large, series, direct)


STIRLING = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156, -3617 / 122400)
