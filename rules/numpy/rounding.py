"""Rounding and remainders, for NumPy's functions, Python's operators and `math` alike.

Rounding has derivative zero, at the jumps too; so has the spacing of numbers. A remainder x − n m has the
partials 1 and −n; at a jump of n it takes those of the side that its value is on. Parts of a number are
here too: modf, frexp, ldexp. Seeds of several outputs come as a `Composite[tuple]`.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from ...core import Array, frule, rrule, scalar_rule, unbroadcast
from ...core.seeds import answer_to
from ...tangents import NO_TANGENT, ZERO, Composite, is_zero, unthunk
from ..steps import piecewise_constant

piecewise_constant(np.floor, np.ceil, np.trunc, np.rint, np.fix, math.floor, math.ceil, math.trunc)
piecewise_constant(np.floor_divide, operator.floordiv, operator.ifloordiv, arity=2)

f: Any  # ufuncs and builtins
for f in (np.remainder, operator.mod, operator.imod):
    scalar_rule(f, 1, lambda y, x, m: -1.0 * (x // m))

for f in (np.fmod, math.fmod, math.remainder):
    scalar_rule(f, 1, lambda y, x, m: -np.rint((x - y) / m))


@frule(np.ndarray.round)
@frule(np.around)
@frule(np.round)
def round_frule(tangents, a: Array, *, decimals=0):
    """ẏ = 0"""
    return np.round(a, decimals), ZERO


@rrule(np.ndarray.round, lazy_seed=True)
@rrule(np.around, lazy_seed=True)
@rrule(np.round, lazy_seed=True)
def round_rrule(a: Array, *, decimals=0):
    """ā = 0"""

    def round_pullback(y_bar):
        return answer_to(y_bar)

    return np.round(a, decimals), round_pullback


def _divmod(f: Callable[..., Any]) -> None:
    @frule(f)
    def divmod_frule(tangents, x: Array, m: Array):
        """(n, r) = (⌊x/m⌋, x − n m)        ṅ = 0        ṙ = ẋ − n ṁ"""
        dx, dm = tangents
        n, r = f(x, m)
        dr = dx
        if not is_zero(dm):
            dr = -n * dm if is_zero(dx) else dx - n * dm
        return (n, r), Composite[tuple](ZERO, np.broadcast_to(dr, np.shape(r)))

    @rrule(f)
    def divmod_rrule(x: Array, m: Array):
        """x̄ = r̄        m̄ = −n r̄"""
        x_shape, m_shape = np.shape(x), np.shape(m)
        n, r = f(x, m)

        def divmod_pullback(y_bar):
            r_bar = unthunk(y_bar[1])
            if is_zero(r_bar):
                return ZERO, ZERO
            return unbroadcast(r_bar, x_shape), unbroadcast(n * -r_bar, m_shape)

        return (n, r), divmod_pullback


def _modf(f: Callable[..., Any]) -> None:
    @frule(f)
    def modf_frule(tangents, x: Array):
        """x = fraction + whole; the fraction's tangent is ẋ, the whole's zero"""
        (dx,) = tangents
        return f(x), Composite[tuple](dx, ZERO)

    @rrule(f)
    def modf_rrule(x: Array):
        """x̄ is the cotangent of the fraction"""

        def modf_pullback(y_bar):
            return y_bar[0]

        return f(x), modf_pullback


def _ldexp(f: Callable[..., Any]) -> None:
    @frule(f)
    def ldexp_frule(tangents, x: Array, i: Array):
        """y = x 2ⁱ        ẏ = ẋ 2ⁱ; an exponent is an integer and has no derivative"""
        return f(x, i), tangents[0] * np.ldexp(1.0, i)

    @rrule(f)
    def ldexp_rrule(x: Array, i: Array):
        """x̄ = ȳ 2ⁱ; an exponent is an integer and has no derivative"""
        x_shape = np.shape(x)

        def ldexp_pullback(y_bar):
            return unbroadcast(np.ldexp(y_bar, i), x_shape), NO_TANGENT

        return f(x, i), ldexp_pullback


def _frexp(f: Callable[..., Any]) -> None:
    @frule(f)
    def frexp_frule(tangents, x: Array):
        """x = m 2ᵉ        ṁ = ẋ 2⁻ᵉ; the exponent is an integer and has no derivative"""
        m, e = f(x)
        return (m, e), Composite[tuple](tangents[0] * np.ldexp(1.0, np.negative(e)), NO_TANGENT)

    @rrule(f)
    def frexp_rrule(x: Array):
        """x̄ = m̄ 2⁻ᵉ; the exponent is an integer and has no derivative"""
        m, e = f(x)

        def frexp_pullback(y_bar):
            m_bar = unthunk(y_bar[0])
            return ZERO if is_zero(m_bar) else np.ldexp(m_bar, np.negative(e))

        return (m, e), frexp_pullback


for f in (np.divmod, divmod):
    _divmod(f)
for f in (np.modf, math.modf):
    _modf(f)
for f in (np.ldexp, math.ldexp):
    _ldexp(f)
for f in (np.frexp, math.frexp):
    _frexp(f)
for f in (np.nextafter, math.nextafter):
    scalar_rule(f, 1, 0)
piecewise_constant(np.spacing, math.ulp)
