"""Systems with a matrix that is factored already: cho_solve, lu_solve.

The cotangent of a factor stands in the triangles that are read; pivots have none.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import linalg

from ....core import Array, UnsupportedArgument, non_differentiable
from ...written import written_out
from .systems import as_columns, as_given_columns


@written_out(linalg.cho_solve)
def cho_solve(c_and_lower: tuple, b: Array, *, overwrite_b=False, check_finite=True):
    """l lᴴ y = b, or uᴴ u y = b"""
    c, lower = c_and_lower
    first, second = (0, 2) if lower else (2, 0)
    vectors = np.ndim(b) == 1
    half = linalg.solve_triangular(c, as_columns(b, vectors), first, lower, check_finite=check_finite)
    return as_given_columns(linalg.solve_triangular(c, half, second, lower, check_finite=False), vectors)


def order_of(piv: Any) -> Any:
    """The order of rows that LAPACK's exchanges make, of one matrix or a stack of them.

    Example: >>> order_of(np.array([2, 2, 2]))
             array([2, 0, 1])
    """
    piv = np.asarray(piv)
    order = np.broadcast_to(np.arange(piv.shape[-1]), piv.shape).copy()
    for k in range(piv.shape[-1]):
        other = piv[..., k : k + 1]
        moved = np.take_along_axis(order, other, -1)
        np.put_along_axis(order, other, order[..., k : k + 1].copy(), -1)
        order[..., k : k + 1] = moved
    return order


non_differentiable(order_of, why="computes places")


def rows_in_order(b: Any, order: Any, vectors: bool) -> Any:
    """The rows of a matrix or entries of a vector, or of stacks of them, in an order."""
    columns = as_columns(b, vectors)
    lead = np.broadcast_shapes(np.shape(order)[:-1], np.shape(columns)[:-2])
    columns = np.broadcast_to(columns, lead + np.shape(columns)[-2:])
    return np.take_along_axis(columns, np.broadcast_to(order, lead + np.shape(order)[-1:])[..., None], -2)


def check_exchanges(lu: Any, piv: Any) -> None:
    """Refuse exchanges with rows that there are not, which LAPACK makes all the same."""
    if np.any((np.asarray(piv) < 0) | (np.asarray(piv) >= np.shape(lu)[-2])):
        raise UnsupportedArgument(linalg.lu_solve, "piv", piv, supported=["rows of lu, as by lu_factor"])


non_differentiable(check_exchanges, why="checks an argument")


@written_out(linalg.lu_solve)
def lu_solve(lu_and_piv: tuple, b: Array, *, trans=0, overwrite_b=False, check_finite=True):
    """l u y = p b; transposed (1) or adjoint (2): uᵀ lᵀ p y = b"""
    lu, piv = lu_and_piv
    check_exchanges(lu, piv)
    vectors, order = np.ndim(b) == 1, order_of(piv)
    if trans == 0:
        moved = rows_in_order(b, order, vectors)
        half = linalg.solve_triangular(lu, moved, 0, True, True, check_finite=check_finite)
        y = linalg.solve_triangular(lu, half, 0, False, check_finite=False)
    else:
        half = linalg.solve_triangular(lu, as_columns(b, vectors), trans, False, check_finite=check_finite)
        moved = linalg.solve_triangular(lu, half, trans, True, True, check_finite=False)
        y = rows_in_order(moved, np.argsort(order, axis=-1), False)
    return as_given_columns(y, vectors)
