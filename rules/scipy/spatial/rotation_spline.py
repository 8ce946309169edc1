"""Cubic splines of rotations: a `RotationSpline` holds times, rotations and cubics of rotation vectors.

Between two times it is R_i exp(r(t)), r a cubic. Its angular rates at the inner times are those at which
the angular acceleration has no jumps, an equation that SciPy solves by iteration; it is differentiated
implicitly.

See [Mayorov 2018].
"""

from __future__ import annotations

from math import factorial
from typing import Any

import numpy as np
from scipy.interpolate import PPoly
from scipy.spatial.transform import Rotation, RotationSpline

from ....core import Array, implicit
from ...written import as_found, written_out
from .hulls import holding
from .quaternions import compose, cross, even, exponential, inverse, logarithm, square_of
from .rotations import by_scipy, turned, turns
from .slerp import piece
from .turning import LAG, VERSINE, lag, versine

_TERMS = range(6)
_HALF_COTANGENT = (1 / 12, 1 / 720, 1 / 30240, 1 / 1209600, 1 / 47900160, 691 / 1307674368000)
_FIRST = tuple((-1.0) ** n * (1 / factorial(2 * n + 3) - 2 / factorial(2 * n + 4)) for n in _TERMS)
_SECOND = tuple((-1.0) ** n * (3 / factorial(2 * n + 5) - 1 / factorial(2 * n + 4)) for n in _TERMS)


def half_cotangent(a: Any) -> Any:
    """(1 − ½ θ cot ½θ)/θ²"""
    return (1.0 - 0.5 * a / np.tan(0.5 * a)) / a**2


def first(a: Any) -> Any:
    """(2 − 2 cos θ − θ sin θ)/θ⁴"""
    return (2.0 - 2.0 * np.cos(a) - a * np.sin(a)) / a**4


def second(a: Any) -> Any:
    """(3 sin θ − 2 θ − θ cos θ)/θ⁵"""
    return (3.0 * np.sin(a) - 2.0 * a - a * np.cos(a)) / a**5


def rate_of(r: Any, dr: Any) -> Any:
    """The angular rate of exp(r), from ṙ"""
    s, turn = square_of(r), cross(r, dr)
    return dr - even(s, versine, VERSINE) * turn + even(s, lag, LAG) * cross(r, turn)


def motion_of(r: Any, w: Any) -> Any:
    """ṙ from the angular rate, the inverse of `rate_of`"""
    turn = cross(r, w)
    return w + 0.5 * turn + even(square_of(r), half_cotangent, _HALF_COTANGENT) * cross(r, turn)


def bend_of(r: Any, dr: Any) -> Any:
    """What the angular acceleration of exp(r) is beside `rate_of(r, r̈)`"""
    s, turn = square_of(r), cross(r, dr)
    along = np.sum(r * dr, axis=-1, keepdims=True)
    swing = even(s, first, _FIRST) * turn + even(s, second, _SECOND) * cross(r, turn)
    return along * swing + even(s, lag, LAG) * cross(dr, turn)


def jumps(inner: Any, r: Any, dt: Any) -> Any:
    """The jumps of the angular acceleration at the inner times, for these rates there."""
    rates = np.concatenate((r[:1] / dt[:1], inner, r[-1:] / dt[-1:]))
    before, after = dt[:-1], dt[1:]
    pull = rate_of(r[:-1], rates[:-2]) / before + motion_of(r[1:], rates[2:]) / after
    bend = bend_of(r[:-1], motion_of(r[:-1], inner))
    return (
        4.0 * (1.0 / before + 1.0 / after) * inner
        + 2.0 * pull
        - 6.0 * (r[:-1] / before**2 + r[1:] / after**2)
        + bend
    )


@written_out(RotationSpline)
def rotation_spline(times: np.ndarray | list | tuple, rotations: Rotation):
    """r(0) = 0, r(h) = log(R_i⁻¹ R_{i+1}), and the rates at both ends"""
    made = by_scipy(RotationSpline, times, rotations)
    knots, q = np.asarray(times) * 1.0, turns(rotations)
    r, dt = logarithm(compose(inverse(q[:-1]), q[1:]), "RotationSpline"), np.diff(knots)[:, None]
    starts = ends = r / dt
    if len(r) > 1:
        inner = implicit.root(jumps, by_scipy(rates_found, made), r, dt)
        starts, ends = np.concatenate((starts[:1], inner)), np.concatenate((inner, ends[-1:]))
    slope = motion_of(r, ends)
    cubic = (dt * (starts + slope) - 2.0 * r) / dt**3
    square = (3.0 * r - dt * (2.0 * starts + slope)) / dt**2
    curve = PPoly(np.stack((cubic, square, starts, np.zeros_like(r))), knots)
    return holding(made, ("times", "rotations", "interpolator"), knots, turned(made.rotations, q), curve)


def rates_found(made: Any) -> Any:
    """The angular rates at the inner times, as SciPy found them."""
    return made.interpolator.c[2, 1:].copy()


@written_out(RotationSpline.__call__)
def rotation_spline_call(self: RotationSpline, times: Array | list, *, order=0):
    """R_i exp(r(t)), its angular rate or its angular acceleration"""
    y, at = by_scipy(RotationSpline.__call__, self, times, order), np.asarray(times) * 1.0
    r = self.interpolator(at)
    if order == 0:
        return turned(y, compose(turns(self.rotations)[piece(self.times, at, "right")], exponential(r)))
    dr = self.interpolator(at, 1)
    if order == 1:
        return as_found(y, rate_of(r, dr))
    return as_found(y, rate_of(r, self.interpolator(at, 2)) + bend_of(r, dr))
