"""Attributes of numbers: the real and imaginary parts, and the class. Those of arrays are in rules/numpy."""

from __future__ import annotations

import numpy as np

from ...core import frule, rrule
from ...tangents import NO_TANGENT, ZERO

Number = float | complex | int | np.floating | np.complexfloating | np.integer
Classed = Number | np.ndarray | list | tuple | dict


@frule(getattr, Number, "real")
def real_frule(tangents, z):
    """ẏ is the real part of ż"""
    return z.real, np.real(tangents[0])


@rrule(getattr, Number, "real")
def real_rrule(z):
    """z̄ = ȳ"""

    def real_pullback(y_bar):
        return y_bar

    return z.real, real_pullback


@frule(getattr, Number, "imag")
def imag_frule(tangents, z):
    """ẏ is the imaginary part of ż"""
    return z.imag, np.imag(tangents[0])


@rrule(getattr, Number, "imag")
def imag_rrule(z):
    """z̄ = i ȳ, zero for a real z"""

    def imag_pullback(y_bar):
        return 1j * y_bar

    return z.imag, imag_pullback


@frule(getattr, Classed, "__class__")
def class_frule(tangents, x):
    """A class has no tangent"""
    return x.__class__, ZERO


@rrule(getattr, Classed, "__class__")
def class_rrule(x):
    """A class has no tangent"""

    def class_pullback(y_bar):
        return NO_TANGENT

    return x.__class__, class_pullback
