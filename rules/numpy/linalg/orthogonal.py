"""QR factorisation, for one matrix or a stack of them: tall, square and wide, real and complex.

The leading square block must have full rank; elsewhere q is not determined, and it is refused. The
columns that `mode="complete"` adds are any basis of what is left: a cotangent of theirs is refused,
and where they exist q has no tangent. Absent: `mode="raw"`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....core import NotDifferentiableError, UnsupportedArgument, frule, non_differentiable, rrule
from ....tangents import NotImplementedTangent, from_fields, is_zero
from ..adjoints import adjoint
from ..nesting import nest
from .factorizations import mirrored
from .gaps import diagonal_matrix, refuse_part

ADDED = NotImplementedTangent("the columns that mode='complete' adds to q are any basis of what is left")
NEXT = "give mode='reduced', or use the first columns alone"


def check_mode(mode: Any) -> None:
    """Refuse what is neither documented nor differentiated."""
    if mode not in ("reduced", "complete", "r"):
        raise UnsupportedArgument(np.linalg.qr, "mode", mode, supported=["reduced", "complete", "r"])


def check_rank(block: Any) -> None:
    """Refuse a leading block whose columns depend on one another."""
    pivots = np.abs(np.diagonal(block, axis1=-2, axis2=-1))
    largest = np.max(pivots, axis=-1, initial=0.0, keepdims=True)
    if np.any(pivots <= 4 * np.finfo(block.dtype).eps * block.shape[-1] * largest):
        raise NotDifferentiableError(
            "the factors of numpy.linalg.qr have no derivative where the leading columns are dependent",
            next="order the columns so that the leading ones are independent, or use svd",
        )


non_differentiable(check_mode, check_rank, why="checks an argument")


def over(x: Any, r: Any) -> Any:
    """x r⁻¹"""
    return adjoint(np.linalg.solve(adjoint(r), adjoint(x)))


def rotation(c: Any) -> Any:
    """The skew Hermitian matrix that leaves of c an upper triangle with a real diagonal."""
    strict = np.tril(c, -1)
    skew = strict - adjoint(strict)
    if np.iscomplexobj(c):
        skew = skew + 1j * diagonal_matrix(np.imag(np.diagonal(c, axis1=-2, axis2=-1)))
    return skew


def from_factors(q_bar: Any, r_bar: Any, a: Any, q: Any, r: Any) -> Any:
    """ā from q̄ and r̄, for a = q r with as few columns of q as there can be."""
    k = np.shape(q)[-1]
    others_bar = np.matmul(q, r_bar[..., k:])
    q_bar = q_bar + np.matmul(a[..., k:], adjoint(r_bar[..., k:]))
    block = r[..., :k]
    low = np.matmul(block, adjoint(r_bar[..., :k])) - np.matmul(adjoint(q_bar), q)
    block_bar = over(q_bar + np.matmul(q, mirrored(low, False)), adjoint(block))
    return np.concatenate((block_bar, others_bar), axis=-1)


@frule(np.linalg.qr)
def qr_frule(tangents, a: np.ndarray, *, mode="reduced"):
    """a = q r, C = qᴴ ȧ r⁻¹        q̇ = q Ω + (1 − q qᴴ) ȧ r⁻¹        ṙ = (C − Ω) r
    Ω = strict lower C − its adjoint + i Im diag C; wide: of the leading columns, the others follow"""
    check_mode(mode)
    (da,) = tangents
    y = np.linalg.qr(a) if mode == "r" else np.linalg.qr(a, mode)
    k = min(np.shape(a)[-2:])
    q, r = y[0][..., :k], y[1][..., :k, :]
    block = r[..., :k]
    check_rank(block)
    moved = over(da[..., :k], block)
    c = np.matmul(adjoint(q), moved)
    dq = np.matmul(q, rotation(c)) + moved - np.matmul(q, c)
    dr = np.triu(np.matmul(c - rotation(c), block))
    if np.shape(r)[-1] > k:
        rest = np.matmul(adjoint(q), da[..., k:] - np.matmul(dq, r[..., k:]))
        dr = np.concatenate((dr, rest), axis=-1)
    if mode == "r":
        return r, dr
    if np.shape(y[1])[-2] == k:
        return y, from_fields(type(y), (dq, dr))
    below = np.zeros_like(y[1][..., k:, :])
    return y, from_fields(type(y), (ADDED, np.concatenate((dr, below), axis=-2)))


@rrule(np.linalg.qr)
def qr_rrule(a: np.ndarray, *, mode="reduced"):
    """a = q r        ā = (q̄ + q M) r⁻ᴴ        M Hermitian, with the lower triangle of r r̄ᴴ − q̄ᴴ q
    a = q [r s]       s̄ goes to q̄ as y s̄ᴴ, and the other columns y have q s̄        [Roberts & Roberts 2020]"""
    check_mode(mode)
    y = np.linalg.qr(a) if mode == "r" else np.linalg.qr(a, mode)
    k = min(np.shape(a)[-2:])
    q, r = y[0][..., :k], y[1][..., :k, :]

    def qr_pullback(y_bar):
        check_rank(r[..., :k])
        q_bar = np.zeros_like(q)
        if mode == "r":
            return from_factors(q_bar, y_bar, a, q, r)
        if not is_zero(y_bar[0]):
            whole = nest(y_bar[0], np.shape(y[0]))
            refuse_part(np.linalg.qr, whole[..., k:], "mode='complete' adds columns in any basis", NEXT)
            q_bar = whole[..., :k]
        return from_factors(q_bar, nest(y_bar[1], np.shape(y[1]))[..., :k, :], a, q, r)

    return (r if mode == "r" else y), qr_pullback
