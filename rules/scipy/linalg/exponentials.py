"""The exponential of a matrix and its Fréchet derivative: expm, expm_frechet, expm_cond.

    L(a, e) = ∫ exp((1 − t) a) e exp(t a) dt, the upper right block of the exponential of a over e, 0 over a

The adjoint of L(a, ·) is L(aᴴ, ·), so that a pullback costs as much as a derivative. Small matrices take the
block [Mathias 1996], large ones `squarings`, which differentiates the steps of the exponential itself. The
derivative of L(a, e) along ȧ is the corner of a block of blocks.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import linalg

from ....core import Array, frule, non_differentiable, rrule, unbroadcast
from ....tangents import ZERO
from ...numpy.adjoints import adjoint
from ...written import written_out
from .blocks import corner, pair, triangle
from .squarings import along
from .systems import check_finite_entries, check_matrix, in_double

SMALL = 30
"""Up to this size the block costs less than the steps in Python."""


def moved_exponential(a: Any, e: Any) -> Any:
    """L(a, e), for one matrix or a stack of them."""
    n = a.shape[-1]
    if n > SMALL:
        return one_by_one(a, e)
    size = np.abs(e).max() if e.size else 0.0
    if not size:
        return e * np.zeros_like(a)
    scale = max(np.abs(a).max(), 2.0**-10) / (8 * size)  # so that e adds no squaring
    lead = () if a.ndim == e.ndim == 2 else np.broadcast_shapes(a.shape[:-2], e.shape[:-2])
    block = np.zeros((*lead, 2 * n, 2 * n), np.result_type(a, e))
    block[..., :n, :n] = a
    block[..., n:, n:] = a
    block[..., :n, n:] = e * scale
    return linalg.expm(block)[..., :n, n:] / scale


def one_by_one(a: Any, e: Any) -> Any:
    """L(a, e) of each pair of large matrices."""
    if a.ndim == e.ndim == 2:
        return along(a, e)
    a, e = np.broadcast_arrays(a, e)
    return np.stack([one_by_one(x, y) for x, y in zip(a, e, strict=True)]) if len(a) else np.zeros_like(e)


def second(a: Any, e: Any, f: Any) -> Any:
    """The derivative of L(a, e) along f, which is symmetric in e and f."""
    return corner(moved_exponential(triangle(a, f), pair(e, e)))


@frule(moved_exponential)
def moved_exponential_frule(tangents, a: np.ndarray, e: np.ndarray):
    """y = L(a, e)        ẏ = L(a, ė) + L²(a, e, ȧ)"""
    da, de = tangents
    dy: Any = ZERO
    if de is not ZERO:
        dy = moved_exponential(a, de)
    if da is not ZERO:
        dy = dy + second(a, e, da)
    return moved_exponential(a, e), dy


@rrule(moved_exponential)
def moved_exponential_rrule(a: np.ndarray, e: np.ndarray, *, needs):
    """y = L(a, e)        ē = L(aᴴ, ȳ)        ā = L²(aᴴ, eᴴ, ȳ)"""

    def moved_exponential_pullback(y_bar):
        a_bar = e_bar = ZERO
        if needs[0]:
            a_bar = unbroadcast(second(adjoint(a), adjoint(e), y_bar), np.shape(a))
        if needs[1]:
            e_bar = unbroadcast(moved_exponential(adjoint(a), y_bar), np.shape(e))
        return a_bar, e_bar

    return moved_exponential(a, e), moved_exponential_pullback


@frule(linalg.expm)
def expm_frule(tangents, A: Array):
    """y = exp a        ẏ = L(a, ȧ)"""
    check_matrix(linalg.expm, "A", A)
    return linalg.expm(A), moved_exponential(A, tangents[0])


@rrule(linalg.expm)
def expm_rrule(A: Array):
    """y = exp a        ā = L(aᴴ, ȳ)        [Al-Mohy & Higham 2009]"""
    check_matrix(linalg.expm, "A", A)

    def expm_pullback(y_bar):
        return moved_exponential(adjoint(A), y_bar)

    return linalg.expm(A), expm_pullback


@written_out(linalg.expm_frechet)
def expm_frechet(A: np.ndarray, E: np.ndarray, *, method=None, compute_expm=True, check_finite=True):
    """exp a, and L(a, e)"""
    check_finite_entries(A, check_finite)
    check_finite_entries(E, check_finite)
    A, E = in_double(A), in_double(E)
    moved = moved_exponential(A, E)
    if not compute_expm:
        return moved
    y = linalg.expm(A)
    return [y, moved] if np.ndim(A) > 2 else (y, moved)


def directions(n: int) -> Any:
    """The n² matrices with one entry, in the order of the Kronecker form."""
    return np.eye(n * n).reshape(n * n, n, n)


non_differentiable(directions, why="is constant")


@written_out(linalg.expm_cond)
def expm_cond(A: np.ndarray, *, check_finite=True):
    """‖L(a, ·)‖₂ ‖a‖ / ‖exp a‖, the norms those of Frobenius but the first"""
    check_finite_entries(A, check_finite)
    n = np.shape(A)[-1]
    moved = moved_exponential(np.expand_dims(A, -3) + np.zeros((n * n, n, n)), directions(n))
    form = np.reshape(np.swapaxes(moved, -1, -2), (*np.shape(A)[:-2], n * n, n * n))
    ends = [np.linalg.norm(m, axis=(-2, -1)) for m in (A, linalg.expm(A))]
    return np.linalg.norm(form, 2, (-2, -1)) * ends[0] / ends[1]
