"""Polar factors, and the nearest orthogonal matrix: polar, orthogonal_procrustes.

    a = u p        uᴴ u̇ = x with x p + p x = uᴴ ȧ − ȧᴴ u, and what leaves the span of u is ȧ p⁻¹

which is regular where singular values coincide. A matrix of lower rank has no unique u and is refused.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import linalg

from ....core import NotDifferentiableError, frule, non_differentiable, rrule
from ...numpy.adjoints import adjoint
from ...written import own, written_out
from .systems import check_finite_entries


def refuse_rank(p: Any) -> None:
    """Refuse a stretch that has no inverse."""
    w = np.linalg.eigvalsh(p)
    if w.size and np.any(w[..., 0] <= 100 * np.finfo(w.dtype).eps * w.shape[-1] * np.abs(w[..., -1])):
        raise NotDifferentiableError(
            "the polar factor of a matrix of lower rank is not unique and has no derivative",
            next="use the stretch alone, or a matrix of full rank",
        )


non_differentiable(refuse_rank, why="checks a matrix")


def direction(a: Any) -> Any:
    """u of a = u p, of a matrix that is square or tall, or a stack of them."""
    return linalg.polar(a)[0]


def stretch_of(a: Any, u: Any) -> Any:
    """p = uᴴ a, made Hermitian."""
    p = np.matmul(adjoint(u), a)
    return (p + adjoint(p)) / 2


@frule(direction)
def direction_frule(tangents, a: np.ndarray):
    """u̇ = u x + (1 − u uᴴ) ȧ p⁻¹        x p + p x = uᴴ ȧ − ȧᴴ u"""
    (da,) = tangents
    u = direction(a)
    p = stretch_of(a, u)
    refuse_rank(p)
    c = np.matmul(adjoint(u), da)
    du = np.matmul(u, linalg.solve_sylvester(p, p, c - adjoint(c)))
    if np.shape(a)[-2] > np.shape(a)[-1]:
        outside = da - np.matmul(u, c)
        du = du + adjoint(np.linalg.solve(p, adjoint(outside)))
    return u, du


@rrule(direction)
def direction_rrule(a: np.ndarray):
    """ā = u (y − yᴴ) + (1 − u uᴴ) ū p⁻¹        y p + p y = uᴴ ū"""
    u = direction(a)

    def direction_pullback(u_bar):
        p = stretch_of(a, u)
        refuse_rank(p)
        c = np.matmul(adjoint(u), u_bar)
        y = linalg.solve_sylvester(p, p, c)
        a_bar = np.matmul(u, y - adjoint(y))
        if np.shape(a)[-2] > np.shape(a)[-1]:
            outside = u_bar - np.matmul(u, c)
            a_bar = a_bar + adjoint(np.linalg.solve(p, adjoint(outside)))
        return a_bar

    return u, direction_pullback


def unitary(a: Any) -> Any:
    """u of a matrix of any shape."""
    return adjoint(direction(adjoint(a))) if np.shape(a)[-2] < np.shape(a)[-1] else direction(a)


@written_out(linalg.polar)
def polar(a: np.ndarray, *, side="right"):
    """a = u p, or p u from the left"""
    own(linalg.polar, a, side)
    u = unitary(a)
    p = np.matmul(adjoint(u), a) if side == "right" else np.matmul(a, adjoint(u))
    p = (p + adjoint(p)) / 2
    return [u, p] if np.ndim(a) > 2 else (u, p)


@written_out(linalg.orthogonal_procrustes)
def orthogonal_procrustes(A: np.ndarray, B: np.ndarray, *, check_finite=True):
    """the unitary r with the least ‖a r − b‖, and the sum of the singular values of aᴴ b [Schönemann 1966]"""
    check_finite_entries(A, check_finite)
    check_finite_entries(B, check_finite)
    product = np.matmul(adjoint(A), B)
    r = unitary(product)
    scale = np.sum(np.real(np.conj(r) * product), axis=(-2, -1))
    return [r, scale] if np.ndim(product) > 2 else (r, scale)
