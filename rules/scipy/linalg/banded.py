"""Systems and Cholesky factors of matrices stored by diagonals, at the cost of their diagonals.

solve_banded, solveh_banded, cholesky_banded, cho_solve_banded. A cotangent has the form of the storage; see
`bands`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import linalg

from ....core import Array, frule, rrule, unbroadcast
from ....tangents import NO_TANGENT, ZERO
from ...written import written_out
from .bands import adjoint_band, check_band, half_given, hermitian_band, outer_band, places, times_band
from .stacks import over_stacks
from .systems import as_columns, as_given_columns


def columns_of(db: Any, vectors: bool) -> Any:
    """As `as_columns`, of a tangent."""
    return db if db is ZERO else as_columns(db, vectors)


@frule(linalg.solve_banded)
def solve_banded_frule(
    tangents, l_and_u: tuple, ab: Array, b: Array, *, overwrite_ab=False, overwrite_b=False, check_finite=True
):
    """a y = b        a ẏ = ḃ − ȧ y"""
    _, dab, db = tangents
    y = linalg.solve_banded(l_and_u, ab, b, check_finite=check_finite)
    low, up = l_and_u
    vectors = np.ndim(b) == 1
    if dab is not ZERO:
        db = columns_of(db, vectors) - times_band(dab, low, up, as_columns(y, vectors))
    else:
        db = columns_of(db, vectors)
    return y, as_given_columns(linalg.solve_banded((low, up), ab, db, check_finite=False), vectors)


@rrule(linalg.solve_banded)
def solve_banded_rrule(
    l_and_u: tuple, ab: Array, b: Array, *, overwrite_ab=False, overwrite_b=False, check_finite=True, needs
):
    """a y = b        b̄ = a⁻ᴴ ȳ        āb = the diagonals of −b̄ yᴴ"""
    y = linalg.solve_banded(l_and_u, ab, b, check_finite=check_finite)
    low, up = l_and_u
    ab_shape, b_shape = np.shape(ab), np.shape(b)
    vectors = len(b_shape) == 1

    def solve_banded_pullback(y_bar):
        turned = adjoint_band(ab, low, up)
        b_bar = linalg.solve_banded((up, low), turned, as_columns(y_bar, vectors), check_finite=False)
        ab_bar = ZERO
        if needs[1]:
            ab_bar = unbroadcast(outer_band(-b_bar, as_columns(y, vectors), low, up), ab_shape)
        return NO_TANGENT, ab_bar, unbroadcast(as_given_columns(b_bar, vectors), b_shape)

    return y, solve_banded_pullback


@frule(linalg.solveh_banded)
def solveh_banded_frule(
    tangents, ab: Array, b: Array, *, overwrite_ab=False, overwrite_b=False, lower=False, check_finite=True
):
    """a y = b        a ẏ = ḃ − ȧ y        a Hermitian, of the half that is stored"""
    dab, db = tangents
    y = linalg.solveh_banded(ab, b, lower=lower, check_finite=check_finite)
    m, vectors = np.shape(ab)[-2] - 1, np.ndim(b) == 1
    db = columns_of(db, vectors)
    if dab is not ZERO:
        db = db - times_band(hermitian_band(dab, lower), m, m, as_columns(y, vectors))
    return y, as_given_columns(linalg.solveh_banded(ab, db, lower=lower, check_finite=False), vectors)


@rrule(linalg.solveh_banded)
def solveh_banded_rrule(
    ab: Array, b: Array, *, overwrite_ab=False, overwrite_b=False, lower=False, check_finite=True, needs
):
    """a y = b        b̄ = a⁻¹ ȳ        āb = the diagonals of −b̄ yᴴ, folded onto the half that is stored"""
    y = linalg.solveh_banded(ab, b, lower=lower, check_finite=check_finite)
    ab_shape, b_shape = np.shape(ab), np.shape(b)
    m, vectors = ab_shape[-2] - 1, len(b_shape) == 1

    def solveh_banded_pullback(y_bar):
        b_bar = linalg.solveh_banded(ab, as_columns(y_bar, vectors), lower=lower, check_finite=False)
        ab_bar = ZERO
        if needs[0]:
            all_bar = outer_band(-b_bar, as_columns(y, vectors), m, m)
            ab_bar = unbroadcast(half_given(all_bar, lower), ab_shape)
        return ab_bar, unbroadcast(as_given_columns(b_bar, vectors), b_shape)

    return y, solveh_banded_pullback


@written_out(linalg.cho_solve_banded)
def cho_solve_banded(cb_and_lower: tuple, b: Array, *, overwrite_b=False, check_finite=True):
    """l lᴴ y = b, or uᴴ u y = b"""
    cb, lower = cb_and_lower
    m = np.shape(cb)[-2] - 1
    if lower:
        half = linalg.solve_banded((m, 0), cb, b, check_finite=check_finite)
        return linalg.solve_banded((0, m), adjoint_band(cb, m, 0), half, check_finite=False)
    half = linalg.solve_banded((m, 0), adjoint_band(cb, 0, m), b, check_finite=check_finite)
    return linalg.solve_banded((0, m), cb, half, check_finite=False)


@written_out(linalg.cholesky_banded)
def cholesky_banded(ab: np.ndarray, *, overwrite_ab=False, lower=False, check_finite=True):
    """a = l lᴴ, column by column, with the columns that reach into each other [Golub & Van Loan 2013, 4.3.5]
    corners of the storage that lie outside the matrix come back as they were"""
    check_band(linalg.cholesky_banded, "ab", ab)
    if np.ndim(ab) > 2:
        return over_stacks(linalg.cholesky_banded, ab, lower=lower)
    m, n = np.shape(ab)[-2] - 1, np.shape(ab)[-1]
    given = ab if lower else adjoint_band(ab, 0, m)
    columns: list[Any] = []
    for j in range(n):
        column = given[:, j]
        for k in range(1, min(m, j) + 1):
            before = columns[j - k]
            gone = np.concatenate((before[k:] * np.conj(before[k]), np.zeros(k)))
            column = column - gone
        pivot = np.real(column[0])
        column = np.concatenate((np.reshape(pivot, 1), column[1:])) / np.sqrt(pivot)
        columns.append(column)
    factor = np.stack(columns, axis=-1)
    if lower:
        return np.where(places(m, 0, n)[2], factor, ab)
    return np.where(places(0, m, n)[2], adjoint_band(factor, m, 0), ab)
