"""Spline filters: the coefficients of a spline through the samples, linear in them.

With the image continued by reflection (`reflect`) or repetition (`grid-wrap`) the matrix of a spline at
the samples is symmetric, and the filter, its inverse, is its own transpose. Continued about its ends
(`mirror`, and what SciPy filters in the same way) the matrix is W S, W = diag(½, 1, …, 1, ½) and S
symmetric: the transpose has W on the other side. Unser, Aldroubi and Eden, IEEE Trans. Signal Process.
41, 821 (1993), §II.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import ndimage

from ....core import non_differentiable
from ...linear import fresh, transpose_of
from ...written import own, written_out
from .arguments import along, delivered, dtype_of

SHORT = 48  # the slowest pole of the fifth order is 0.43, and 0.43⁴⁸ < 1e-17
SYMMETRIC = ("reflect", "grid-mirror", "grid-wrap", "nearest")


def ends(n: int, axis: int, ndim: int) -> Any:
    """½ at both ends of a line, 1 between, along one axis."""
    line = np.ones(n)
    if n > 1:
        line[[0, -1]] = 0.5
    return line.reshape((*(1,) * axis, n, *(1,) * (ndim - axis - 1)))


non_differentiable(ends, why="computes with lengths alone")


def coefficients(x: Any, *, order: int, axis: int, mode: str) -> Any:
    """The coefficients of a spline along one axis, in double precision."""
    return ndimage.spline_filter1d(x, order, axis, np.result_type(x.dtype, np.float64), mode)


def short(y_bar: Any, order: int, axis: int, mode: str) -> Any:
    """The transpose for lines so short that SciPy's recursion notices both ends: by the matrix itself."""
    matrix = own(matrix_of, np.shape(y_bar)[axis], order, mode)
    return np.moveaxis(np.tensordot(matrix.T, y_bar, (1, axis)), 0, axis)


def matrix_of(n: int, order: int, mode: str) -> Any:
    """The matrix of the filter."""
    return coefficients(np.eye(n), order=order, axis=0, mode=mode)


@transpose_of(coefficients)
def coefficients_transposed(y_bar, x: np.ndarray, *, order, axis, mode):
    """c = A⁻¹ x        ċ = A⁻¹ ẋ,  x̄ = A⁻ᵀ c̄, which is W A⁻¹ W⁻¹ c̄"""
    if np.shape(x)[axis] <= SHORT:
        return short(y_bar, order, axis, mode)
    if mode in SYMMETRIC:
        return coefficients(y_bar, order=order, axis=axis, mode=mode)
    w = ends(np.shape(x)[axis], axis, np.ndim(x))
    return w * coefficients(y_bar / w, order=order, axis=axis, mode=mode)


@written_out(ndimage.spline_filter1d)
def spline_filter1d(input: np.ndarray | list, *, order=3, axis=-1, output=np.float64, mode="mirror"):
    """The coefficients of a spline along one axis"""
    x = np.asarray(input)
    dtype = dtype_of("scipy.ndimage.spline_filter1d", output, x)
    if np.ndim(x) == 0:
        return delivered(np.copy(x), dtype)
    (axis,) = along(axis, np.ndim(x))
    return delivered(coefficients(x, order=order, axis=axis, mode=mode) if order > 1 else np.copy(x), dtype)


@written_out(ndimage.spline_filter)
def spline_filter(input: np.ndarray | list, *, order=3, output=np.float64, mode="mirror"):
    """The coefficients of a spline along all axes"""
    x = np.asarray(input)
    dtype = dtype_of("scipy.ndimage.spline_filter", output, x)
    c = x
    for axis in range(np.ndim(x)):
        c = coefficients(c, order=order, axis=axis, mode=mode)
    return delivered(fresh(c, x), dtype)
