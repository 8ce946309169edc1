"""LU factors: lu, lu_factor, with the exchanges of rows as they were made.

Where two entries tie for a pivot the exchanges jump, and the derivative is that of the one that was made. A
leading block that is singular raises what SciPy raises.

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
from .factored import order_of, rows_in_order
from .stacks import over_stacks
from .systems import check_matrix


def triangles(a: Any, low: Any, up: Any) -> Any:
    """(l, u), the factors of a square matrix that SciPy found."""
    return low, up


def inside_of(x: Any, low: Any, up: Any) -> Any:
    """l⁻¹ x u⁻¹"""
    half = linalg.solve_triangular(low, x, 0, True, True, check_finite=False)
    turned = linalg.solve_triangular(up, np.swapaxes(half, -1, -2), 1, False, check_finite=False)
    return np.swapaxes(turned, -1, -2)


@frule(triangles)
def triangles_frule(tangents, a: np.ndarray, low: np.ndarray, up: np.ndarray):
    """a = l u, C = l⁻¹ ȧ u⁻¹        l̇ = l C below the diagonal        u̇ = the rest of C u"""
    low, up = triangles(a, low, up)
    c = inside_of(tangents[0], low, up)
    return (low, up), from_fields(tuple, (np.matmul(low, np.tril(c, -1)), np.matmul(np.triu(c), up)))


@rrule(triangles)
def triangles_rrule(a: np.ndarray, low: np.ndarray, up: np.ndarray):
    """a = l u        ā = l⁻ᴴ (lᴴ l̄ below the diagonal and ū uᴴ on and above it) u⁻ᴴ"""
    low, up = triangles(a, low, up)

    def triangles_pullback(y_bar):
        low_bar, up_bar = nest(y_bar[0], np.shape(low)), nest(y_bar[1], np.shape(up))
        c = np.tril(np.matmul(adjoint(low), low_bar), -1) + np.triu(np.matmul(up_bar, adjoint(up)))
        half = linalg.solve_triangular(low, c, 2, True, True, check_finite=False)
        turned = linalg.solve_triangular(up, adjoint(half), 0, False, check_finite=False)
        return adjoint(turned), ZERO, ZERO

    return (low, up), triangles_pullback


def factors(a: Any, order: Any, low: Any, up: Any) -> tuple[Any, Any]:
    """The factors of a matrix of any shape, whose rows are exchanged first."""
    moved = rows_in_order(a, order, False)
    k = min(np.shape(a)[-2:])
    one, two = triangles(moved[..., :k, :k], own(np.copy, low[..., :k, :]), own(np.copy, up[..., :k]))
    if np.shape(a)[-2] > k:
        rest = np.swapaxes(moved[..., k:, :], -1, -2)
        below = np.swapaxes(linalg.solve_triangular(two, rest, 1, False, check_finite=False), -1, -2)
        return np.concatenate((one, below), axis=-2), two
    if np.shape(a)[-1] > k:
        right = linalg.solve_triangular(one, moved[..., k:], 0, True, True, check_finite=False)
        return one, np.concatenate((two, right), axis=-1)
    return one, two


def inverse_of(order: Any) -> Any:
    """The order that undoes an order."""
    return np.argsort(order, axis=-1)


non_differentiable(inverse_of, why="computes places")


@written_out(linalg.lu)
def lu(a: np.ndarray, *, permute_l=False, overwrite_a=False, check_finite=True, p_indices=False):
    """a = p l u"""
    places, low, up = own(linalg.lu, a, check_finite=check_finite, p_indices=True)
    low, up = factors(a, inverse_of(places), low, up)
    if permute_l:
        return rows_in_order(low, places, False), up
    exchanged = places if p_indices else own(linalg.lu, a, check_finite=False)[0]
    return exchanged, low, up


def apart(packed: Any) -> tuple[Any, Any]:
    """The factors that `lu_factor` packs into one array."""
    k = min(packed.shape)
    return np.tril(packed[:, :k], -1) + np.eye(packed.shape[0], k, dtype=packed.dtype), np.triu(packed[:k])


non_differentiable(apart, why="takes apart what was found")


@written_out(linalg.lu_factor)
def lu_factor(a: np.ndarray, *, overwrite_a=False, check_finite=True):
    """p a = l u, packed into one array without the ones of l"""
    check_matrix(linalg.lu_factor, "a", a)
    if np.ndim(a) > 2:
        return over_stacks(linalg.lu_factor, a)
    packed, piv = own(linalg.lu_factor, a, check_finite=check_finite)
    found = apart(packed)
    m, n = np.shape(a)
    low, up = factors(a, order_of(rest_of(piv, m)), found[0], found[1])
    low, k = np.tril(low, -1), min(m, n)
    low = np.concatenate((low, np.zeros((m, n - k), packed.dtype)), axis=-1)
    return low + np.concatenate((up, np.zeros((m - k, n), packed.dtype)), axis=-2), piv


def rest_of(piv: Any, m: int) -> Any:
    """Exchanges for all m rows, the last ones with themselves."""
    return np.concatenate((piv, np.arange(len(piv), m)))


non_differentiable(rest_of, why="computes places")
