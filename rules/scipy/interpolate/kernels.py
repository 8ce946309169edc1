"""Radial kernels of the squared distance s: those of `RBFInterpolator`, by the names that SciPy gives them.

Where s is zero, each has the derivative zero by the points; that of `linear`, which has a corner there, by
decision. The second derivative of a thin plate spline is infinite there, and refused by name.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....core import NotDifferentiableError, frule, rrule
from ...quiet import log, ratio
from ..spatial.metrics import length


def logarithms(s: Any) -> Any:
    """log s, and 0 where s is."""
    return log(np.where(s > 0, s, 1.0))


def thin_plate_spline(s: Any) -> Any:
    """r² log r = s log(s)/2, with the derivative (log s + 1)/2"""
    return s * logarithms(s) / 2


def slope(s: Any) -> Any:
    """(log s + 1)/2, and 0 where s is zero: there s itself does not move to first order"""
    return np.where(s > 0, (logarithms(s) + 1) / 2, 0.0)


def bend(s: Any) -> Any:
    """1/(2 s)"""
    if np.any(np.equal(s, 0)):
        raise NotDifferentiableError(
            "the second derivative of a thin plate spline at its data points is infinite",
            next="evaluate elsewhere, or choose kernel='cubic'",
        )
    return ratio(0.5, s)


@frule(thin_plate_spline)
def thin_plate_spline_frule(tangents, s: np.ndarray):
    """ẏ = (log s + 1)/2 ṡ"""
    return thin_plate_spline(s), slope(s) * tangents[0]


@rrule(thin_plate_spline)
def thin_plate_spline_rrule(s: np.ndarray):
    """s̄ = (log s + 1)/2 ȳ"""

    def thin_plate_spline_pullback(y_bar):
        return slope(s) * y_bar

    return thin_plate_spline(s), thin_plate_spline_pullback


@frule(slope)
def slope_frule(tangents, s: np.ndarray):
    """ẏ = ṡ/(2 s)"""
    return slope(s), bend(s) * tangents[0]


@rrule(slope)
def slope_rrule(s: np.ndarray):
    """s̄ = ȳ/(2 s)"""

    def slope_pullback(y_bar):
        return bend(s) * y_bar

    return slope(s), slope_pullback


def linear(s: Any) -> Any:
    """−r"""
    return -length(s)


def cubic(s: Any) -> Any:
    """r³"""
    return s * length(s)


def quintic(s: Any) -> Any:
    """−r⁵"""
    return -(s * s) * length(s)


def multiquadric(s: Any) -> Any:
    """−√(r² + 1)"""
    return -np.sqrt(s + 1)


def inverse_multiquadric(s: Any) -> Any:
    """1/√(r² + 1)"""
    return 1 / np.sqrt(s + 1)


def inverse_quadratic(s: Any) -> Any:
    """1/(r² + 1)"""
    return 1 / (s + 1)


def gaussian(s: Any) -> Any:
    """exp(−r²)"""
    return np.exp(-s)


KERNELS = {
    f.__name__: f
    for f in (
        linear,
        thin_plate_spline,
        cubic,
        quintic,
        multiquadric,
        inverse_multiquadric,
        inverse_quadratic,
        gaussian,
    )
}
