"""Arithmetic of `Fraction` and `Decimal`: natural, exact tangents.

Tangents and cotangents are fractions and decimals themselves, and floats where a `Fraction`
meets a float. An exponent is a count.
"""

from __future__ import annotations

import operator
from decimal import Decimal
from fractions import Fraction

from ...core import frule, non_differentiable, rrule
from ...tangents import NO_TANGENT, ZERO

Exact = Fraction | Decimal
Other = Fraction | Decimal | int | float


def _one(z):
    """One, in the type of z."""
    return type(z)(1)


non_differentiable(_one, why="returns a constant")


def _of(z, t):
    """A term of the tangent of z, in its type."""
    return t * _one(z)


@frule(operator.add)
def exact_add_frule(tangents, x: Exact, y: Other):
    """ż = ẋ + ẏ"""
    z = operator.add(x, y)
    return z, _of(z, tangents[0]) + _of(z, tangents[1])


@rrule(operator.add)
def exact_add_rrule(x: Exact, y: Other):
    """x̄ = ȳ = z̄"""
    return operator.add(x, y), lambda z_bar: (z_bar, z_bar)


@frule(operator.add)
def exact_add_reflected_frule(tangents, x: int | float, y: Exact):
    """ż = ẋ + ẏ"""
    z = operator.add(x, y)
    return z, _of(z, tangents[0]) + _of(z, tangents[1])


@rrule(operator.add)
def exact_add_reflected_rrule(x: int | float, y: Exact):
    """x̄ = ȳ = z̄"""
    return operator.add(x, y), lambda z_bar: (z_bar, z_bar)


@frule(operator.sub)
def exact_sub_frule(tangents, x: Exact, y: Other):
    """ż = ẋ - ẏ"""
    z = operator.sub(x, y)
    return z, _of(z, tangents[0]) - _of(z, tangents[1])


@rrule(operator.sub)
def exact_sub_rrule(x: Exact, y: Other):
    """x̄ = z̄        ȳ = -z̄"""
    return operator.sub(x, y), lambda z_bar: (z_bar, -z_bar)


@frule(operator.sub)
def exact_sub_reflected_frule(tangents, x: int | float, y: Exact):
    """ż = ẋ - ẏ"""
    z = operator.sub(x, y)
    return z, _of(z, tangents[0]) - _of(z, tangents[1])


@rrule(operator.sub)
def exact_sub_reflected_rrule(x: int | float, y: Exact):
    """x̄ = z̄        ȳ = -z̄"""
    return operator.sub(x, y), lambda z_bar: (z_bar, -z_bar)


@frule(operator.mul)
def exact_mul_frule(tangents, x: Exact, y: Other):
    """ż = ẋ y + x ẏ"""
    return operator.mul(x, y), tangents[0] * y + x * tangents[1]


@rrule(operator.mul)
def exact_mul_rrule(x: Exact, y: Other):
    """x̄ = z̄ y        ȳ = z̄ x"""
    return operator.mul(x, y), lambda z_bar: (z_bar * y, z_bar * x)


@frule(operator.mul)
def exact_mul_reflected_frule(tangents, x: int | float, y: Exact):
    """ż = ẋ y + x ẏ"""
    return operator.mul(x, y), tangents[0] * y + x * tangents[1]


@rrule(operator.mul)
def exact_mul_reflected_rrule(x: int | float, y: Exact):
    """x̄ = z̄ y        ȳ = z̄ x"""
    return operator.mul(x, y), lambda z_bar: (z_bar * y, z_bar * x)


@frule(operator.truediv)
def exact_truediv_frule(tangents, x: Exact, y: Other):
    """ż = (ẋ - z ẏ) / y"""
    z = operator.truediv(x, y)
    return z, (tangents[0] - z * tangents[1]) / y


@rrule(operator.truediv)
def exact_truediv_rrule(x: Exact, y: Other):
    """x̄ = z̄ / y        ȳ = -z̄ z / y"""
    z = operator.truediv(x, y)
    return z, lambda z_bar: (z_bar / y, -z_bar * z / y)


@frule(operator.truediv)
def exact_truediv_reflected_frule(tangents, x: int | float, y: Exact):
    """ż = (ẋ - z ẏ) / y"""
    z = operator.truediv(x, y)
    return z, (tangents[0] - z * tangents[1]) / y


@rrule(operator.truediv)
def exact_truediv_reflected_rrule(x: int | float, y: Exact):
    """x̄ = z̄ / y        ȳ = -z̄ z / y"""
    z = operator.truediv(x, y)
    return z, lambda z_bar: (z_bar / y, -z_bar * z / y)


@frule(operator.pow)
def exact_pow_frule(tangents, x: Exact, n: int):
    """ẏ = n xⁿ⁻¹ ẋ"""
    return x**n, ZERO if n == 0 else n * x ** (n - 1) * tangents[0]


@rrule(operator.pow)
def exact_pow_rrule(x: Exact, n: int):
    """x̄ = n xⁿ⁻¹ ȳ"""
    return x**n, lambda y_bar: (ZERO if n == 0 else n * x ** (n - 1) * y_bar, NO_TANGENT)


@frule(operator.neg)
def exact_neg_frule(tangents, x: Exact):
    """ẏ = -ẋ"""
    return -x, -tangents[0]


@rrule(operator.neg)
def exact_neg_rrule(x: Exact):
    """x̄ = -ȳ"""
    return -x, lambda y_bar: -y_bar
