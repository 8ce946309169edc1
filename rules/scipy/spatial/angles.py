"""Rotations about axes one after another: Euler's angles and Davenport's.

The angles are those of Bernardes and Viollet (2022). At gimbal lock, where the first and the third axis
coincide, they are not unique, and refused. Davenport's axes are constants.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

from ....core import Array, NotDifferentiableError, frule, non_differentiable, rrule
from ...written import written_out
from .quaternions import compose
from .rotations import by_scipy, refuse_complex, turns
from .turning import columns, in_radians, own_shape


def axes_of(seq: Any) -> Any:
    """The axes of a sequence of letters, as unit vectors."""
    return np.eye(3)[["xyz".index(letter) for letter in seq.lower()]]


def units(axes: Any) -> Any:
    """Axes of length one, a row each."""
    rows = np.atleast_2d(np.asarray(axes, float))
    return rows / np.linalg.norm(rows, axis=-1, keepdims=True)


def is_extrinsic(seq: Any) -> Any:
    """Whether the axes stay where they are."""
    return seq.islower() if seq[0] in "xyzXYZ" else seq.startswith("e")


def frame(axes: Any, extrinsic: bool) -> tuple[Any, Any, Any, float, float]:
    """The axes n₁, n₂, n₁ × n₂ of the angles, the angle from n₁ to n₃, and the sign of n₂."""
    n1, n2, n3 = axes if extrinsic else axes[::-1]
    third = np.cross(n1, n2)
    angle = np.arctan2(np.dot(n3, third), np.dot(n3, n1))
    if angle < -1e-12:
        return n1, -n2, -third, -angle, -1.0
    return n1, n2, third, abs(angle), 1.0


def refuse_lock(middle: Any, method: str) -> None:
    """Refuse middle angles at which the outer axes coincide."""
    if np.any((np.abs(middle) <= 1e-7) | (np.abs(middle - np.pi) <= 1e-7)):
        raise NotDifferentiableError(
            f"scipy.spatial.transform.{method} is not unique at gimbal lock",
            closest="a derivative exists where the first and the third axis do not coincide",
            next="take as_rotvec, as_matrix or as_quat, or angles about other axes",
        )


def round_off(angles: Any) -> Any:
    """The full turns that bring angles to between −π and π."""
    return np.floor((angles + np.pi) / (2 * np.pi)) * (2 * np.pi)


for _constant in (axes_of, units, is_extrinsic, frame):
    non_differentiable(_constant, why="computes with constant axes")
non_differentiable(refuse_lock, why="checks an argument")
non_differentiable(round_off, why="its derivative is zero")


def moved_by(d: Any, angles: Any, made: Any, axes: Any, extrinsic: Any, degrees: Any) -> Any:
    """w = Σ α̇ᵢ cᵢ, where cᵢ is the axis i after the turns that are made later"""
    shape = (*own_shape(made), len(axes))
    angles, d = np.reshape(in_radians(angles, degrees), shape), np.reshape(in_radians(d, degrees), shape)
    return np.sum(np.expand_dims(d, -1) * columns(angles, axes, extrinsic), axis=-2)


def moves_back(w_bar: Any, angles: Any, axes: Any, extrinsic: Any, degrees: Any) -> Any:
    """ᾱᵢ = cᵢ·w̄"""
    radians = np.reshape(in_radians(angles, degrees), (*np.shape(w_bar)[:-1], len(axes)))
    by_radians = np.sum(columns(radians, axes, extrinsic) * np.expand_dims(w_bar, -2), axis=-1)
    return np.reshape(in_radians(by_radians, degrees), np.shape(angles))


def floats(angles: Any) -> Any:
    """Angles that SciPy may be given: a copy of an array."""
    refuse_complex(angles)
    return np.array(angles) * 1.0


@frule(Rotation.from_euler)
def from_euler_frule(tangents, angles: Array, *, seq, degrees=False):
    """R = the product of turns about the axes of `seq`"""
    given = floats(angles)
    y = Rotation.from_euler(seq, given, degrees)
    return y, moved_by(tangents[0], given, y, axes_of(seq), is_extrinsic(seq), degrees)


@rrule(Rotation.from_euler)
def from_euler_rrule(angles: Array, *, seq, degrees=False):
    """R = the product of turns about the axes of `seq`"""
    given = floats(angles)

    def from_euler_pullback(w_bar):
        return moves_back(w_bar, given, axes_of(seq), is_extrinsic(seq), degrees)

    return Rotation.from_euler(seq, given, degrees), from_euler_pullback


@frule(Rotation.from_davenport)
def from_davenport_frule(tangents, angles: Array, *, axes, order, degrees=False):
    """R = the product of turns about the axes"""
    given = floats(angles)
    y = Rotation.from_davenport(axes, order, given, degrees)
    return y, moved_by(tangents[0], given, y, units(axes), is_extrinsic(order), degrees)


@rrule(Rotation.from_davenport)
def from_davenport_rrule(angles: Array, *, axes, order, degrees=False):
    """R = the product of turns about the axes"""
    given, about = floats(angles), units(axes)

    def from_davenport_pullback(w_bar):
        return moves_back(w_bar, given, about, is_extrinsic(order), degrees)

    return Rotation.from_davenport(axes, order, given, degrees), from_davenport_pullback


def _angles(q: Any, axes: Any, extrinsic: bool, method: str) -> Any:
    n1, n2, third, angle, sign = frame(axes, extrinsic)
    half = np.concatenate((np.sin(angle / 2) * n2, [np.cos(angle / 2)]))
    q = compose(np.broadcast_to(half, np.shape(q)), q)
    v = q[..., :3]
    a, b = q[..., 3], np.sum(v * n1, axis=-1)
    c, d = np.sum(v * n2, axis=-1), np.sum(v * third, axis=-1)
    middle = 2.0 * np.arctan2(np.hypot(c, d), np.hypot(a, b))
    refuse_lock(middle, method)
    total, part = np.arctan2(b, a), np.arctan2(d, c)
    first, last = total - part, total + part
    outer = (first, last) if extrinsic else (last, first)
    angles = np.stack((outer[0], sign * (middle - angle), outer[1]), axis=-1)
    return angles - round_off(angles)


@written_out(Rotation.as_euler)
def as_euler(self: Rotation, *, seq, degrees=False, suppress_warnings=False):
    """The angles θ with R = their turns about the axes of `seq`"""
    by_scipy(Rotation.as_euler, self, seq, degrees, suppress_warnings=suppress_warnings)
    y = _angles(turns(self), axes_of(seq), is_extrinsic(seq), "Rotation.as_euler")
    return np.rad2deg(y) if degrees else y


@written_out(Rotation.as_davenport)
def as_davenport(self: Rotation, *, axes, order, degrees=False, suppress_warnings=False):
    """The angles θ with R = their turns about the axes"""
    by_scipy(Rotation.as_davenport, self, axes, order, degrees, suppress_warnings=suppress_warnings)
    y = _angles(turns(self), units(axes), is_extrinsic(order), "Rotation.as_davenport")
    return np.rad2deg(y) if degrees else y
