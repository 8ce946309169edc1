"""Rotations as a manifold: the tangent of a `Rotation` is the rotation vector by which it is turned further.

`move(R, w)` is `Rotation.from_rotvec(w) * R`, so that tangents of a stack of shape s are arrays of shape
(*s, 3), whatever quaternions it holds. `turns(R)` reads the quaternions and `turned(made, q)` is the rotation
that SciPy made, moving as these do; between the two each method is a program of arrays. All is exact at the
identity. The signs of quaternions are held constant.

See [Solà, Deray & Atchuthan 2018].
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

from ....core import ShapeMismatch, UnsupportedArgument, frule, non_differentiable, rrule
from ....tangents import ZERO, IndexedTangent, natural_tangent
from .quaternions import cross, joined


def _move(x: Any, t: Any) -> Any:
    return Rotation.from_rotvec(t) * x


def _difference(a: Any, b: Any) -> Any:
    return (a * b.inv()).as_rotvec()


def _zero(x: Any) -> Any:
    return np.zeros((*x.shape, 3))


def _project(x: Any, t: Any) -> Any:
    vectors = np.asarray(t.dense() if isinstance(t, IndexedTangent) else t, float)
    if vectors.shape != (*x.shape, 3):
        raise ShapeMismatch(
            f"an array of shape {vectors.shape} is no tangent of rotations of shape {x.shape}",
            closest="the tangent of a rotation is a rotation vector, the last axis",
        )
    return vectors


natural_tangent(Rotation, np.ndarray, zero=_zero, move=_move, difference=_difference, project=_project)


def by_scipy(f: Any, *arguments: Any, **options: Any) -> Any:
    """What SciPy's function gives; it is given copies of arrays, since it does not take read-only ones."""
    return f(*[x.copy() if isinstance(x, np.ndarray) else x for x in arguments], **options)


non_differentiable(by_scipy, why="has no part in the derivative")


def turns(rotation: Any) -> Any:
    """The unit quaternions of rotations, as they are held; a copy, since SciPy's may share their memory."""
    return np.array(rotation.as_quat())


@frule(turns)
def turns_frule(tangents, rotation: Rotation):
    """q̇ = ½ (w, 0) q"""
    q, (w,) = turns(rotation), tangents
    v, s = q[..., :3], q[..., 3:]
    return q, 0.5 * joined(s * w + cross(w, v), -np.sum(w * v, axis=-1, keepdims=True))


@rrule(turns)
def turns_rrule(rotation: Rotation):
    """w̄ = ½ (s v̄ + v × v̄ − s̄ v), q = (v, s)"""
    q = turns(rotation)

    def turns_pullback(q_bar):
        v, s = q[..., :3], q[..., 3:]
        return 0.5 * (s * q_bar[..., :3] + cross(v, q_bar[..., :3]) - q_bar[..., 3:] * v)

    return q, turns_pullback


def turned(made: Any, q: Any) -> Any:
    """Rotations, which move as these quaternions of theirs do, of any sign and length."""
    return made


def refuse_complex(q: Any) -> None:
    """Refuse rotations of complex numbers, of which SciPy raises, or drops the imaginary parts."""
    if np.iscomplexobj(q):
        raise UnsupportedArgument(Rotation, "x", q, supported=["real numbers"])


non_differentiable(refuse_complex, why="asks for a type")


@frule(turned)
def turned_frule(tangents, made: object, q: np.ndarray):
    """w = 2 Im(q̇ q*)/|q|²"""
    refuse_complex(q)
    dq = tangents[1]
    v, s = q[..., :3], q[..., 3:]
    w = s * dq[..., :3] - dq[..., 3:] * v - cross(dq[..., :3], v)
    return turned(made, q), 2.0 * w / np.sum(q * q, axis=-1, keepdims=True)


@rrule(turned)
def turned_rrule(made: object, q: np.ndarray):
    """q̄ = 2 (s w̄ − v × w̄, −v·w̄)/|q|²"""
    refuse_complex(q)

    def turned_pullback(w_bar):
        v, s = q[..., :3], q[..., 3:]
        q_bar = joined(s * w_bar - cross(v, w_bar), -np.sum(v * w_bar, axis=-1, keepdims=True))
        return ZERO, 2.0 * q_bar / np.sum(q * q, axis=-1, keepdims=True)

    return turned(made, q), turned_pullback
