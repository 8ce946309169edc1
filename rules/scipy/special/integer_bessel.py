"""Bessel functions of orders 0 and 1, j0 to k1, and the derivatives of Bessel functions, jvp to kvp.

The derivatives of order 1 are differences of orders 0 and 2, not quotients by x, so that they are right at 0.
Order 2 follows from orders 0 and 1 (DLMF 10.6.1, 10.29.1) where no digits are lost; that is much faster than
SciPy's functions of any order, and the derivatives of order 2 are those of these.
`jvp(v, z, n)` and its kin are finite sums over neighbouring orders (DLMF 10.6.7, 10.29.5).
"""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np
from scipy import special

from ....core import Array, frule, rrule, scalar_rule
from ....core.broadcasting import fit
from ....tangents import ZERO, is_zero
from ...numpy.adjoints import conj
from .orders import by_order

scalar_rule(special.j0, lambda y, x: -special.j1(x), strong_zero=True)
scalar_rule(special.y0, lambda y, x: -special.y1(x), strong_zero=True)
scalar_rule(special.i0, lambda y, x: special.i1(x), strong_zero=True)
scalar_rule(special.k0, lambda y, x: -special.k1(x), strong_zero=True)
scalar_rule(special.j1, lambda y, x: 0.5 * (special.j0(x) - j2(x)), strong_zero=True)
scalar_rule(special.y1, lambda y, x: 0.5 * (special.y0(x) - y2(x)), strong_zero=True)
scalar_rule(special.i1, lambda y, x: 0.5 * (special.i0(x) + i2(x)), strong_zero=True)
scalar_rule(special.k1, lambda y, x: -0.5 * (special.k0(x) + k2(x)), strong_zero=True)


def recurring(f: Any, x: Any, low: float, high: float, recurrence: Any) -> Any:
    """A function of order 2: by the recurrence between these |x|, by f(2, x) elsewhere."""
    x = np.asarray(x)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        y = np.asarray(recurrence(x))
    beside = ~((np.abs(x) > low) & (np.abs(x) < high) & np.isfinite(y))
    if np.any(beside):  # SciPy's functions misread `where=`
        y[beside] = f(2, x[beside])
    return y[()]


def j2(x: Any) -> Any:
    """J₂ = 2 J₁/x − J₀"""
    return recurring(special.jv, x, 1.0, np.inf, lambda x: 2.0 * special.j1(x) / x - special.j0(x))


def y2(x: Any) -> Any:
    """Y₂ = 2 Y₁/x − Y₀"""
    return recurring(special.yv, x, 0.0, np.inf, lambda x: 2.0 * special.y1(x) / x - special.y0(x))


def i2(x: Any) -> Any:
    """I₂ = I₀ − 2 I₁/x"""
    return recurring(special.iv, x, 2.0, 700.0, lambda x: special.i0(x) - 2.0 * special.i1(x) / x)


def k2(x: Any) -> Any:
    """K₂ = K₀ + 2 K₁/x"""
    return recurring(special.kv, x, 0.0, np.inf, lambda x: special.k0(x) + 2.0 * special.k1(x) / x)


scalar_rule(j2, lambda y, x: 0.5 * (special.j1(x) - special.jv(3, x)), strong_zero=True)
scalar_rule(y2, lambda y, x: 0.5 * (special.y1(x) - special.yv(3, x)), strong_zero=True)
scalar_rule(i2, lambda y, x: 0.5 * (special.i1(x) + special.iv(3, x)), strong_zero=True)
scalar_rule(k2, lambda y, x: -0.5 * (special.k1(x) + special.kv(3, x)), strong_zero=True)


def around(f: Any, v: Any, z: Any, n: Any, sign: int) -> Any:
    """2⁻ⁿ Σ (±1)ᵏ C(n, k) 𝒞ᵥ₋ₙ₊₂ₖ(z)"""
    total = f(v - n, z)
    for k in range(1, n + 1):
        total = total + sign**k * math.comb(n, k) * f(v - n + 2 * k, z)
    return total / 2.0**n


def primed_rule(f: Any, kind: str, sign: int, front: int = 1) -> None:
    """Both rules of the n-th derivative of a Bessel function: by z the next, by v that of each order."""

    def order(v: Any, z: Any, n: Any) -> Any:
        return front**n * around(partial(by_order, kind=kind, k=1), v, z, n, sign)

    @frule(f)
    def primed_frule(tangents, v: Array, z: Array, *, n=1):
        """y = ∂ⁿ𝒞ᵥ/∂zⁿ        ẏ = ∂ⁿ⁺¹𝒞ᵥ/∂zⁿ⁺¹ ż + ∂ⁿ⁺¹𝒞ᵥ/∂v∂zⁿ v̇"""
        dv, dz = tangents
        y = f(v, z, n)
        dy = ZERO if is_zero(dz) else f(v, z, n + 1) * dz
        return y, dy if is_zero(dv) else order(v, z, n) * dv + dy

    @rrule(f)
    def primed_rrule(v: Array, z: Array, *, n=1, needs):
        """z̄ = conj(∂ⁿ⁺¹𝒞ᵥ/∂zⁿ⁺¹) ȳ        v̄ = conj(∂ⁿ⁺¹𝒞ᵥ/∂v∂zⁿ) ȳ"""

        def primed_pullback(y_bar):
            v_bar = z_bar = ZERO
            if needs[0]:
                v_bar = fit(conj(order(v, z, n)) * y_bar, v)
            if needs[1]:
                z_bar = fit(conj(f(v, z, n + 1)) * y_bar, z)
            return v_bar, z_bar

        return f(v, z, n), primed_pullback


primed_rule(special.jvp, "j", -1)
primed_rule(special.yvp, "y", -1)
primed_rule(special.h1vp, "h1", -1)
primed_rule(special.h2vp, "h2", -1)
primed_rule(special.ivp, "i", 1)
primed_rule(special.kvp, "k", 1, -1)
