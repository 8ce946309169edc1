"""Complex numbers taken apart: real, imag, conj, angle and sign, for complex and real arguments.

A real-valued function of z has the partial p with ẏ = Re(p ż). The angle and the sign have
derivative zero at zero; so has the sign of a real number everywhere.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...core import Array, frule, rrule, scalar_rule
from ...tangents import ZERO
from ..quiet import ratio

scalar_rule(np.real, 1)
scalar_rule(np.imag, -1j)


def _conjugate(f: Callable[..., Any]) -> None:
    @frule(f)
    def conjugate_frule(tangents, x: Array):
        """ẏ is the conjugate of ẋ."""
        (dx,) = tangents
        return f(x), np.conjugate(dx)

    @rrule(f)
    def conjugate_rrule(x: Array):
        """x̄ is the conjugate of ȳ."""

        def conjugate_pullback(y_bar):
            return np.conjugate(y_bar)

        return f(x), conjugate_pullback


P: Any  # a class
_conjugate(np.conjugate)
for P in (np.ndarray, np.generic):
    _conjugate(P.conj)
for P in (np.ndarray, np.generic, complex, float, int):
    _conjugate(P.conjugate)


@frule(np.angle)
def angle_frule(tangents, z: Array, *, deg=False):
    """y = arg z        ẏ = Im(z̄ ż) / |z|², in degrees if asked for"""
    (dz,) = tangents
    size = np.abs(z)
    dy = np.imag(np.conjugate(ratio(z, size)) * ratio(dz, size))
    return np.angle(z, deg), np.rad2deg(dy) if deg else dy


@rrule(np.angle)
def angle_rrule(z: Array, *, deg=False):
    """z̄ = i ȳ z / |z|², in degrees if asked for"""
    size = np.abs(z)
    slope = 1j * ratio(ratio(z, size), size)

    def angle_pullback(y_bar):
        return slope * (np.rad2deg(y_bar) if deg else y_bar)

    return np.angle(z, deg), angle_pullback


@frule(np.sign)
def sign_frule(tangents, z: Array):
    """y = z/|z|        ẏ = (ż − y Re(ȳ ż)) / |z|, with ȳ the conjugate of y; zero for a real z"""
    y = np.sign(z)
    if not np.iscomplexobj(z):
        return y, ZERO
    (dz,) = tangents
    return y, ratio(dz - y * np.real(np.conjugate(y) * dz), np.abs(z))


@rrule(np.sign)
def sign_rrule(z: Array):
    """The map from ż to ẏ is its own adjoint."""
    y = np.sign(z)
    if not np.iscomplexobj(z):
        return y, lambda y_bar: ZERO
    size = np.abs(z)

    def sign_pullback(y_bar):
        return ratio(y_bar - y * np.real(np.conjugate(y) * y_bar), size)

    return y, sign_pullback


@frule(np.real_if_close)
def real_if_close_frule(tangents, a: Array, *, tol=100):
    """ẏ = ȧ, its real part where y is real"""
    (da,) = tangents
    y = np.real_if_close(a, tol)
    return y, da if np.iscomplexobj(y) else np.real(da)


@rrule(np.real_if_close)
def real_if_close_rrule(a: Array, *, tol=100):
    """ā = ȳ, which is real where y is real"""

    def real_if_close_pullback(y_bar):
        return y_bar

    return np.real_if_close(a, tol), real_if_close_pullback
