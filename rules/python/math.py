"""What `math` has beyond the functions it shares with NumPy: several arguments, sums, products, erf.

`hypot` and `dist` have derivative zero where they are zero. `prod` forms its partials without a
division, so zeros among the factors do no harm.
"""

from __future__ import annotations

import math
from typing import Any

from ...core import Real, frule, rrule, scalar_rule
from ...tangents import ZERO
from ..quiet import divide, ratio
from .iteration import Sequence, gathered, layout, spread


def polygamma(x: Any, n: int) -> float:
    """The derivative of order n + 1 of log Γ; SciPy is imported when it is first needed."""
    from scipy.special import polygamma

    return float(polygamma(n, x))


@frule(polygamma)
def polygamma_frule(tangents, x: Real, *, n):
    """y = ψ⁽ⁿ⁾(x)        ẏ = ψ⁽ⁿ⁺¹⁾(x) ẋ"""
    return polygamma(x, n), polygamma(x, n + 1) * tangents[0]


@rrule(polygamma)
def polygamma_rrule(x: Real, *, n):
    """y = ψ⁽ⁿ⁾(x)        x̄ = ψ⁽ⁿ⁺¹⁾(x) ȳ"""

    def polygamma_pullback(y_bar):
        return polygamma(x, n + 1) * y_bar

    return polygamma(x, n), polygamma_pullback


scalar_rule(math.erf, lambda y, x: 2 / math.sqrt(math.pi) * math.exp(-x * x))
scalar_rule(math.erfc, lambda y, x: -2 / math.sqrt(math.pi) * math.exp(-x * x))
scalar_rule(math.gamma, lambda y, x: y * polygamma(x, 0))
scalar_rule(math.lgamma, lambda y, x: polygamma(x, 0))
scalar_rule(
    math.log,
    lambda y, x, base: divide(1.0, x * math.log(base)),
    lambda y, x, base: -divide(y, base * math.log(base)),
)


@frule(math.hypot)
def hypot_frule(tangents, *x: Real):
    """y = √Σ xᵢ²        ẏ = Σ xᵢ ẋᵢ / y"""
    y = math.hypot(*x)
    dy = ZERO
    for i in range(len(x)):
        dy = dy + tangents[i] * ratio(x[i], y)
    return y, dy


@rrule(math.hypot)
def hypot_rrule(*x: Real):
    """x̄ᵢ = ȳ xᵢ / y"""
    y = math.hypot(*x)

    def hypot_pullback(y_bar):
        return tuple([y_bar * ratio(value, y) for value in x])

    return y, hypot_pullback


@frule(math.dist)
def dist_frule(tangents, p: Sequence, q: Sequence):
    """y = |p − q|        ẏ = Σ (pᵢ − qᵢ)(ṗᵢ − q̇ᵢ) / y"""
    y = math.dist(p, q)
    dp, dq = spread(p, tangents[0]), spread(q, tangents[1])
    dy = ZERO
    for i in range(len(p)):
        dy = dy + (dp[i] - dq[i]) * ratio(p[i] - q[i], y)
    return y, dy


@rrule(math.dist)
def dist_rrule(p: Sequence, q: Sequence):
    """p̄ᵢ = ȳ (pᵢ − qᵢ) / y = −q̄ᵢ"""
    y = math.dist(p, q)
    p_kind, q_kind = layout(p), layout(q)

    def dist_pullback(y_bar):
        p_bars = [y_bar * ratio(p[i] - q[i], y) for i in range(len(p))]
        return gathered(p_kind, p_bars), gathered(q_kind, [-slope for slope in p_bars])

    return y, dist_pullback


@frule(math.fsum)
def fsum_frule(tangents, seq: Sequence):
    """The sum of the tangents."""
    dy = ZERO
    for dx in spread(seq, tangents[0]):
        dy = dy + dx
    return math.fsum(seq), dy


@rrule(math.fsum)
def fsum_rrule(seq: Sequence):
    """Each item has the cotangent of the sum."""
    kind, length = layout(seq), len(seq)

    def fsum_pullback(y_bar):
        return gathered(kind, (y_bar,) * length)

    return math.fsum(seq), fsum_pullback


def _products_of_the_others(x, start):
    """For each factor, the product of all the others: of those before it with those after it."""
    before = []
    product = start
    for value in x:
        before.append(product)
        product = product * value
    others = []
    product = 1
    for i in range(len(x) - 1, -1, -1):
        others.append(before[i] * product)
        product = product * x[i]
    return others[::-1]


@frule(math.prod)
def prod_frule(tangents, iterable: Sequence, *, start=1):
    """ẏ = Σ ẋᵢ ∏ⱼ≠ᵢ xⱼ"""
    dx = spread(iterable, tangents[0])
    others = _products_of_the_others(iterable, start)
    dy = ZERO
    for i in range(len(others)):
        dy = dy + dx[i] * others[i]
    return math.prod(iterable, start=start), dy


@rrule(math.prod)
def prod_rrule(iterable: Sequence, *, start=1):
    """x̄ᵢ = ȳ conj(∏ⱼ≠ᵢ xⱼ)"""
    kind = layout(iterable)
    others = _products_of_the_others(iterable, start)

    def prod_pullback(y_bar):
        return gathered(kind, [y_bar * other.conjugate() for other in others])

    return math.prod(iterable, start=start), prod_pullback
