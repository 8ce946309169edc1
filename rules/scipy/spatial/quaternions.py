"""Unit quaternions (x, y, z, w) along the last axis: products, exponentials and logarithms of rotations.

Each is smooth at the identity to any order: what divides by an angle is a series in its square where that is
small. The logarithm of a half turn, which has two, is refused.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....core import NotDifferentiableError, non_differentiable

_SMALL = 0.01


def cross(a: Any, b: Any) -> Any:
    """a × b"""
    x, y, z = a[..., 0], a[..., 1], a[..., 2]
    u, v, w = b[..., 0], b[..., 1], b[..., 2]
    return np.stack((y * w - z * v, z * u - x * w, x * v - y * u), axis=-1)


def joined(v: Any, s: Any) -> Any:
    """A quaternion of its vector and its scalar, which has the last axis, too."""
    return np.concatenate((v, s), axis=-1)


def compose(p: Any, q: Any) -> Any:
    """p q"""
    pv, ps, qv, qs = p[..., :3], p[..., 3:], q[..., :3], q[..., 3:]
    return joined(ps * qv + qs * pv + cross(pv, qv), ps * qs - np.sum(pv * qv, axis=-1, keepdims=True))


def inverse(q: Any) -> Any:
    """q*, the inverse of a unit quaternion"""
    return q * np.array([-1.0, -1.0, -1.0, 1.0])


def series(s: Any, coefficients: tuple[float, ...]) -> Any:
    """Σ c_k s^k"""
    y: Any = coefficients[-1]
    for c in coefficients[-2::-1]:
        y = y * s + c
    return y


def even(square: Any, closed: Any, coefficients: tuple[float, ...]) -> Any:
    """A smooth function of an angle's square: closed(θ), and the series where the square is small."""
    small = square < _SMALL
    if not np.any(small):
        return closed(np.sqrt(square))
    near = series(np.where(small, square, 0.0), coefficients)
    return np.where(small, near, closed(np.sqrt(np.where(small, 1.0, square))))


def square_of(v: Any) -> Any:
    """|v|², keeping the axis"""
    return np.sum(v * v, axis=-1, keepdims=True)


def half_sine(theta: Any) -> Any:
    """sin(θ/2)/θ"""
    return np.sin(theta / 2) / theta


def half_cosine(theta: Any) -> Any:
    """cos(θ/2)"""
    return np.cos(theta / 2)


_SINE = (1 / 2, -1 / 48, 1 / 3840, -1 / 645120, 1 / 185794560, -1 / 81749606400)
_COSINE = (1.0, -1 / 8, 1 / 384, -1 / 46080, 1 / 10321920, -1 / 3715891200)
_ARCSINE = (2.0, 1 / 3, 3 / 20, 5 / 56, 35 / 576, 63 / 1408, 231 / 6656, 143 / 5120, 6435 / 278528)


def exponential(rotvec: Any) -> Any:
    """(r sin(θ/2)/θ, cos(θ/2)) with θ = |r|"""
    square = square_of(rotvec)
    return joined(rotvec * even(square, half_sine, _SINE), even(square, half_cosine, _COSINE))


def refuse_half_turns(q: Any, method: str) -> None:
    """Refuse rotations by π, where the rotation vector jumps to its opposite."""
    if np.any(np.abs(q[..., 3]) < 1e-14):
        raise NotDifferentiableError(
            f"scipy.spatial.transform.{method} jumps where a rotation is a half turn",
            closest="a derivative exists at any angle below π",
            next="take as_matrix or as_quat, which are smooth there",
        )


def hemisphere(q: Any) -> Any:
    """The sign that makes the scalar positive."""
    return np.where(q[..., 3:] < 0, -1.0, 1.0)


non_differentiable(refuse_half_turns, why="checks an argument")
non_differentiable(hemisphere, why="its derivative is zero")


def logarithm(q: Any, method: str = "Rotation.as_rotvec") -> Any:
    """r = 2 arctan2(|v|, w)/|v| v, of the quaternion with w > 0"""
    refuse_half_turns(q, method)
    q = q * hemisphere(q)
    v, w = q[..., :3], q[..., 3:]
    square = square_of(v)
    small = square < _SMALL
    near = series(np.where(small, square, 0.0), _ARCSINE)
    n = np.sqrt(np.where(small, 1.0, square))
    return v * np.where(small, near, 2.0 * np.arctan2(n, w) / n)


def matrix_of(q: Any) -> Any:
    """The matrix of a unit quaternion"""
    x, y, z, w = q[..., 0], q[..., 1], q[..., 2], q[..., 3]
    rows = (
        (w * w + x * x - y * y - z * z, 2 * (x * y - z * w), 2 * (x * z + y * w)),
        (2 * (x * y + z * w), w * w - x * x + y * y - z * z, 2 * (y * z - x * w)),
        (2 * (x * z - y * w), 2 * (y * z + x * w), w * w - x * x - y * y + z * z),
    )
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def turn(q: Any, v: Any) -> Any:
    """q v q*"""
    t = 2.0 * cross(q[..., :3], v)
    return v + q[..., 3:] * t + cross(q[..., :3], t)
