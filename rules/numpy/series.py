"""Series of polynomials at points: of powers, of Chebyshev's and of Legendre's, by points and coefficients.

Horner's scheme and Clenshaw's, as NumPy has them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_index
from numpy.polynomial import chebyshev, legendre, polynomial

from ...core import Array, non_differentiable
from ..written import written_out

_NUMBERS = Array | list | tuple

non_differentiable(normalize_axis_index, why="computes a place")


def points(x: Any) -> Any:
    """Points as NumPy has them: what is written out becomes an array."""
    return np.asarray(x) if isinstance(x, list | tuple) else x


def rows(c: Any, x: Any, tensor: Any) -> Any:
    """The coefficients, a row for each order, with axes for those of the points."""
    wide = np.atleast_1d(c) + 0.0
    if tensor and np.ndim(x):
        return np.reshape(wide, (*np.shape(wide), *(1,) * np.ndim(x)))
    return wide


@written_out(polynomial.polyval)
def power_series(x: _NUMBERS, c: _NUMBERS, *, tensor=True):
    """y = Σ cᵢ xⁱ"""
    at = points(x)
    row = rows(c, at, tensor)
    y = row[-1] + at * 0
    for i in range(2, len(row) + 1):
        y = row[-i] + y * at
    return y


@written_out(chebyshev.chebval)
def chebyshev_series(x: _NUMBERS, c: _NUMBERS, *, tensor=True):
    """y = Σ cᵢ Tᵢ(x)        T_{i+1} = 2 x Tᵢ − T_{i−1}"""
    at = points(x)
    row = rows(c, at, tensor)
    n = len(row)
    if n == 1:
        return row[0] + 0 * at
    before, last = row[-2], row[-1]
    for i in range(3, n + 1):
        before, last = row[-i] - last, before + last * (2 * at)
    return before + last * at


@written_out(legendre.legval)
def legendre_series(x: _NUMBERS, c: _NUMBERS, *, tensor=True):
    """y = Σ cᵢ Pᵢ(x)        (i + 1) P_{i+1} = (2 i + 1) x Pᵢ − i P_{i−1}"""
    at = points(x)
    row = rows(c, at, tensor)
    n = len(row)
    if n == 1:
        return row[0] + 0 * at
    before, last = row[-2], row[-1]
    for i in range(3, n + 1):
        k = n + 2 - i
        before, last = row[-i] - last * ((k - 1) / k), before + last * at * ((2 * k - 1) / k)
    return before + last * at


@written_out(polynomial.polyder)
def power_series_derivative(c: _NUMBERS, *, m=1, scl=1, axis=0):
    """c′_i = (i + 1) c_{i+1}, times a scale"""
    row = np.moveaxis(rows(c, 0.0, False), axis, 0)
    for _ in range(m):
        row = lowered(row) * scl
    return np.moveaxis(row, 0, axis)


def lowered(row: Any) -> Any:
    """The coefficients of the derivative; of a constant a zero."""
    if len(row) == 1:
        return 0 * row
    orders = np.arange(1.0, len(row))
    return np.reshape(orders, (len(row) - 1, *(1,) * (np.ndim(row) - 1))) * row[1:]
