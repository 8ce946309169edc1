"""Rigid transforms as a manifold: their tangent is the twist by which they are moved further.

`move(T, ξ)` is `RigidTransform.from_exp_coords(ξ) * T`, with ξ = (w, v) along a last axis of six, so that
Ṙ = w × R and ṫ = v + w × t. Every method is a program of a `Rotation` and a translation, and `made_of` is the
transform that SciPy made of the two. All is exact at the identity; half turns are refused as in `Rotation`.
SciPy takes exponents in single precision: the derivative by one is that of the power without this rounding.

See [Solà, Deray & Atchuthan 2018].
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.spatial.transform import RigidTransform, Rotation

from ....core import Array, ShapeMismatch, UnsupportedArgument, frule, non_differentiable, rrule
from ....tangents import ZERO, IndexedTangent, natural_tangent
from ...written import written_out
from .alignment import kept
from .quaternions import compose, cross, even, inverse, joined, square_of
from .representations import floats
from .rotations import by_scipy, turned, turns

_ARRAY = np.ndarray | list | tuple


def _move(x: Any, t: Any) -> Any:
    return RigidTransform.from_exp_coords(t) * x


def _difference(a: Any, b: Any) -> Any:
    return (a * b.inv()).as_exp_coords()


def _zero(x: Any) -> Any:
    return np.zeros((*x.shape, 6))


def _project(x: Any, t: Any) -> Any:
    twists = np.asarray(t.dense() if isinstance(t, IndexedTangent) else t, float)
    if twists.shape != (*x.shape, 6):
        raise ShapeMismatch(
            f"an array of shape {twists.shape} is no tangent of rigid transforms of shape {x.shape}",
            closest="the tangent of a rigid transform is a twist, six numbers along the last axis",
        )
    return twists


natural_tangent(RigidTransform, np.ndarray, zero=_zero, move=_move, difference=_difference, project=_project)


@frule(getattr, RigidTransform, "rotation")
def rotation_frule(tangents, x):
    """w of (w, v)"""
    return x.rotation, tangents[0][..., :3]


@rrule(getattr, RigidTransform, "rotation")
def rotation_rrule(x):
    """(w̄, 0)"""

    def rotation_pullback(w_bar):
        return joined(w_bar, np.zeros_like(w_bar))

    return x.rotation, rotation_pullback


@frule(getattr, RigidTransform, "translation")
def translation_frule(tangents, x):
    """ṫ = v + w × t"""
    t, twist = x.translation, tangents[0]
    return t, twist[..., 3:] + cross(twist[..., :3], t)


@rrule(getattr, RigidTransform, "translation")
def translation_rrule(x):
    """w̄ = t × t̄, v̄ = t̄"""
    t = x.translation

    def translation_pullback(t_bar):
        return joined(cross(t, t_bar), t_bar)

    return t, translation_pullback


def made_of(made: Any, rotation: Any, translation: Any) -> Any:
    """The transform that SciPy made of a rotation and a translation after it."""
    return made


@frule(made_of)
def made_of_frule(tangents, made: RigidTransform, rotation: Rotation, translation: np.ndarray):
    """v = ṫ − w × t"""
    _, dr, dt = tangents
    w = np.zeros_like(translation) if dr is ZERO else dr
    v = np.zeros_like(translation) if dt is ZERO else dt
    return made_of(made, rotation, translation), joined(w, v - cross(w, translation))


@rrule(made_of)
def made_of_rrule(made: RigidTransform, rotation: Rotation, translation: np.ndarray):
    """r̄ = w̄ − t × v̄, t̄ = v̄"""

    def made_of_pullback(y_bar):
        v_bar = y_bar[..., 3:]
        return ZERO, y_bar[..., :3] - cross(translation, v_bar), v_bar

    return made_of(made, rotation, translation), made_of_pullback


def check_normalised(normalize: Any) -> None:
    """Refuse matrices that are taken as they are."""
    if not normalize:
        raise UnsupportedArgument(RigidTransform, "normalize", normalize, supported=[True])


def rotation_of(made: Any) -> Any:
    """The rotation of a transform that does not move."""
    return made.rotation


non_differentiable(check_normalised, why="checks an argument")
non_differentiable(rotation_of, why="is constant")


def _of_matrix(made: Any, matrix: Any) -> Any:
    m = floats(matrix)
    return made_of(made, Rotation.from_matrix(m[..., :3, :3]), m[..., :3, 3])


@written_out(RigidTransform)
def rigid_transform(matrix: _ARRAY, *, normalize=True, copy=True):
    """The polar factor of the first block, and the last column"""
    check_normalised(normalize)
    return _of_matrix(by_scipy(RigidTransform, matrix, normalize, copy), matrix)


@written_out(RigidTransform.from_matrix)
def from_matrix(matrix: _ARRAY):
    """The polar factor of the first block, and the last column"""
    return _of_matrix(by_scipy(RigidTransform.from_matrix, matrix), matrix)


@written_out(RigidTransform.from_rotation)
def from_rotation(rotation: Rotation):
    """R, and t = 0"""
    made = by_scipy(RigidTransform.from_rotation, rotation)
    return made_of(made, rotation, np.zeros((*made.shape, 3)))


@written_out(RigidTransform.from_translation)
def from_translation(translation: _ARRAY):
    """R = 1, and t"""
    made = by_scipy(RigidTransform.from_translation, translation)
    return made_of(made, rotation_of(made), floats(translation))


@written_out(RigidTransform.from_components)
def from_components(translation: _ARRAY, rotation: Rotation):
    """R, and t"""
    made = by_scipy(RigidTransform.from_components, translation, rotation)
    q, t = turns(rotation), floats(translation)
    shape = np.shape(made.translation)
    q = np.broadcast_to(q, (*shape[:-1], 4))
    return made_of(made, turned(rotation_of(made), q), np.broadcast_to(t, shape))


def first(theta: Any) -> Any:
    """(1 − cos θ)/θ²"""
    return (1.0 - np.cos(theta)) / (theta * theta)


def second(theta: Any) -> Any:
    """(θ − sin θ)/θ³"""
    return (theta - np.sin(theta)) / (theta * theta * theta)


def back(theta: Any) -> Any:
    """(1 − θ/2 cot(θ/2))/θ²"""
    return (1.0 - 0.5 * theta / np.tan(0.5 * theta)) / (theta * theta)


_FIRST = (1 / 2, -1 / 24, 1 / 720, -1 / 40320, 1 / 3628800, -1 / 479001600)
_SECOND = (1 / 6, -1 / 120, 1 / 5040, -1 / 362880, 1 / 39916800, -1 / 6227020800)
_BACK = (1 / 12, 1 / 720, 1 / 30240, 1 / 1209600, 1 / 47900160, 691 / 1307674368000)


def _screw(twist: Any) -> Any:
    """t = ρ + (1 − cos θ)/θ² r × ρ + (θ − sin θ)/θ³ r × (r × ρ), of a twist (r, ρ)"""
    r, rho = twist[..., :3], twist[..., 3:]
    once, square = cross(r, rho), square_of(r)
    return rho + even(square, first, _FIRST) * once + even(square, second, _SECOND) * cross(r, once)


@written_out(RigidTransform.from_exp_coords)
def from_exp_coords(exp_coords: _ARRAY):
    """T = exp ξ"""
    twist = floats(exp_coords)
    made = by_scipy(RigidTransform.from_exp_coords, exp_coords)
    return made_of(made, Rotation.from_rotvec(twist[..., :3]), _screw(twist))


@written_out(RigidTransform.as_exp_coords)
def as_exp_coords(self: RigidTransform):
    """ξ = log T = (r, t − r × t/2 + (1 − θ/2 cot(θ/2))/θ² r × (r × t))"""
    r, t = self.rotation.as_rotvec(), self.translation
    once = cross(r, t)
    return joined(r, t - 0.5 * once + even(square_of(r), back, _BACK) * cross(r, once))


@written_out(RigidTransform.from_dual_quat)
def from_dual_quat(dual_quat: _ARRAY, *, scalar_first=False):
    """R = q/|q|, t = 2 Im (p q*)/|q|², of a dual quaternion (q, p)"""
    made = by_scipy(RigidTransform.from_dual_quat, dual_quat, scalar_first=scalar_first)
    both = floats(dual_quat)
    q, p = both[..., :4], both[..., 4:]
    if scalar_first:
        q, p = np.roll(q, -1, axis=-1), np.roll(p, -1, axis=-1)
    t = 2.0 * compose(p, inverse(q))[..., :3] / np.sum(q * q, axis=-1, keepdims=True)
    return made_of(made, turned(rotation_of(made), q), t)


@written_out(RigidTransform.as_dual_quat)
def as_dual_quat(self: RigidTransform, *, scalar_first=False):
    """(q, t q/2)"""
    q, t = turns(self.rotation), self.translation
    p = 0.5 * compose(joined(t, 0.0 * t[..., :1]), q)
    if scalar_first:
        q, p = np.roll(q, 1, axis=-1), np.roll(p, 1, axis=-1)
    return joined(q, p)


@written_out(RigidTransform.as_matrix)
def as_matrix(self: RigidTransform):
    """R and t, over a row (0, 0, 0, 1)"""
    t = self.translation
    upper = np.concatenate((self.rotation.as_matrix(), np.expand_dims(t, -1)), axis=-1)
    row = np.broadcast_to(np.array([[0.0, 0.0, 0.0, 1.0]]), (*np.shape(t)[:-1], 1, 4))
    return np.concatenate((upper, row), axis=-2)


@written_out(RigidTransform.as_components)
def as_components(self: RigidTransform):
    """t and R"""
    return self.translation, self.rotation


@written_out(RigidTransform.__mul__)
def mul(self: RigidTransform, other: RigidTransform):
    """R S, and t + R s"""
    made = by_scipy(RigidTransform.__mul__, self, other)
    t = self.translation + self.rotation.apply(other.translation)
    return made_of(made, self.rotation * other.rotation, t)


@written_out(RigidTransform.inv)
def inv(self: RigidTransform):
    """R⁻¹, and −R⁻¹ t"""
    made, back_turned = by_scipy(RigidTransform.inv, self), self.rotation.inv()
    return made_of(made, back_turned, -back_turned.apply(self.translation))


@written_out(RigidTransform.__pow__)
def power(self: RigidTransform, n: Array):
    """exp(n log T)"""
    made, twist = by_scipy(RigidTransform.__pow__, self, n), n * self.as_exp_coords()
    return made_of(made, Rotation.from_rotvec(twist[..., :3]), _screw(twist))


@written_out(RigidTransform.apply)
def apply(self: RigidTransform, vector: _ARRAY, *, inverse=False):
    """y = R x + t, or R⁻¹ (x − t)"""
    x = floats(vector)
    if inverse:
        return self.rotation.apply(x - self.translation, inverse=True)
    return self.rotation.apply(x) + self.translation


@written_out(RigidTransform.__getitem__)
def getitem(self: RigidTransform, *, indexer):
    """T_i"""
    made = by_scipy(RigidTransform.__getitem__, self, indexer)
    return made_of(made, self.rotation[indexer], self.translation[indexer])


@written_out(RigidTransform.concatenate)
def concatenate(transforms: RigidTransform | list | tuple):
    """The transforms one after another"""
    made = by_scipy(RigidTransform.concatenate, transforms)
    if isinstance(transforms, RigidTransform):
        return made_of(made, transforms.rotation, transforms.translation)
    q = np.concatenate([np.reshape(turns(x.rotation), (-1, 4)) for x in transforms])
    t = np.concatenate([np.reshape(x.translation, (-1, 3)) for x in transforms])
    return made_of(made, turned(rotation_of(made), q), t)


@written_out(RigidTransform.mean)
def mean(self: RigidTransform, weights: object = None, *, axis=None):
    """The mean rotation, and the mean translation"""
    made, t = by_scipy(RigidTransform.mean, self, weights, axis), self.translation
    over = kept(np.ndim(t) - 1, axis)
    if weights is None:
        middle = np.mean(t, axis=over)
        return made_of(made, self.rotation.mean(axis=axis), middle)
    w = np.expand_dims(np.asarray(weights) * 1.0, -1)
    middle = np.sum(w * t, axis=over) / np.sum(w, axis=over)
    return made_of(made, self.rotation.mean(weights, axis=axis), middle)


non_differentiable(RigidTransform.identity, why="makes constant transforms")
non_differentiable(RigidTransform.__len__, why="returns a count")
