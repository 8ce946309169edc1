"""Eigenvalues and vectors of Hermitian matrices: eigh, eigvalsh, for one matrix or a stack of them.

One triangle of the argument is read, as by `cholesky`, and the cotangent stands in it. The phase of
complex vectors is LAPACK's: the first row of u is real where the lower triangle is read, the last
where the upper is. Coinciding eigenvalues: see `gaps`.

See [Magnus 1985] and [Giles 2008].
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....core import frule, rrule
from ....tangents import NotImplementedTangent, from_fields, is_zero
from ..adjoints import adjoint, conj
from ..nesting import nest
from .factorizations import as_read, mirrored
from .gaps import between, divided, has_repeats, inverse_gaps, refuse_mixing, settled
from .phases import anchor_bar, has_phases, is_anchored, refuse_jump, turn_back, turning

MISSING = "eigenvectors of eigenvalues that coincide, or whose phase jumps, have no derivative"


def anchor_row(x: Any, upper: bool) -> Any:
    """The row of a stack of matrices of eigenvectors that LAPACK keeps real."""
    return x[..., -1, :] if upper else x[..., 0, :]


def in_anchor_row(row: Any, like: Any, upper: bool) -> Any:
    """The matrix with this row and zeros elsewhere."""
    n = np.shape(like)[-1]
    place = np.arange(n) == (n - 1 if upper else 0)
    return np.expand_dims(row, -2) * np.expand_dims(place, -1)


def moved_vectors(u: Any, w: Any, inside: Any, upper: bool) -> Any:
    """u̇ for uᴴ ȧ u = inside."""
    if has_repeats(w):
        return NotImplementedTangent(MISSING)
    du = np.matmul(u, inverse_gaps(w) * inside)
    if not has_phases(u):
        return du
    anchor = anchor_row(u, upper)
    if not is_anchored(anchor):
        return NotImplementedTangent(MISSING)
    return du + 1j * u * np.expand_dims(turn_back(anchor_row(du, upper), anchor), -2)


@frule(np.linalg.eigh)
def eigh_frule(tangents, a: np.ndarray, *, UPLO="L"):
    """a u = u w        ẇ = diag uᴴ ȧ u        u̇ = u (F ∘ uᴴ ȧ u), Fᵢⱼ = 1 / (wⱼ − wᵢ), and the phase"""
    y = np.linalg.eigh(a, UPLO)
    w, u = y[0], settled(y[1], has_repeats(y[0]))
    upper = UPLO in ("U", "u")
    inside = np.matmul(np.matmul(adjoint(u), mirrored(tangents[0], upper)), u)
    dw = np.real(np.diagonal(inside, axis1=-2, axis2=-1))
    return y, from_fields(type(y), (dw, moved_vectors(u, w, inside, upper)))


@rrule(np.linalg.eigh)
def eigh_rrule(a: np.ndarray, *, UPLO="L"):
    """a u = u w        ā = u (diag w̄ + F ∘ uᴴ ū) uᴴ, as it was read        Fᵢⱼ = 1 / (wⱼ − wᵢ)"""
    y = np.linalg.eigh(a, UPLO)
    loose = has_repeats(y[0])
    w, u = y[0], settled(y[1], loose)
    upper = UPLO in ("U", "u")

    def eigh_pullback(y_bar):
        return as_read(from_pairs(np.linalg.eigh, y_bar, w, u, upper, loose), upper)

    return y, eigh_pullback


def from_pairs(f: Any, y_bar: Any, w: Any, u: Any, upper: bool, loose: bool) -> Any:
    """The cotangent of the whole matrix, from those of eigenvalues (loose: some coincide) and vectors."""
    w_bar = nest(y_bar[0], np.shape(w))
    if is_zero(y_bar[1]):
        return np.matmul(u * np.expand_dims(w_bar, -2), adjoint(u))
    u_bar = nest(y_bar[1], np.shape(u))
    if has_phases(u):
        anchor, turned = anchor_row(u, upper), turning(u, u_bar)
        refuse_jump(f, anchor, turned, u_bar)
        u_bar = u_bar + in_anchor_row(anchor_bar(turned, anchor), u, upper)
    mixed = np.matmul(adjoint(u), u_bar)
    if loose:
        refuse_mixing(f, w, mixed)
    inside = divided(mixed, between(w, loose), w_bar)
    return np.matmul(np.matmul(u, inside), adjoint(u))


def vectors_of(a: Any, UPLO: Any) -> Any:
    """The eigenvectors of a, inside a first derivative."""
    pair = np.linalg.eigh(a, UPLO)
    return settled(pair[1], has_repeats(pair[0]))


@frule(np.linalg.eigvalsh)
def eigvalsh_frule(tangents, a: np.ndarray, *, UPLO="L"):
    """w = the eigenvalues of a        ẇ = diag uᴴ ȧ u        u the eigenvectors"""
    u = vectors_of(a, UPLO)
    inside = np.matmul(mirrored(tangents[0], UPLO in ("U", "u")), u)
    return np.linalg.eigvalsh(a, UPLO), np.sum(np.real(conj(u) * inside), axis=-2)


@rrule(np.linalg.eigvalsh)
def eigvalsh_rrule(a: np.ndarray, *, UPLO="L"):
    """w = the eigenvalues of a        ā = u diag(w̄) uᴴ, as it was read        u the eigenvectors"""

    def eigvalsh_pullback(w_bar):
        u = vectors_of(a, UPLO)
        return as_read(np.matmul(u * np.expand_dims(w_bar, -2), adjoint(u)), UPLO in ("U", "u"))

    return np.linalg.eigvalsh(a, UPLO), eigvalsh_pullback
