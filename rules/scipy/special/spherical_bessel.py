"""Spherical Bessel functions: spherical_jn, yn, in and kn; of the same kind riccati_jn, riccati_yn, lmbda.

Derivatives are sums over neighbouring orders, without a division by the argument, so that they are right at
0. The order is an integer and has no derivative; that of `lmbda` may be real, and a derivative by it is
refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import special

from ....core import Array, Real, frule, rrule
from ....core.broadcasting import fit
from ....tangents import NO_TANGENT
from ...numpy.adjoints import conj
from ...written import written_out


def spherical_rule(f: Callable[..., Any], below: int, above: int) -> None:
    """Both rules from fₙ′ = (± n fₙ₋₁ ± (n + 1) fₙ₊₁)/(2n + 1), which holds of the derivative too."""

    def slope(n: Any, z: Any, derivative: Any) -> Any:
        n = np.asarray(n)
        first = n * f(np.maximum(n - 1, 0), z, derivative=derivative)
        return (below * first + above * (n + 1) * f(n + 1, z, derivative=derivative)) / (2 * n + 1)

    @frule(f)
    def spherical_frule(tangents, n: Array, z: Array, *, derivative=False):
        """y = fₙ(z)        ẏ = fₙ′(z) ż; the order is an integer and has no derivative"""
        return f(n, z, derivative=derivative), slope(n, z, derivative) * tangents[1]

    @rrule(f)
    def spherical_rrule(n: Array, z: Array, *, derivative=False):
        """z̄ = conj(fₙ′(z)) ȳ; the order is an integer and has no derivative"""

        def spherical_pullback(y_bar):
            return NO_TANGENT, fit(conj(slope(n, z, derivative)) * y_bar, z)

        return f(n, z, derivative=derivative), spherical_pullback


spherical_rule(special.spherical_jn, 1, -1)  # DLMF 10.51.2
spherical_rule(special.spherical_yn, 1, -1)
spherical_rule(special.spherical_in, 1, 1)  # DLMF 10.51.5
spherical_rule(special.spherical_kn, -1, -1)


@written_out(special.riccati_jn)
def riccati_jn(x: Real, *, n):
    """Sₖ = x jₖ(x), k = 0 … n, and Sₖ′ = jₖ + x jₖ′ (DLMF 10.21(ix))"""
    orders = np.arange(n + 1)
    j, slope = special.spherical_jn(orders, x), special.spherical_jn(orders, x, derivative=True)
    return x * j, j + x * slope


@written_out(special.riccati_yn)
def riccati_yn(x: Real, *, n):
    """Cₖ = x yₖ(x), k = 0 … n, and Cₖ′ = yₖ + x yₖ′"""
    orders = np.arange(n + 1)
    y, slope = special.spherical_yn(orders, x), special.spherical_yn(orders, x, derivative=True)
    return x * y, y + x * slope


@written_out(special.lmbda)
def lmbda(x: Real, *, v):
    """Λᵥ = ₀F₁(v + 1; −x²/4), of orders v − ⌊v⌋ … v, and Λᵥ′ = −x ₀F₁(v + 2; −x²/4)/(2v + 2)"""
    orders = v - int(v) + np.arange(int(v) + 1)
    z = -0.25 * x * x
    return special.hyp0f1(orders + 1, z), -0.5 * x / (orders + 1) * special.hyp0f1(orders + 2, z)
