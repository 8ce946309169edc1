"""Rotations about axes one after another: Euler's angles and Davenport's.

The angles are those of Bernardes and Viollet (2022). At gimbal lock, where the first and the third axis
coincide, they are not unique, and refused. Davenport's axes are constants.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

from ....core import NotDifferentiableError, non_differentiable
from ...written import written_out
from .quaternions import compose, exponential
from .rotations import by_scipy, refuse_complex, turned, turns

_ANGLES = np.ndarray | list | tuple | float | int


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


def _about(axes: Any, angles: Any, extrinsic: bool) -> Any:
    """The product of turns about axes; the angles have the last axis"""
    q: Any = None
    for i in range(len(axes)):
        turn = exponential(angles[..., i : i + 1] * axes[i])
        q = turn if q is None else compose(turn, q) if extrinsic else compose(q, turn)
    return q


@written_out(Rotation.from_euler)
def from_euler(angles: _ANGLES, *, seq, degrees=False):
    """R = the product of turns about the axes of `seq`"""
    made = by_scipy(Rotation.from_euler, seq, angles, degrees)
    given = np.atleast_1d(np.asarray(angles) * 1.0)
    refuse_complex(given)
    return turned(made, _about(axes_of(seq), np.deg2rad(given) if degrees else given, is_extrinsic(seq)))


@written_out(Rotation.from_davenport)
def from_davenport(angles: _ANGLES, *, axes, order, degrees=False):
    """R = the product of turns about the axes"""
    made = by_scipy(Rotation.from_davenport, axes, order, angles, degrees)
    given = np.atleast_1d(np.asarray(angles) * 1.0)
    refuse_complex(given)
    q = _about(units(axes), np.deg2rad(given) if degrees else given, is_extrinsic(order))
    return turned(made, q)


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
