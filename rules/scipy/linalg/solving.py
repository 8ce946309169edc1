"""Linear systems and inverses: solve, inv, solve_triangular, for one matrix or a stack of them.

The cotangent of a matrix stands where the function reads it: under `assume_a` in a triangle, a diagonal or
three, and everywhere where SciPy looks for the structure itself. A singular matrix raises what SciPy raises.
A permission to overwrite an argument is not taken.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import linalg

from ....core import Array, UnsupportedArgument, frule, non_differentiable, rrule, unbroadcast
from ....tangents import ZERO
from ...numpy.adjoints import adjoint, conj
from .reading import as_given, turned, whole
from .systems import check_matrix, check_system, outer, times


@frule(linalg.solve)
def solve_frule(
    tangents, a: Array, b: Array, *, lower=False, overwrite_a=False, overwrite_b=False, check_finite=True,
    assume_a=None, transposed=False,
):  # fmt: skip
    """a y = b        a ẏ = ḃ − ȧ y        ȧ as a is read"""
    check_system(linalg.solve, a, b)
    da, db = tangents
    y = linalg.solve(a, b, lower, check_finite=check_finite, assume_a=assume_a, transposed=transposed)
    if da is not ZERO:
        moved = whole(da, assume_a, lower)
        db = db - times(np.swapaxes(moved, -1, -2) if transposed else moved, y, np.ndim(b) == 1)
    if np.ndim(b) == 1 and np.ndim(a) > 2 and np.ndim(db) > 1:
        return y, solve_columns(a, db, lower, assume_a, transposed)
    return y, linalg.solve(a, db, lower, check_finite=False, assume_a=assume_a, transposed=transposed)


def solve_columns(a: Any, b: Any, lower: Any, assume_a: Any, transposed: Any) -> Any:
    """A vector for each matrix of a stack."""
    columns = np.expand_dims(b, -1)
    y = linalg.solve(a, columns, lower, check_finite=False, assume_a=assume_a, transposed=transposed)
    return np.squeeze(y, -1)


@rrule(linalg.solve)
def solve_rrule(
    a: Array, b: Array, *, lower=False, overwrite_a=False, overwrite_b=False, check_finite=True,
    assume_a=None, transposed=False, needs,
):  # fmt: skip
    """a y = b        b̄ = a⁻ᴴ ȳ        ā = −b̄ yᴴ, where a is read        [Giles 2008]"""
    check_system(linalg.solve, a, b)
    y = linalg.solve(a, b, lower, check_finite=check_finite, assume_a=assume_a, transposed=transposed)
    a_shape, b_shape = np.shape(a), np.shape(b)
    vectors = len(b_shape) == 1

    def solve_pullback(y_bar):
        other, structure = (a, assume_a) if transposed else turned(a, assume_a)
        column = np.expand_dims(y_bar, -1) if vectors else y_bar
        b_bar = linalg.solve(other, column, lower, check_finite=False, assume_a=structure)
        if vectors:
            b_bar = np.squeeze(b_bar, -1)
        a_bar = ZERO
        if needs[0]:
            a_bar = outer(-b_bar, y, vectors)
            if transposed:
                a_bar = np.swapaxes(a_bar, -1, -2)
            a_bar = as_given(unbroadcast(a_bar, a_shape), assume_a, lower)
        return a_bar, unbroadcast(b_bar, b_shape)

    return y, solve_pullback


def check_inverse(a: Any, assume_a: Any) -> None:
    """Refuse no matrix, and one called diagonal that is not: SciPy leaves its other entries as they are."""
    check_matrix(linalg.inv, "a", a)
    if assume_a == "diagonal" and np.any(a * (1 - np.eye(np.shape(a)[-1]))):
        raise UnsupportedArgument(
            linalg.inv, "assume_a", assume_a, why="the matrix has entries beside the diagonal",
            next="give the diagonal alone, as np.diag(np.diag(a))",
        )  # fmt: skip


non_differentiable(check_inverse, why="checks an argument")


@frule(linalg.inv)
def inv_frule(tangents, a: Array, *, overwrite_a=False, check_finite=True, assume_a=None, lower=False):
    """y = a⁻¹        ẏ = −y ȧ y        ȧ as a is read"""
    check_inverse(a, assume_a)
    y = linalg.inv(a, check_finite=check_finite, assume_a=assume_a, lower=lower)
    return y, -np.matmul(np.matmul(y, whole(tangents[0], assume_a, lower)), y)


@rrule(linalg.inv)
def inv_rrule(a: Array, *, overwrite_a=False, check_finite=True, assume_a=None, lower=False):
    """y = a⁻¹        ā = −yᴴ ȳ yᴴ, where a is read"""
    check_inverse(a, assume_a)
    y = linalg.inv(a, check_finite=check_finite, assume_a=assume_a, lower=lower)

    def inv_pullback(y_bar):
        return as_given(np.matmul(np.matmul(-adjoint(y), y_bar), adjoint(y)), assume_a, lower)

    return y, inv_pullback


def triangle_of(a: Any, trans: Any, lower: Any, unit_diagonal: Any) -> Any:
    """What `solve_triangular` makes of a matrix or its tangent, without the ones that it adds."""
    half = np.tril(a, -1 if unit_diagonal else 0) if lower else np.triu(a, 1 if unit_diagonal else 0)
    if trans in (1, "T"):
        return np.swapaxes(half, -1, -2)
    return adjoint(half) if trans in (2, "C") else half


def triangle_given(a_bar: Any, trans: Any, lower: Any, unit_diagonal: Any) -> Any:
    """The adjoint of `triangle_of`."""
    if trans in (1, "T"):
        a_bar = np.swapaxes(a_bar, -1, -2)
    if trans in (2, "C"):
        a_bar = adjoint(a_bar)
    return np.tril(a_bar, -1 if unit_diagonal else 0) if lower else np.triu(a_bar, 1 if unit_diagonal else 0)


def solve_turned(a: Any, b: Any, trans: Any, lower: Any, unit_diagonal: Any) -> Any:
    """op(a)ᴴ y = b for the op that `trans` names."""
    if trans in (1, "T"):
        return linalg.solve_triangular(conj(a), b, 0, lower, unit_diagonal, check_finite=False)
    back = 0 if trans in (2, "C") else 2
    return linalg.solve_triangular(a, b, back, lower, unit_diagonal, check_finite=False)


@frule(linalg.solve_triangular)
def solve_triangular_frule(
    tangents, a: Array, b: Array, *, trans=0, lower=False, unit_diagonal=False, overwrite_b=False,
    check_finite=True,
):  # fmt: skip
    """op(a) y = b        op(a) ẏ = ḃ − op(ȧ) y        of the triangle that is read"""
    check_matrix(linalg.solve_triangular, "a", a)
    da, db = tangents
    y = linalg.solve_triangular(a, b, trans, lower, unit_diagonal, check_finite=check_finite)
    if da is not ZERO:
        db = db - times(triangle_of(da, trans, lower, unit_diagonal), y, np.ndim(b) == 1)
    if np.ndim(b) == 1 and np.ndim(db) > 1:
        columns = np.expand_dims(db, -1)
        dy = linalg.solve_triangular(a, columns, trans, lower, unit_diagonal, check_finite=False)
        return y, np.squeeze(dy, -1)
    return y, linalg.solve_triangular(a, db, trans, lower, unit_diagonal, check_finite=False)


@rrule(linalg.solve_triangular)
def solve_triangular_rrule(
    a: Array,
    b: Array,
    *,
    trans=0,
    lower=False,
    unit_diagonal=False,
    overwrite_b=False,
    check_finite=True,
    needs,
):
    """op(a) y = b        b̄ = op(a)⁻ᴴ ȳ        ā = −b̄ yᴴ, turned back and in the triangle that is read"""
    check_matrix(linalg.solve_triangular, "a", a)
    y = linalg.solve_triangular(a, b, trans, lower, unit_diagonal, check_finite=check_finite)
    a_shape, b_shape = np.shape(a), np.shape(b)
    vectors = len(b_shape) == 1

    def solve_triangular_pullback(y_bar):
        column = np.expand_dims(y_bar, -1) if vectors else y_bar
        b_bar = solve_turned(a, column, trans, lower, unit_diagonal)
        if vectors:
            b_bar = np.squeeze(b_bar, -1)
        a_bar = ZERO
        if needs[0]:
            a_bar = unbroadcast(outer(-b_bar, y, vectors), a_shape)
            a_bar = triangle_given(a_bar, trans, lower, unit_diagonal)
        return a_bar, unbroadcast(b_bar, b_shape)

    return y, solve_triangular_pullback
