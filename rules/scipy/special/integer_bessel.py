"""Bessel functions of orders 0 and 1, j0 to k1, and the derivatives of Bessel functions, jvp to kvp.

The derivatives of order 1 are differences of orders 0 and 2, not quotients by x, so that they are right at 0.
`jvp(v, z, n)` and its kin are finite sums over neighbouring orders (DLMF 10.6.7, 10.29.5).
"""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np
from scipy import special

from ....core import Array, frule, rrule, scalar_rule, unbroadcast
from ....tangents import ZERO, is_zero
from ...numpy.adjoints import conj
from .orders import by_order

scalar_rule(special.j0, lambda y, x: -special.j1(x), strong_zero=True)
scalar_rule(special.y0, lambda y, x: -special.y1(x), strong_zero=True)
scalar_rule(special.i0, lambda y, x: special.i1(x), strong_zero=True)
scalar_rule(special.k0, lambda y, x: -special.k1(x), strong_zero=True)
scalar_rule(special.j1, lambda y, x: 0.5 * (special.j0(x) - special.jv(2, x)), strong_zero=True)
scalar_rule(special.y1, lambda y, x: 0.5 * (special.y0(x) - special.yv(2, x)), strong_zero=True)
scalar_rule(special.i1, lambda y, x: 0.5 * (special.i0(x) + special.iv(2, x)), strong_zero=True)
scalar_rule(special.k1, lambda y, x: -0.5 * (special.k0(x) + special.kv(2, x)), strong_zero=True)


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
                v_bar = unbroadcast(conj(order(v, z, n)) * y_bar, np.shape(v))
            if needs[1]:
                z_bar = unbroadcast(conj(f(v, z, n + 1)) * y_bar, np.shape(z))
            return v_bar, z_bar

        return f(v, z, n), primed_pullback


primed_rule(special.jvp, "j", -1)
primed_rule(special.yvp, "y", -1)
primed_rule(special.h1vp, "h1", -1)
primed_rule(special.h2vp, "h2", -1)
primed_rule(special.ivp, "i", 1)
primed_rule(special.kvp, "k", 1, -1)
