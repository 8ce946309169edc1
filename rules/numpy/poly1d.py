"""Polynomials as objects: `np.poly1d`, whose tangent is a composite with one field, its `coeffs`.

Here are the making of one and the reading of its coefficients. Calling, adding, multiplying,
differentiating and integrating are Python programs over these, which the engine follows.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core import Array, frule, rrule
from ...core.calls import forward_of
from ...tangents import ZERO, construct, from_fields, is_zero
from .polynomial_algebra import leading_zeros

NAMES = ("_coeffs", "coeffs", "coef", "coefficients", "c")


@construct.register(np.poly1d)
def make_poly1d(P: Any, values: Any, like: Any) -> Any:
    """A polynomial with these coefficients, as `move` makes it."""
    return P(values["coeffs"], variable=getattr(like, "variable", None))


def coefficients(c_or_r: Any, r: bool) -> Any:
    """The coefficients of a polynomial made of coefficients, or of its roots."""
    c = np.reshape(np.poly(c_or_r) if r else c_or_r, -1)
    return c[leading_zeros(c) :] if len(c) else np.zeros(1)


@frule(np.poly1d)
def poly1d_frule(tangents, c_or_r: Array, *, r=False, variable=None, engine):
    """ċ, without the leading zeros that c had"""
    c, dc = forward_of(coefficients, (c_or_r, r), (tangents[0], ZERO), {}, engine)
    return np.poly1d(c, False, variable), from_fields(np.poly1d, {"coeffs": dc})


@rrule(np.poly1d)
def poly1d_rrule(c_or_r: Array, *, r=False, variable=None, engine):
    """c̄, with zeros where c had leading zeros"""
    c, pullback = engine.value_and_pullback(coefficients, c_or_r, r)

    def poly1d_pullback(y_bar):
        return ZERO if is_zero(y_bar.coeffs) else pullback(y_bar.coeffs)[0]

    return np.poly1d(c, False, variable), poly1d_pullback


@frule(np.poly1d)
def same_poly1d_frule(tangents, c_or_r: np.poly1d, *, r=False, variable=None):
    """ẏ = ẋ"""
    return np.poly1d(c_or_r, r, variable), tangents[0]


@rrule(np.poly1d)
def same_poly1d_rrule(c_or_r: np.poly1d, *, r=False, variable=None):
    """x̄ = ȳ"""

    def same_poly1d_pullback(y_bar):
        return y_bar

    return np.poly1d(c_or_r, r, variable), same_poly1d_pullback


def coeffs_frule(tangents, p: np.poly1d):
    """ẏ = ċ"""
    return p.coeffs, tangents[0].coeffs


def coeffs_rrule(p: np.poly1d):
    """c̄ = ȳ"""

    def coeffs_pullback(y_bar):
        return from_fields(np.poly1d, {"coeffs": y_bar})

    return p.coeffs, coeffs_pullback


for name in NAMES:
    frule(getattr, np.poly1d, name)(coeffs_frule)
    rrule(getattr, np.poly1d, name)(coeffs_rrule)
