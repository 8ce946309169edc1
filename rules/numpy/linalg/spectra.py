"""Eigenvalues and vectors of general matrices: eig, eigvals, for one matrix or a stack of them.

The vectors are LAPACK's: of length one, the largest entry of each real; where several are largest, the
first that is real. A matrix that has not n independent vectors is refused. Coinciding eigenvalues
of others: see `gaps`.

See [Giles 2008] and [Boeddeker et al. 2017].
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....core import NotDifferentiableError, frule, non_differentiable, rrule
from ....tangents import NotImplementedTangent, from_fields, is_zero
from ..adjoints import adjoint, conj
from ..nesting import nest
from .gaps import diagonal_matrix, has_repeats, inverse_gaps, refuse_mixing, settled
from .phases import anchor_bar, turn_back, turning

MISSING = "eigenvectors of eigenvalues that coincide have no derivative"


def anchors(v: Any) -> Any:
    """1 at the entry of each vector that LAPACK keeps real, 0 elsewhere."""
    real_size = np.where(np.imag(v) == 0, np.abs(v), -1.0)
    rows = np.argmax(real_size, axis=-2, keepdims=True) if v.shape[-1] else 0
    return (np.arange(v.shape[-2])[:, None] == rows).astype(np.real(v).dtype)


def refuse_defective(v: Any) -> None:
    """Refuse a matrix whose eigenvectors do not span the space."""
    if v.size and np.any(np.linalg.cond(v, 2) > 1e-2 / np.finfo(v.dtype).eps):
        raise NotDifferentiableError(
            "eigenvalues of a defective matrix, one without n independent eigenvectors, have no derivative",
            next="perturb the matrix, or use what is smooth in it: its determinant, trace or powers",
        )


def in_order_of(w: Any, y: Any) -> Any:
    """The places in w of the eigenvalues in y, which may come in another order."""
    if np.allclose(w, y, rtol=1e3 * np.finfo(w.dtype).eps, atol=0):
        return np.broadcast_to(np.arange(y.shape[-1]), y.shape)
    return np.argmin(np.abs(w[..., None, :] - y[..., None]), axis=-1)


non_differentiable(anchors, in_order_of, why="finds places")
non_differentiable(refuse_defective, why="checks a matrix")


@frule(np.linalg.eig)
def eig_frule(tangents, a: np.ndarray):
    """a v = v w        ẇ = diag v⁻¹ ȧ v        v̇ = v (F ∘ v⁻¹ ȧ v), Fᵢⱼ = 1 / (wⱼ − wᵢ), length and phase"""
    y = np.linalg.eig(a)
    w, v = y[0], settled(y[1], has_repeats(y[0]))
    refuse_defective(v)
    return y, from_fields(type(y), moved_pairs(tangents[0], w, v))


def moved_pairs(da: Any, w: Any, v: Any) -> tuple[Any, Any]:
    """(ẇ, v̇), with v̇ missing where values coincide."""
    inside = np.linalg.solve(v, np.matmul(da, v))
    dw = np.diagonal(inside, axis1=-2, axis2=-1)
    if has_repeats(w):
        return dw, NotImplementedTangent(MISSING)
    dv = np.matmul(v, inverse_gaps(w) * inside)
    change = -np.sum(np.real(conj(v) * dv), axis=-2)
    if np.iscomplexobj(v):
        at = anchors(v)
        change = change + 1j * turn_back(np.sum(at * dv, axis=-2), np.sum(at * v, axis=-2))
    return dw, dv + v * np.expand_dims(change, -2)


@rrule(np.linalg.eig)
def eig_rrule(a: np.ndarray):
    """a v = v w        ā = v⁻ᴴ (diag w̄ + conj(F) ∘ vᴴ v̄) vᴴ        Fᵢⱼ = 1 / (wⱼ − wᵢ)
    v̄ without what only lengths and phases would change"""
    y = np.linalg.eig(a)
    w, v = y[0], settled(y[1], has_repeats(y[0]))

    def eig_pullback(y_bar):
        refuse_defective(v)
        return from_pairs(np.linalg.eig, y_bar, w, v)

    return y, eig_pullback


def from_pairs(f: Any, y_bar: Any, w: Any, v: Any) -> Any:
    """The cotangent of the matrix, from those of eigenvalues and vectors."""
    inside = diagonal_matrix(nest(y_bar[0], np.shape(w)))
    if not is_zero(y_bar[1]):
        v_bar = nest(y_bar[1], np.shape(v))
        stretched = np.sum(np.real(conj(v) * v_bar), axis=-2, keepdims=True)
        if np.iscomplexobj(v):
            at = anchors(v)
            turned = anchor_bar(turning(v, v_bar), np.sum(at * v, axis=-2))
            v_bar = v_bar + at * np.expand_dims(turned, -2)
        v_bar = v_bar - v * stretched
        mixed = np.matmul(adjoint(v), v_bar)
        refuse_mixing(f, w, mixed)
        inside = inside + conj(inverse_gaps(w)) * mixed
    return np.linalg.solve(adjoint(v), np.matmul(inside, adjoint(v)))


@frule(np.linalg.eigvals)
def eigvals_frule(tangents, a: np.ndarray):
    """w = the eigenvalues of a        ẇ = diag v⁻¹ ȧ v        v the eigenvectors"""
    y, pair = np.linalg.eigvals(a), np.linalg.eig(a)
    refuse_defective(pair[1])
    v = settled(pair[1], has_repeats(pair[0]))
    inside = np.linalg.solve(v, np.matmul(tangents[0], v))
    dw = np.diagonal(inside, axis1=-2, axis2=-1)
    return y, np.take_along_axis(dw, in_order_of(pair[0], y), -1)


@rrule(np.linalg.eigvals)
def eigvals_rrule(a: np.ndarray):
    """w = the eigenvalues of a        ā = v⁻ᴴ diag(w̄) vᴴ        v the eigenvectors"""
    y = np.linalg.eigvals(a)

    def eigvals_pullback(w_bar):
        pair = np.linalg.eig(a)
        refuse_defective(pair[1])
        v = np.take_along_axis(
            settled(pair[1], has_repeats(pair[0])), np.expand_dims(in_order_of(pair[0], y), -2), -1
        )
        return np.linalg.solve(adjoint(v), np.expand_dims(w_bar, -1) * adjoint(v))

    return y, eigvals_pullback
