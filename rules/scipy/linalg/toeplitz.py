"""Systems and products with Toeplitz and circulant matrices, of which only a column and a row exist.

solve_toeplitz, matmul_toeplitz, solve_circulant. The adjoint of a Toeplitz system is one; the cotangent of a
column and a row sums −b̄ yᴴ along its diagonals, which a convolution does. The first entry of the row is not
read. A column that is given alone stands for the row too, conjugated. Where a circulant matrix is singular
and least squares are asked for, frequencies that vanish are taken to stay so.

See [Golub & Van Loan 2013].
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import linalg

from ....core import Array, frule, non_differentiable, rrule, unbroadcast
from ....tangents import ZERO
from ...numpy.adjoints import conj
from ...written import own, written_out
from .systems import as_columns, as_given_columns, check_finite_entries, check_vector


def column_and_row(c_or_cr: Any) -> tuple[Any, Any]:
    """The first column and the first row."""
    if isinstance(c_or_cr, tuple):
        c, r = c_or_cr
        return np.asarray(c), np.asarray(r)
    return np.asarray(c_or_cr), np.conj(c_or_cr)


def spread(c: Any, r: Any) -> Any:
    """The entries of c and then of r backwards: the column of a circulant matrix around the Toeplitz one."""
    lead = np.broadcast_shapes(np.shape(c)[:-1], np.shape(r)[:-1])
    c = np.broadcast_to(c, (*lead, np.shape(c)[-1]))
    r = np.broadcast_to(r, (*lead, np.shape(r)[-1]))
    return np.concatenate((c, np.flip(r[..., 1:], axis=-1)), axis=-1)


def toeplitz_times(c: Any, r: Any, y: Any) -> Any:
    """The product with the columns of y, through Fourier transforms."""
    rows, p = np.shape(c)[-1], np.shape(c)[-1] + np.shape(r)[-1] - 1
    column = np.expand_dims(spread(c, r), -1)
    whole: Any
    if np.iscomplexobj(column) or np.iscomplexobj(y):
        whole = np.fft.ifft(np.fft.fft(column, axis=-2) * np.fft.fft(y, p, axis=-2), axis=-2)
    else:
        whole = np.fft.irfft(np.fft.rfft(column, axis=-2) * np.fft.rfft(y, p, axis=-2), p, axis=-2)
    return whole[..., :rows, :]


def along_diagonals(x: Any, y: Any) -> tuple[Any, Any]:
    """The sums of x yᴴ along the diagonals: of each that begins in the first column, and in the first row."""
    n = np.shape(x)[-2]
    product = np.fft.fft(x, 2 * n, axis=-2) * conj(np.fft.fft(y, 2 * n, axis=-2))
    sums = np.fft.ifft(np.sum(product, axis=-1), axis=-1)
    if not (np.iscomplexobj(x) or np.iscomplexobj(y)):
        sums = np.real(sums)
    column, rest = sums[..., :n], np.flip(sums[..., n + 1 :], axis=-1)
    return column, np.concatenate((np.zeros_like(column[..., :1]), rest), axis=-1)


def toeplitz_system(c: Any, r: Any, b: Any) -> Any:
    """The solution for the columns of b."""
    return linalg.solve_toeplitz((c, r), b, check_finite=False)


@frule(toeplitz_system)
def toeplitz_system_frule(tangents, c: np.ndarray, r: np.ndarray, b: np.ndarray):
    """t y = b        t ẏ = ḃ − ṫ y"""
    dc, dr, db = tangents
    y = toeplitz_system(c, r, b)
    if not np.size(b):
        return y, np.zeros_like(y)
    if dc is not ZERO or dr is not ZERO:
        db = db - toeplitz_times(dc + np.zeros_like(c), dr + np.zeros_like(r), y)
    return y, toeplitz_system(c, r, db)


@rrule(toeplitz_system)
def toeplitz_system_rrule(c: np.ndarray, r: np.ndarray, b: np.ndarray, *, needs):
    """t y = b        b̄ = t⁻ᴴ ȳ        c̄ₖ, r̄ₖ = the sums of −b̄ yᴴ along the diagonals"""
    y = toeplitz_system(c, r, b)
    shapes = np.shape(c), np.shape(r), np.shape(b)

    def toeplitz_system_pullback(y_bar):
        if not np.size(b):
            return ZERO, ZERO, np.zeros_like(b)
        lead = np.broadcast_shapes(shapes[0][:-1], shapes[1][:-1])
        first = np.broadcast_to(conj(c[..., :1]), (*lead, 1))
        rest = np.broadcast_to(conj(r[..., 1:]), (*lead, shapes[1][-1] - 1))
        b_bar = toeplitz_system(np.concatenate((first, rest), axis=-1), conj(c), y_bar)
        if not (needs[0] or needs[1]):
            return ZERO, ZERO, unbroadcast(b_bar, shapes[2])
        c_bar, r_bar = along_diagonals(-b_bar, y)
        return unbroadcast(c_bar, shapes[0]), unbroadcast(r_bar, shapes[1]), unbroadcast(b_bar, shapes[2])

    return y, toeplitz_system_pullback


@written_out(linalg.solve_toeplitz)
def solve_toeplitz(c_or_cr: tuple | Array, b: Array, *, check_finite=True):
    """t y = b"""
    check_finite_entries(b, check_finite)
    c, r = column_and_row(c_or_cr)
    if not np.size(b):
        return np.multiply(b, np.ones(()))
    vectors = np.ndim(b) == 1
    return as_given_columns(toeplitz_system(c, r, as_columns(np.asarray(b), vectors)), vectors)


@written_out(linalg.matmul_toeplitz)
def matmul_toeplitz(c_or_cr: tuple | Array, x: Array, *, check_finite=False, workers=None):
    """y = t x"""
    check_finite_entries(x, check_finite)
    c, r = column_and_row(c_or_cr)
    vectors = np.ndim(x) == 1
    double = np.multiply(x, np.ones(()))  # as SciPy computes, whatever it is given
    return as_given_columns(toeplitz_times(c, r, as_columns(double, vectors)), vectors)


def vanishing(fc: Any, tol: Any) -> Any:
    """Which frequencies are zero up to rounding, as SciPy decides."""
    size = np.abs(fc)
    if tol is None:
        tol = np.max(size, axis=-1, keepdims=True) * fc.shape[-1] * np.finfo(float).eps
    return size <= tol


non_differentiable(vanishing, why="compares with a bound")


@written_out(linalg.solve_circulant)
def solve_circulant(
    c: np.ndarray, b: np.ndarray, *, singular="raise", tol=None, caxis=-1, baxis=0, outaxis=0
):
    """y = F⁻¹ (F b / F c)"""
    check_vector(linalg.solve_circulant, "c", c)
    check_vector(linalg.solve_circulant, "b", b)
    found = own(linalg.solve_circulant, c, b, singular, tol, caxis, baxis, outaxis)
    if not np.size(found):
        return found
    fc = np.fft.fft(np.moveaxis(c, caxis, -1), axis=-1)
    fb = np.fft.fft(np.moveaxis(b, baxis, -1), axis=-1)
    zero = vanishing(fc, tol)
    y = np.fft.ifft(np.where(zero, 0.0, fb / np.where(zero, 1.0, fc)), axis=-1)
    if not (np.iscomplexobj(c) or np.iscomplexobj(b)):
        y = np.real(y)
    return np.moveaxis(y, -1, outaxis)
