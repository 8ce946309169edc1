"""LDL factors of symmetric and Hermitian matrices: ldl, with the pivots as they were chosen.

One triangle is read, and the cotangent stands in it.

See [de Hoog, Anderssen & Lukas 2011].
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import linalg

from ....core import frule, non_differentiable, rrule
from ....tangents import ZERO, from_fields
from ...numpy.adjoints import adjoint
from ...numpy.nesting import nest
from ...written import own, written_out
from .lu import inverse_of
from .reading import whole
from .stacks import over_stacks
from .systems import check_matrix


def outer_and_middle(a: Any, outer: Any, middle: Any, lower: bool, hermitian: bool) -> Any:
    """(l, d), the factors of a matrix whose rows and columns are in order, that SciPy found."""
    return outer, middle


def other(x: Any, hermitian: bool) -> Any:
    """The factor on the right: the adjoint, or the transpose."""
    return adjoint(x) if hermitian else np.swapaxes(x, -1, -2)


def blocks_of(d: Any, lower: bool) -> tuple[Any, Any]:
    """Where the blocks of d stand, and where l has entries that move."""
    inside = (d != 0) | (d.T != 0) | np.eye(len(d), dtype=bool)
    side = np.tril(np.ones(d.shape, bool), -1)
    return inside, (side if lower else side.T) & ~inside


non_differentiable(blocks_of, why="computes places")


@frule(outer_and_middle)
def outer_and_middle_frule(
    tangents, a: np.ndarray, outer: np.ndarray, middle: np.ndarray, *, lower, hermitian
):
    """a = l d lᴴ, C = l⁻¹ ȧ l⁻ᴴ        ḋ = the blocks of C        l̇ = l (C beside them) d⁻¹"""
    low, d = outer_and_middle(a, outer, middle, lower, hermitian)
    inside, beside = blocks_of(d, lower)
    half = linalg.solve_triangular(low, tangents[0], 0, lower, True)
    c = other(linalg.solve_triangular(low, other(half, hermitian), 0, lower, True), hermitian)
    moved = adjoint(np.linalg.solve(adjoint(d), adjoint(c * beside)))
    return (low, d), from_fields(tuple, (np.matmul(low, moved), c * inside))


@rrule(outer_and_middle)
def outer_and_middle_rrule(a: np.ndarray, outer: np.ndarray, middle: np.ndarray, *, lower, hermitian):
    """a = l d lᴴ        ā = l⁻ᴴ (d̄ in the blocks, lᴴ l̄ d⁻ᴴ beside them) l⁻¹"""
    low, d = outer_and_middle(a, outer, middle, lower, hermitian)

    def outer_and_middle_pullback(y_bar):
        inside, beside = blocks_of(d, lower)
        low_bar, d_bar = nest(y_bar[0], np.shape(low)), nest(y_bar[1], np.shape(d))
        moved = adjoint(np.linalg.solve(d, adjoint(np.matmul(adjoint(low), low_bar))))
        c = moved * beside + d_bar * inside
        half = linalg.solve_triangular(low, c, 2, lower, True)
        right = low if hermitian else np.conj(low)
        return adjoint(linalg.solve_triangular(right, adjoint(half), 2, lower, True)), ZERO, ZERO

    return (low, d), outer_and_middle_pullback


@written_out(linalg.ldl)
def ldl(A: np.ndarray, *, lower=True, hermitian=True, overwrite_a=False, check_finite=True):
    """a = l d lᴴ, or l d lᵀ; rows of l in the order of the pivots make a triangle"""
    check_matrix(linalg.ldl, "A", A)
    if np.ndim(A) > 2:
        return over_stacks(linalg.ldl, A, lower=lower, hermitian=hermitian)
    found = own(linalg.ldl, A, lower, hermitian, check_finite=check_finite)
    perm = found[2]
    full = whole(A, "her" if hermitian else "sym", lower)
    low, d = outer_and_middle(
        full[perm][:, perm], own(np.take, found[0], perm, 0), found[1], lower=lower, hermitian=hermitian
    )
    return low[inverse_of(perm)], d, perm
