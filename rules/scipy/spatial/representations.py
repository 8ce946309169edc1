"""`Rotation` made of and given as quaternions, rotation vectors, modified Rodrigues parameters and matrices.

A matrix that is not orthogonal counts by its polar factor, as SciPy has it. Rotation vectors and modified
Rodrigues parameters jump at half turns, where they are refused.

See [Shuster 1993].
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

from ....core import non_differentiable
from ...written import written_out
from .fitted import fitted
from .metrics import reals
from .quaternions import hemisphere, joined, logarithm, refuse_half_turns, square_of
from .rotations import by_scipy, turned, turns

_ARRAY = np.ndarray | list | tuple


def floats(x: Any) -> Any:
    """An array of real numbers, floating-point."""
    return reals(x, "transform.Rotation") * 1.0


def canonical_sign(q: Any) -> Any:
    """The sign that makes the scalar positive, or the first entry of the vector that is not zero."""
    ordered = q[..., [3, 0, 1, 2]]
    first = np.take_along_axis(ordered, np.argmax(ordered != 0, axis=-1)[..., None], -1)
    return np.where(first < 0, -1.0, 1.0)


non_differentiable(canonical_sign, why="its derivative is zero")


@written_out(Rotation)
def rotation(quat: _ARRAY, *, normalize=True, copy=True, scalar_first=False):
    """R = q/|q|"""
    q = floats(quat)
    made = by_scipy(Rotation, quat, normalize, copy, scalar_first)
    return turned(made, np.roll(q, -1, axis=-1) if scalar_first else q)


@written_out(Rotation.from_quat)
def from_quat(quat: _ARRAY, *, scalar_first=False):
    """R = q/|q|"""
    q = floats(quat)
    made = by_scipy(Rotation.from_quat, quat, scalar_first=scalar_first)
    return turned(made, np.roll(q, -1, axis=-1) if scalar_first else q)


@written_out(Rotation.from_mrp)
def from_mrp(mrp: _ARRAY):
    """q = (2 p, 1 − |p|²)/(1 + |p|²)"""
    p = floats(mrp)
    return turned(by_scipy(Rotation.from_mrp, mrp), joined(2.0 * p, 1.0 - square_of(p)))


@written_out(Rotation.from_matrix)
def from_matrix(matrix: _ARRAY, *, assume_valid=False):
    """The polar factor of the matrix"""
    return fitted(by_scipy(Rotation.from_matrix, matrix, assume_valid=assume_valid), floats(matrix))


@written_out(Rotation.as_quat)
def as_quat(self: Rotation, *, canonical=False, scalar_first=False):
    """q, its sign held constant"""
    q = turns(self)
    q = q * canonical_sign(q) if canonical else q
    return np.roll(q, 1, axis=-1) if scalar_first else q


@written_out(Rotation.as_rotvec)
def as_rotvec(self: Rotation, *, degrees=False):
    """r = log R"""
    r = logarithm(turns(self))
    return np.rad2deg(r) if degrees else r


@written_out(Rotation.as_mrp)
def as_mrp(self: Rotation):
    """p = v/(1 + w), of the quaternion with w > 0"""
    q = turns(self)
    refuse_half_turns(q, "Rotation.as_mrp")
    q = q * hemisphere(q)
    return q[..., :3] / (1.0 + q[..., 3:])


@written_out(Rotation.magnitude)
def magnitude(self: Rotation):
    """θ = 2 arctan2(|v|, |w|); where it is least, at the identity, and greatest, its derivative is zero"""
    q = turns(self)
    return 2.0 * np.arctan2(np.linalg.norm(q[..., :3], axis=-1), np.abs(q[..., 3]))
