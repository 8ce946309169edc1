"""Rotations made of rotation vectors and angles, and applied, composed, inverted, in closed form.

The tangent of a rotation is a rotation vector w, by which it is turned further. Of exp(r) that is J ṙ, where
J = 1 + (1 − cos θ)/θ² [r]ₓ + (θ − sin θ)/θ³ [r]ₓ², the left Jacobian, whose transpose is J of −r.

See [Solà, Deray & Atchuthan 2018].
"""

from __future__ import annotations

from math import factorial
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

from ....core import frule, non_differentiable, rrule, unbroadcast
from ....tangents import ZERO
from ...linearity import linear_in
from .fitted import axial, skew
from .metrics import reals
from .quaternions import cross, even, square_of

_TERMS = range(6)
VERSINE = tuple((-1.0) ** n / factorial(2 * n + 2) for n in _TERMS)
LAG = tuple((-1.0) ** n / factorial(2 * n + 3) for n in _TERMS)


def versine(a: Any) -> Any:
    """(1 − cos θ)/θ²"""
    return (1.0 - np.cos(a)) / a**2


def lag(a: Any) -> Any:
    """(θ − sin θ)/θ³"""
    return (a - np.sin(a)) / a**3


def rate(r: Any, dr: Any) -> Any:
    """J ṙ, the rotation vector by which exp(r) is turned where r moves"""
    s, turn = square_of(r), cross(r, dr)
    return dr + even(s, versine, VERSINE) * turn + even(s, lag, LAG) * cross(r, turn)


def in_radians(x: Any, degrees: bool) -> Any:
    """Angles as radians"""
    return np.deg2rad(x) if degrees else x


@frule(Rotation.from_rotvec)
def from_rotvec_frule(tangents, rotvec: np.ndarray, *, degrees=False):
    """w = J ṙ"""
    r, (dr,) = in_radians(reals(rotvec, "transform.Rotation"), degrees), tangents
    return Rotation.from_rotvec(np.array(rotvec), degrees), rate(r, in_radians(dr, degrees))


@rrule(Rotation.from_rotvec)
def from_rotvec_rrule(rotvec: np.ndarray, *, degrees=False):
    """r̄ = Jᵀ w̄"""
    r = in_radians(reals(rotvec, "transform.Rotation"), degrees)

    def from_rotvec_pullback(w_bar):
        return in_radians(rate(-r, w_bar), degrees)

    return Rotation.from_rotvec(np.array(rotvec), degrees), from_rotvec_pullback


def columns(angles: Any, axes: Any, extrinsic: bool) -> Any:
    """The rotation vectors by which a rotation turns with each of its angles, along the last axis but one"""
    count, before, found = len(axes), None, {}
    for i in range(count)[:: -1 if extrinsic else 1]:
        about = np.broadcast_to(axes[i], (*np.shape(angles)[:-1], 3))
        found[i] = about if before is None else applied(before, about)
        turn = Rotation.from_rotvec(angles[..., i : i + 1] * axes[i])
        before = turn if before is None else Rotation.__mul__(before, turn)
    return np.stack([found[i] for i in range(count)], axis=-2)


@frule(Rotation.as_matrix)
def as_matrix_frule(tangents, self: Rotation):
    """Ṁ = [w]ₓ M"""
    m = Rotation.as_matrix(self)
    return m, np.matmul(skew(tangents[0]), m)


@rrule(Rotation.as_matrix)
def as_matrix_rrule(self: Rotation):
    """w̄ is the axial vector of M̄ Mᵀ − M M̄ᵀ"""
    m = Rotation.as_matrix(self)

    def as_matrix_pullback(m_bar):
        return axial(np.matmul(m_bar, np.swapaxes(m, -1, -2)))

    return Rotation.as_matrix(self), as_matrix_pullback


def applied(rotation: Any, vectors: Any, inverse: bool = False) -> Any:
    """R v, of vectors that may be read-only, which SciPy does not take"""
    return Rotation.apply(rotation, np.array(vectors), inverse=inverse)


@frule(Rotation.apply)
def apply_frule(tangents, self: Rotation, vectors: np.ndarray, *, inverse=False):
    """y = R v        ẏ = w × y + R v̇        of the inverse ẏ = R⁻¹ (v̇ − w × v)"""
    w, dv = tangents
    y = applied(self, vectors, inverse)
    if not inverse:
        moved = ZERO if w is ZERO else cross(w, y)
        return y, moved if dv is ZERO else moved + applied(self, dv)
    moved = ZERO if w is ZERO else -cross(w, vectors)
    return y, applied(self, moved if dv is ZERO else moved + dv, inverse=True)


@linear_in(1)
@rrule(Rotation.apply)
def apply_rrule(self: Rotation, vectors: np.ndarray, *, inverse=False, needs):
    """y = R v        w̄ = y × ȳ, v̄ = R⁻¹ ȳ        of the inverse w̄ = R ȳ × v, v̄ = R ȳ"""
    y = applied(self, vectors, inverse)
    shape, of_rotations = np.shape(vectors), (*own_shape(self), 3)

    def apply_pullback(y_bar):
        v_bar = applied(self, y_bar, inverse=not inverse) if needs[1] or inverse else ZERO
        w_bar = ZERO
        if needs[0] and not inverse:
            w_bar = unbroadcast(cross(y, y_bar), of_rotations)
        elif needs[0]:
            w_bar = unbroadcast(cross(v_bar, vectors), of_rotations)
        return w_bar, unbroadcast(v_bar, shape) if needs[1] else ZERO

    return y, apply_pullback


def own_shape(rotation: Any) -> Any:
    """The shape of a stack of rotations; () for one."""
    return np.shape(rotation.as_quat())[:-1]


non_differentiable(own_shape, why="returns a shape")


@frule(Rotation.__mul__)
def mul_frule(tangents, self: Rotation, other: Rotation):
    """y = R S        w = w_R + R w_S"""
    of_self, of_other = tangents
    moved = ZERO if of_other is ZERO else applied(self, of_other)
    y = Rotation.__mul__(self, other)
    moved = moved if of_self is ZERO else of_self + moved
    return y, np.broadcast_to(moved, (*own_shape(y), 3))


@rrule(Rotation.__mul__)
def mul_rrule(self: Rotation, other: Rotation, *, needs):
    """w̄_R = w̄        w̄_S = R⁻¹ w̄"""
    of_self, of_other = (*own_shape(self), 3), (*own_shape(other), 3)

    def mul_pullback(w_bar):
        other_bar = ZERO
        if needs[1]:
            other_bar = unbroadcast(applied(self, w_bar, inverse=True), of_other)
        return unbroadcast(w_bar, of_self), other_bar

    return Rotation.__mul__(self, other), mul_pullback


@frule(Rotation.inv)
def inv_frule(tangents, self: Rotation):
    """y = R⁻¹        −R⁻¹ w"""
    return Rotation.inv(self), -applied(self, tangents[0], inverse=True)


@rrule(Rotation.inv)
def inv_rrule(self: Rotation):
    """w̄ = −R ȳ"""

    def inv_pullback(y_bar):
        return -applied(self, y_bar)

    return Rotation.inv(self), inv_pullback
