"""Rotations that fit data best: the mean of rotations, and the alignment of vectors.

Both are unique or refused. Of one pair of vectors, or a pair of infinite weight, the alignment is the
shortest turn from one to the other, refused where they point in opposite directions; the other pairs turn it
about that direction. The residual of a perfect alignment has derivative zero.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

from ....core import NotDifferentiableError, frule, non_differentiable, rrule
from ...written import written_out
from .fitted import fitted
from .metrics import length
from .quaternions import compose, cross, exponential, joined, matrix_of, turn
from .rotations import by_scipy, turned, turns

_ARRAY = np.ndarray | list | tuple


def check_simple(k: Any) -> None:
    """Refuse a matrix whose largest eigenvalue is double."""
    values = np.linalg.eigvalsh(k)
    if np.any(values[..., -1] - values[..., -2] <= 1e-13 * np.abs(values[..., -1])):
        raise NotDifferentiableError(
            "the mean of these rotations is not unique",
            closest="rotations within a right angle of each other have one mean",
            next="leave out rotations that are opposite to one another",
        )


def check_sides(a: Any, b: Any) -> None:
    """Refuse opposite directions, between which many turns are the shortest."""
    if np.dot(a, b) <= -(1 - 1e-14) * np.linalg.norm(a) * np.linalg.norm(b):
        raise NotDifferentiableError(
            "the shortest turn between opposite vectors is not unique",
            next="give a second pair of vectors, of a finite weight",
        )


non_differentiable(check_simple, check_sides, why="checks an argument")


def principal(k: Any) -> Any:
    """The unit eigenvector of the largest eigenvalue of a symmetric matrix."""
    return np.linalg.eigh(k)[1][..., -1]


def _resolvent(k: Any, q: Any, t: Any) -> Any:
    """(λ − K)⁺ t, across q"""
    check_simple(k)
    column = q[..., None]
    value = np.expand_dims(np.sum(q * np.matmul(k, column)[..., 0], axis=-1), (-2, -1))
    across = t - q * np.sum(q * t, axis=-1, keepdims=True)
    outer = column * q[..., None, :]
    return np.linalg.solve(value * np.eye(4) - k + value * outer, across[..., None])[..., 0]


@frule(principal)
def principal_frule(tangents, k: np.ndarray):
    """q̇ = (λ − K)⁺ K̇ q"""
    q = principal(k)
    return q, _resolvent(k, q, np.matmul(tangents[0], q[..., None])[..., 0])


@rrule(principal)
def principal_rrule(k: np.ndarray):
    """K̄ = ((λ − K)⁺ q̄) qᵀ, symmetrised"""
    q = principal(k)

    def principal_pullback(q_bar):
        outer = _resolvent(k, q, q_bar)[..., None] * q[..., None, :]
        return (outer + np.swapaxes(outer, -1, -2)) / 2

    return q, principal_pullback


def kept(ndim: int, axis: Any) -> tuple[int, ...]:
    """The axes that a mean runs over, as those of an array with two more."""
    axes = range(ndim) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    return tuple(a % ndim for a in axes)


non_differentiable(kept, why="computes with axes")


@written_out(Rotation.mean)
def mean(self: Rotation, weights: object = None, *, axis=None):
    """The principal eigenvector of Σ w q qᵀ"""
    made = by_scipy(Rotation.mean, self, weights, axis)
    q = turns(self)
    outer = q[..., :, None] * q[..., None, :]
    if weights is not None:
        outer = np.asarray(weights)[..., None, None] * outer
    return turned(made, principal(np.mean(outer, axis=kept(np.ndim(q) - 1, axis))))


@written_out(Rotation.align_vectors)
def align_vectors(a: _ARRAY, b: _ARRAY, weights: object = None, *, return_sensitivity=False):
    """R = argmin Σ w |a − R b|², and the root of that sum"""
    found = by_scipy(Rotation.align_vectors, a, b, weights, return_sensitivity)
    to, by = np.reshape(np.asarray(a) * 1.0, (-1, 3)), np.reshape(np.asarray(b) * 1.0, (-1, 3))
    w = np.ones(len(to)) if weights is None else np.asarray(weights) * 1.0
    first = primary(w)
    if first is not None:
        made = turned(found[0], _about(to, by, w, first))
        w = np.where(np.arange(len(w)) == first, 0.0 if len(w) > 1 else 1.0, w)
    else:
        b_matrix = np.matmul(np.swapaxes(w[:, None] * to, 0, 1), by)
        made = fitted(found[0], b_matrix)
    rest = to - turn(turns(made)[None], by)
    residual = length(np.sum(w * np.sum(rest * rest, axis=-1)))
    if not return_sensitivity:
        return made, residual
    return made, residual, _sensitivity(b_matrix, matrix_of(turns(made)), np.mean(w))


def primary(w: Any) -> int | None:
    """The pair that is aligned exactly, where there is one."""
    return 0 if len(w) == 1 else int(np.argmax(np.isinf(w))) if np.any(np.isinf(w)) else None


non_differentiable(primary, why="returns an index")


def _about(a: Any, b: Any, w: Any, i: int) -> Any:
    """The shortest turn of b_i to a_i, and then that about a_i which fits the others best"""
    to = a[i] / np.linalg.norm(a[i])
    by = b[i] / np.linalg.norm(b[i])
    check_sides(to, by)
    half = joined(cross(by, to), 1.0 + np.sum(by * to, keepdims=True))
    q = half / np.linalg.norm(half)
    if len(a) == 1:
        return q
    others = np.arange(len(a)) != i
    a, c, w = a[others], turn(q[None], b[others]), w[others]
    sine = np.sum(w * np.sum(cross(c, a) * to, axis=-1))
    cosine = np.sum(w * (np.sum(c * a, axis=-1) - np.sum(c * to, axis=-1) * np.sum(a * to, axis=-1)))
    return compose(exponential(np.arctan2(sine, cosine) * to), q)


def _sensitivity(b: Any, r: Any, w: Any) -> Any:
    """w (κ + B Bᵀ)/ζ, with κ and ζ of the signed singular values, the eigenvalues of B Rᵀ"""
    s = np.matmul(b, np.swapaxes(r, 0, 1))
    one, two = np.trace(s), np.trace(np.matmul(s, s))
    kappa = (one * one - two) / 2
    zeta = one * kappa - np.linalg.det(s)
    return w / zeta * (kappa * np.eye(3) + np.matmul(b, np.swapaxes(b, 0, 1)))
