"""Trigonometric functions and their inverses, real and complex, NumPy's and `math`'s, and `sinc`.

`arctan2` has derivative zero at the origin, and `sinc` at zero. The inverse sine and cosine have an
infinite derivative at ±1, which a zero cotangent does not meet.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...core import scalar_rule
from ..quiet import divide, ratio


def other_leg(m: Any, x: Any) -> Any:
    """√(1 − x²); of a complex x on the side of the cuts on which its inverse sine is.

    There the sign of a zero decides, which a difference keeps and a sum does not.
    """
    if np.iscomplexobj(x):
        return m.sqrt(-(x - 1.0)) * m.sqrt(x - -1.0)
    return m.sqrt((1.0 - x) * (1.0 + x))


def _trigonometric(m: Any) -> None:
    """The rules of the functions that NumPy and `math` both have, written in functions of m."""
    scalar_rule(m.sin, lambda y, x: m.cos(x))
    scalar_rule(m.cos, lambda y, x: -m.sin(x))
    scalar_rule(m.tan, lambda y, x: 1 + y * y)
    scalar_rule(m.asin, lambda y, x: divide(1.0, other_leg(m, x)), strong_zero=True)
    scalar_rule(m.acos, lambda y, x: divide(-1.0, other_leg(m, x)), strong_zero=True)
    scalar_rule(m.atan, lambda y, x: 1 / (1 + 1.0 * x * x))
    scalar_rule(
        m.atan2,
        lambda y, a, b: ratio(ratio(b, m.hypot(a, b)), m.hypot(a, b)),
        lambda y, a, b: -ratio(ratio(a, m.hypot(a, b)), m.hypot(a, b)),
    )
    scalar_rule(m.degrees, 180 / math.pi)
    scalar_rule(m.radians, math.pi / 180)


_trigonometric(np)
_trigonometric(math)
scalar_rule(np.rad2deg, 180 / math.pi)
scalar_rule(np.deg2rad, math.pi / 180)


def _sinc_slope(y: Any, x: Any) -> Any:
    """(cos πx − sinc x)/x, by its series near zero where the difference would cancel."""
    t = math.pi * x
    near = np.abs(t) < 0.1
    series = -math.pi * t * (1 / 3 - t * t * (1 / 30 - t * t * (1 / 840 - t * t / 45360)))
    return np.where(near, series, (np.cos(t) - y) / np.where(near, 1.0, x))


scalar_rule(np.sinc, _sinc_slope)
