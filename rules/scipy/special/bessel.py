"""Bessel functions of any order by argument and order: jv, yv, iv, kv, hankel1, hankel2, and yn, kn.

The derivatives by the argument are differences and sums of neighbouring orders, without a division by it; on
a cut they stand on the side that the function does. Those by the order are in `orders`: for a real, positive
argument. `jn` is `jv`. The order of `yn` and `kn` is an integer and has no derivative.
"""

from __future__ import annotations

from scipy import special

from ....core import scalar_rule
from .integer_orders import integer_order_rule
from .orders import by_order

# DLMF 10.6.1: 𝒞ᵥ′ = ½ (𝒞ᵥ₋₁ − 𝒞ᵥ₊₁) of J, Y and both H
scalar_rule(
    special.jv,
    lambda y, v, z: by_order(v, z, kind="j", k=1),
    lambda y, v, z: 0.5 * (special.jv(v - 1, z) - special.jv(v + 1, z)),
    strong_zero=True,
)
scalar_rule(
    special.yv,
    lambda y, v, z: by_order(v, z, kind="y", k=1),
    lambda y, v, z: 0.5 * (special.yv(v - 1, z) - special.yv(v + 1, z)),
    strong_zero=True,
)
scalar_rule(
    special.hankel1,
    lambda y, v, z: by_order(v, z, kind="h1", k=1),
    lambda y, v, z: 0.5 * (special.hankel1(v - 1, z) - special.hankel1(v + 1, z)),
    strong_zero=True,
)
scalar_rule(
    special.hankel2,
    lambda y, v, z: by_order(v, z, kind="h2", k=1),
    lambda y, v, z: 0.5 * (special.hankel2(v - 1, z) - special.hankel2(v + 1, z)),
    strong_zero=True,
)

# DLMF 10.29.1: Iᵥ′ = ½ (Iᵥ₋₁ + Iᵥ₊₁), Kᵥ′ = −½ (Kᵥ₋₁ + Kᵥ₊₁)
scalar_rule(
    special.iv,
    lambda y, v, z: by_order(v, z, kind="i", k=1),
    lambda y, v, z: 0.5 * (special.iv(v - 1, z) + special.iv(v + 1, z)),
    strong_zero=True,
)
scalar_rule(
    special.kv,
    lambda y, v, z: by_order(v, z, kind="k", k=1),
    lambda y, v, z: -0.5 * (special.kv(v - 1, z) + special.kv(v + 1, z)),
    strong_zero=True,
)

integer_order_rule(special.yn, lambda y, n, x: 0.5 * (special.yn(n - 1, x) - special.yn(n + 1, x)))
integer_order_rule(special.kn, lambda y, n, x: -0.5 * (special.kn(n - 1, x) + special.kn(n + 1, x)))
