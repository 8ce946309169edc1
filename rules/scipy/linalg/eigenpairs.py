"""Eigenvalues and vectors that SciPy found, with their derivative by the matrix: all of them, or some.

`all_pairs` and `some_pairs` return the values and vectors that they are given, whatever driver found them,
and say how they move with the Hermitian matrix, of which one triangle is read. Some are moved within their
own span as all are; out of it by a system with the matrix whose chosen eigenvalues are shifted away [Nelson
1976], which stays regular where the chosen ones coincide. There a loss of the vectors alone that does not
change as they turn into each other is taken to depend on their span. Complex vectors: the row of the anchor
is real, see `phases`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....core import NotDifferentiableError, frule, non_differentiable, rrule
from ....core.callables import name_of
from ....tangents import NO_TANGENT, ZERO, NotImplementedTangent, from_fields, is_zero
from ...numpy.adjoints import adjoint
from ...numpy.linalg.factorizations import as_read, mirrored
from ...numpy.linalg.gaps import diagonal_matrix, has_repeats, inverse_gaps, noise, refuse_mixing, settled
from ...numpy.linalg.hermitian import (
    MISSING,
    anchor_row,
    from_pairs,
    moved_vectors,
)
from ...numpy.linalg.phases import anchor_bar, has_phases, refuse_jump, turning
from ...numpy.nesting import nest


def all_pairs(f: Any, a: Any, w: Any, u: Any, upper: bool, last: bool) -> Any:
    """(w, u); `upper` is read of a, and the last row of u is real, or the first."""
    return w, u


@frule(all_pairs)
def all_pairs_frule(tangents, f: object, a: np.ndarray, w: np.ndarray, u: np.ndarray, *, upper, last):
    """a u = u w        ẇ = diag uᴴ ȧ u        u̇ = u (F ∘ uᴴ ȧ u), Fᵢⱼ = 1 / (wⱼ − wᵢ), and the phase"""
    y = all_pairs(f, a, w, u, upper, last)
    w, u = y[0], settled(y[1], has_repeats(y[0]))
    inside = np.matmul(np.matmul(adjoint(u), mirrored(tangents[1], upper)), u)
    dw = np.real(np.diagonal(inside, axis1=-2, axis2=-1))
    return y, from_fields(tuple, (dw, moved_vectors(u, w, inside, last)))


@rrule(all_pairs)
def all_pairs_rrule(f: object, a: np.ndarray, w: np.ndarray, u: np.ndarray, *, upper, last):
    """a u = u w        ā = u (diag w̄ + F ∘ uᴴ ū) uᴴ, as it was read"""
    y = all_pairs(f, a, w, u, upper, last)
    loose = has_repeats(y[0])
    w, u = y[0], settled(y[1], loose)

    def all_pairs_pullback(y_bar):
        return NO_TANGENT, as_read(from_pairs(f, y_bar, w, u, last, loose), upper), ZERO, ZERO

    return y, all_pairs_pullback


def some_pairs(f: Any, a: Any, w: Any, u: Any, upper: bool, last: bool) -> Any:
    """(w, u) of some eigenvalues of one matrix."""
    return w, u


def touching(a: Any, w: Any) -> Any:
    """Which of the chosen eigenvalues coincide with one that was not chosen."""
    every = np.linalg.eigvalsh(a)
    bound = 4 * np.finfo(every.dtype).eps * every.size * np.max(np.abs(every), initial=0.0)
    near = np.sum(np.abs(every[None, :] - w[:, None]) <= 10 * bound, axis=1)
    return near > np.sum(np.abs(w[None, :] - w[:, None]) <= 10 * bound, axis=1)


def refuse_touching(f: Any, touched: Any, outside: Any) -> None:
    """Refuse cotangents of vectors whose eigenvalue has others that were not chosen."""
    if np.any(np.abs(outside)[:, touched] > noise(outside)):
        raise NotDifferentiableError(
            f"the vectors of {name_of(f)} have no derivative where values coincide",
            next="choose all vectors of an eigenvalue, or use the eigenvalues alone",
        )


non_differentiable(touching, refuse_touching, why="decides what has a derivative")


def shifted_systems(a: Any, w: Any, u: Any, right: Any, touched: Any) -> Any:
    """For each chosen eigenvalue the x outside the span of u with (wᵢ − a) xᵢ = the part of right there."""
    outside = right - np.matmul(u, np.matmul(adjoint(u), right))
    far = 2.0 * (np.max(np.abs(a)) * np.shape(a)[-1] + 1.0)
    n = np.shape(a)[-1]
    moved = np.matmul(u, adjoint(u)) * far
    shifts = np.reshape(np.where(touched, -far, w), (-1, 1, 1))
    systems = shifts * np.eye(n) - a - moved
    x = np.linalg.solve(systems, np.expand_dims(np.swapaxes(outside, -1, -2), -1))
    return np.swapaxes(np.squeeze(x, -1), -1, -2)


@frule(some_pairs)
def some_pairs_frule(tangents, f: object, a: np.ndarray, w: np.ndarray, u: np.ndarray, *, upper, last):
    """ẇ = diag uᴴ ȧ u        u̇ = u (F ∘ uᴴ ȧ u) + the x with (wᵢ − a) xᵢ = (1 − u uᴴ) ȧ uᵢ"""
    y = some_pairs(f, a, w, u, upper, last)
    w, u = y[0], settled(y[1], has_repeats(y[0]))
    whole, da = mirrored(a, upper), mirrored(tangents[1], upper)
    touched = touching(whole, w)
    moved = np.matmul(da, u)
    inside = np.matmul(adjoint(u), moved)
    dw = np.real(np.diagonal(inside))
    if np.any(touched):
        return y, from_fields(tuple, (dw, NotImplementedTangent(MISSING)))
    within = moved_vectors(u, w, inside, last)
    if isinstance(within, NotImplementedTangent):
        return y, from_fields(tuple, (dw, within))
    du = within + shifted_systems(whole, w, u, moved, touched)
    if has_phases(u):
        anchor, slip = anchor_row(u, last), np.imag(anchor_row(du, last))
        du = du - 1j * u * np.expand_dims(slip / np.real(anchor), -2)
    return y, from_fields(tuple, (dw, du))


@rrule(some_pairs)
def some_pairs_rrule(f: object, a: np.ndarray, w: np.ndarray, u: np.ndarray, *, upper, last):
    """ā = u (diag w̄ + F ∘ uᴴ ū) uᴴ + x uᴴ with (wᵢ − a) xᵢ = (1 − u uᴴ) ūᵢ, as it was read"""
    y = some_pairs(f, a, w, u, upper, last)
    w, u = y[0], settled(y[1], has_repeats(y[0]))

    def some_pairs_pullback(y_bar):
        if is_zero(y_bar[1]):
            return NO_TANGENT, as_read(from_pairs(f, y_bar, w, u, last, has_repeats(w)), upper), ZERO, ZERO
        whole, u_bar = mirrored(a, upper), nest(y_bar[1], np.shape(u))
        touched = touching(whole, w)
        refuse_touching(f, touched, u_bar)
        if has_phases(u):
            anchor, turned = anchor_row(u, last), turning(u, u_bar)
            refuse_jump(f, anchor, turned, u_bar)
            u_bar = u_bar + row_of(anchor_bar(turned, anchor), u, last)
        x = shifted_systems(whole, w, u, u_bar, touched)
        mixed = np.matmul(adjoint(u), u_bar)
        turning_part = mixed - adjoint(mixed)
        refuse_mixing(f, w, turning_part if is_zero(y_bar[0]) else mixed)
        inside = diagonal_matrix(nest(y_bar[0], np.shape(w))) + inverse_gaps(w) * turning_part / 2
        a_bar = np.matmul(np.matmul(u, inside) + x, adjoint(u))
        return NO_TANGENT, as_read(a_bar, upper), ZERO, ZERO

    return y, some_pairs_pullback


def row_of(row: Any, like: Any, last: bool) -> Any:
    """A matrix like this one with one row, the last or the first, and zeros elsewhere."""
    m = np.shape(like)[-2]
    return np.expand_dims(row, -2) * np.expand_dims(np.arange(m) == (m - 1 if last else 0), -1)
