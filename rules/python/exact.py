"""Arithmetic of `Fraction` and `Decimal`: natural, exact tangents.

Tangents and cotangents are fractions and decimals themselves, and floats where a `Fraction`
meets a float. An exponent is a count. `abs` has derivative zero at zero.
"""

from __future__ import annotations

import operator
from decimal import Decimal
from fractions import Fraction
from typing import Any

from ...core import frule, non_differentiable, rrule
from ...core.registry import register
from ...tangents import NO_TANGENT, ZERO

Exact = Fraction | Decimal
Other = Fraction | Decimal | int | float
Pair = tuple[Any, Any]  # the forward and the reverse rule


def _one(z):
    """One, in the type of z."""
    return type(z)(1)


def _sign(x):
    """−1, 0 or 1."""
    return int(x > 0) - int(x < 0)


non_differentiable(_one, _sign, why="is piecewise constant")


def _of(z, t):
    """A term of the tangent of z, in its type."""
    return t * _one(z)


def _sum(f: Any, sign: int) -> Pair:
    """z = x ± y        ż = ẋ ± ẏ        x̄ = z̄        ȳ = ±z̄"""

    def exact_sum_frule(tangents, x, y):
        z = f(x, y)
        return z, _of(z, tangents[0]) + sign * _of(z, tangents[1])

    def exact_sum_rrule(x, y):
        def exact_sum_pullback(z_bar):
            return z_bar, sign * z_bar

        return f(x, y), exact_sum_pullback

    return exact_sum_frule, exact_sum_rrule


def _product(f: Any) -> Pair:
    """z = x y        ż = ẋ y + x ẏ        x̄ = z̄ y        ȳ = z̄ x"""

    def exact_product_frule(tangents, x, y):
        return f(x, y), tangents[0] * y + x * tangents[1]

    def exact_product_rrule(x, y):
        def exact_product_pullback(z_bar):
            return z_bar * y, z_bar * x

        return f(x, y), exact_product_pullback

    return exact_product_frule, exact_product_rrule


def _quotient(f: Any) -> Pair:
    """z = x / y        ż = (ẋ − z ẏ) / y        x̄ = z̄ / y        ȳ = −z̄ z / y"""

    def exact_quotient_frule(tangents, x, y):
        z = f(x, y)
        return z, (tangents[0] - z * tangents[1]) / y

    def exact_quotient_rrule(x, y):
        z = f(x, y)

        def exact_quotient_pullback(z_bar):
            return z_bar / y, -z_bar * z / y

        return z, exact_quotient_pullback

    return exact_quotient_frule, exact_quotient_rrule


for _f, (_forward, _reverse) in {
    operator.add: _sum(operator.add, 1),
    operator.sub: _sum(operator.sub, -1),
    operator.mul: _product(operator.mul),
    operator.truediv: _quotient(operator.truediv),
}.items():
    for _types in ((Exact, Other), (int | float, Exact)):
        register(_f, _forward, "forward", types=_types)
        register(_f, _reverse, "reverse", types=_types)


@frule(operator.pow)
def exact_pow_frule(tangents, x: Exact, n: int):
    """ẏ = n xⁿ⁻¹ ẋ"""
    return x**n, ZERO if n == 0 else n * x ** (n - 1) * tangents[0]


@rrule(operator.pow)
def exact_pow_rrule(x: Exact, n: int):
    """x̄ = n xⁿ⁻¹ ȳ"""

    def exact_pow_pullback(y_bar):
        return ZERO if n == 0 else n * x ** (n - 1) * y_bar, NO_TANGENT

    return x**n, exact_pow_pullback


def _times(f: Any, slope: Any) -> None:
    """The rules of y = f(x), whose slope is a whole number."""

    @frule(f)
    def exact_times_frule(tangents, x: Exact):
        """ẏ = s ẋ"""
        return f(x), slope(x) * tangents[0]

    @rrule(f)
    def exact_times_rrule(x: Exact):
        """x̄ = s ȳ"""

        def exact_times_pullback(y_bar):
            return slope(x) * y_bar

        return f(x), exact_times_pullback


_times(operator.neg, lambda x: -1)
_times(operator.pos, lambda x: 1)
for _g in (abs, operator.abs):
    _times(_g, _sign)


@frule(float)
def exact_float_frule(tangents, x: Exact):
    """ẏ = ẋ"""
    return float(x), float(tangents[0])


@rrule(float)
def exact_float_rrule(x: Exact):
    """x̄ = ȳ"""

    def exact_float_pullback(y_bar):
        return y_bar

    return float(x), exact_float_pullback
