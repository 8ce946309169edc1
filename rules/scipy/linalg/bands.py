"""Matrices stored by diagonals: ab[u + i − j, j] = a[i, j], with u diagonals above the main one.

What is computed here takes as many numbers as the storage has; `matrix_of` alone makes a whole matrix.
Corners of the storage that lie outside the matrix are not read and have no cotangent.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....core import UnsupportedArgument, non_differentiable
from ...numpy.adjoints import adjoint, conj


def check_band(f: Any, name: str, ab: Any) -> None:
    """Refuse what has no diagonals."""
    if np.ndim(ab) < 2 or not np.size(ab):
        raise UnsupportedArgument(f, name, ab, supported=["a row for each diagonal, of one column at least"])


def places(low: int, up: int, n: int) -> tuple[Any, Any, Any]:
    """For each entry of the storage its offset i − j, its row i, and whether it is in the matrix.

    Example: >>> places(0, 1, 2)[2]
             array([[False,  True],
                    [ True,  True]])
    """
    offset = np.arange(-up, low + 1)[:, None] + np.zeros((1, n), int)
    row = offset + np.arange(n)
    inside = (row >= 0) & (row < n)
    return offset, np.where(inside, row, 0), inside


non_differentiable(check_band, why="checks an argument")
non_differentiable(places, why="computes places")


def times_band(ab: Any, low: int, up: int, y: Any) -> Any:
    """a y, for the columns of y."""
    n = np.shape(ab)[-1]
    offset, row, inside = places(up, low, n)
    entries = np.where(inside, ab[..., up - offset, row], 0.0)
    return np.sum(np.expand_dims(entries, -1) * y[..., row, :], axis=-3)


def outer_band(x: Any, y: Any, low: int, up: int) -> Any:
    """The diagonals of x yᴴ."""
    _, row, inside = places(low, up, np.shape(y)[-2])
    products = np.sum(x[..., row, :] * np.expand_dims(conj(y), -3), axis=-1)
    return np.where(inside, products, 0.0)


def adjoint_band(ab: Any, low: int, up: int) -> Any:
    """The diagonals of aᴴ, which has u below the main one and l above it."""
    offset, row, inside = places(up, low, np.shape(ab)[-1])
    return np.where(inside, conj(ab[..., up - offset, row]), 0.0)


def hermitian_band(ab: Any, lower: Any) -> Any:
    """All diagonals of the Hermitian matrix of which one half is stored, the main one as real."""
    m = np.shape(ab)[-2] - 1
    main = np.real(ab[..., :1, :] if lower else ab[..., m:, :])
    half = ab[..., 1:, :] if lower else ab[..., :m, :]
    padded = np.concatenate((main, half) if lower else (half, main), axis=-2)
    other = adjoint_band(padded, m if lower else 0, 0 if lower else m)
    return np.concatenate((other[..., :m, :], padded) if lower else (padded, other[..., 1:, :]), axis=-2)


def half_given(ab_bar: Any, lower: Any) -> Any:
    """The cotangent of the half that is stored, from that of all diagonals."""
    m = (np.shape(ab_bar)[-2] - 1) // 2
    both = ab_bar + adjoint_band(ab_bar, m, m)
    main = np.real(ab_bar[..., m : m + 1, :])
    parts = (main, both[..., m + 1 :, :]) if lower else (both[..., :m, :], main)
    return np.concatenate(parts, axis=-2)


def matrix_of(ab: Any, lower: Any) -> Any:
    """The Hermitian matrix itself, whole, of which one half is stored."""
    m, n = np.shape(ab)[-2] - 1, np.shape(ab)[-1]
    column, row, inside = entries_of(m, n, bool(lower))
    half = np.where(inside, ab[..., row, column], 0.0)
    return half + adjoint(half) - np.real(half) * np.eye(n)


def entries_of(m: int, n: int, lower: bool) -> tuple[Any, Any, Any]:
    """Where each entry of a matrix stands among the diagonals, and which entries do."""
    i, j = np.indices((n, n))
    d = i - j if lower else j - i
    inside = (d >= 0) & (d <= m)
    return j, np.where(inside, d if lower else m - d, 0), inside


non_differentiable(entries_of, why="computes places")
