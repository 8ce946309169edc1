"""Matrices built from a few numbers, and what is rearranged only: toeplitz, hankel, circulant, block_diag and
kin.

All but `companion`, `fiedler` and `fiedler_companion` are linear. Entries that are not read, as the first of
a row, have no cotangent. `fiedler` has derivative zero where two entries coincide, as the absolute value has
at zero.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import linalg

from ....core import Array, UnsupportedArgument, non_differentiable
from ...written import as_found, own, written_out
from .systems import check_vector


def grid(rows: int, columns: int) -> tuple[Any, Any]:
    """The row and the column of each entry of a matrix."""
    i, j = np.indices((rows, columns))
    return i, j


non_differentiable(grid, why="computes places")


@written_out(linalg.toeplitz)
def toeplitz(c: Array, r: Array | None = None):
    """aᵢⱼ = cᵢ₋ⱼ, or rⱼ₋ᵢ above the diagonal; without r its conjugate"""
    column = np.atleast_1d(c)
    row = np.conj(column) if r is None else np.atleast_1d(r)
    lead = np.broadcast_shapes(np.shape(column)[:-1], np.shape(row)[:-1])
    n, m = np.shape(column)[-1], np.shape(row)[-1]
    column, row = np.broadcast_to(column, (*lead, n)), np.broadcast_to(row, (*lead, m))
    values = np.concatenate((np.flip(row[..., 1:], axis=-1), column), axis=-1)
    i, j = grid(n, m)
    return values[..., i - j + max(m - 1, 0)]


@written_out(linalg.hankel)
def hankel(c: Array, r: Array | None = None):
    """aᵢⱼ = cᵢ₊ⱼ, or rᵢ₊ⱼ₋ₙ₊₁ in what follows; without r zeros"""
    own(linalg.hankel, c, r)
    column = np.ravel(c)
    row = np.zeros_like(column) if r is None else np.ravel(r)
    i, j = grid(np.size(column), np.size(row))
    return np.concatenate((column, row[1:]))[i + j]


@written_out(linalg.circulant)
def circulant(c: Array):
    """aᵢⱼ = c₍ᵢ₋ⱼ₎ modulo n"""
    column = np.atleast_1d(c)
    n = np.shape(column)[-1]
    i, j = grid(n, n)
    return column[..., (i - j) % max(n, 1)]


def below(n: int) -> Any:
    """Ones on the first subdiagonal."""
    return np.eye(n, k=-1)


non_differentiable(below, why="is constant")


@written_out(linalg.companion)
def companion(a: np.ndarray):
    """the first row −a₁ / a₀, −a₂ / a₀, …, and ones below the diagonal"""
    found = own(linalg.companion, a)
    row = -a[..., 1:] / (1.0 * a[..., :1])
    n = np.shape(row)[-1]
    top = np.expand_dims(row, -2) * (grid(n, n)[0] == 0)
    return as_found(found, top + below(n))


@written_out(linalg.fiedler)
def fiedler(a: Array):
    """yᵢⱼ = |aᵢ − aⱼ|"""
    row = np.atleast_1d(a)
    if np.size(row) < 2:
        return own(linalg.fiedler, a)
    return np.abs(np.expand_dims(row, -1) - np.expand_dims(row, -2))


@written_out(linalg.fiedler_companion)
def fiedler_companion(a: np.ndarray):
    """five diagonals, with the coefficients over the first one [Fiedler 2003]"""
    check_vector(linalg.fiedler_companion, "a", a)
    shape = np.shape(own(linalg.fiedler_companion, a))
    monic = a[..., 1:] / a[..., :1]
    if np.ndim(a) == 1 and np.size(a) < 3:
        return np.reshape(-monic, shape)
    of, sign, ones = fiedler_places(np.shape(a)[-1] - 1)
    return sign * monic[..., of] + ones


def fiedler_places(n: int) -> tuple[Any, Any, Any]:
    """Which coefficient stands in each entry of a Fiedler matrix, its sign or zero, and the ones."""
    probe = linalg.fiedler_companion(np.concatenate(([1.0], np.arange(2.0, n + 2))))
    which = np.where(probe < 0, -probe - 2, 0).astype(int)
    ones = (probe == 1).astype(float)
    return which, np.where(probe < 0, -1.0, 0.0), ones


non_differentiable(fiedler_places, why="computes places")


@written_out(linalg.leslie)
def leslie(f: np.ndarray, s: np.ndarray):
    """the first row f, and s below the diagonal"""
    found = own(linalg.leslie, f, s)
    n = np.shape(f)[-1]
    i, j = grid(n, n)
    top = np.expand_dims(f, -2) * (i == 0)
    return as_found(found, top + np.expand_dims(s, -2)[..., np.minimum(j[0], n - 2)] * below(n))


@written_out(linalg.convolution_matrix)
def convolution_matrix(a: np.ndarray, *, n, mode="full"):
    """y with y x = the convolution of a and x"""
    rows = np.shape(own(linalg.convolution_matrix, a, n, mode))[-2]
    m = np.shape(a)[-1]
    start = {"full": 0, "same": (min(n, m) - 1) // 2, "valid": min(n, m) - 1}[mode]
    i, j = grid(rows, n)
    k = i + start - j
    inside = (k >= 0) & (k < m)
    return np.where(inside, a[..., np.where(inside, k, 0)], 0)


@written_out(linalg.block_diag)
def block_diag(*arrs: Array):
    """the matrices along the diagonal, zeros elsewhere"""
    found = own(linalg.block_diag, *arrs)
    blocks = [np.atleast_2d(a) for a in arrs]
    lead = np.broadcast_shapes(*[np.shape(b)[:-2] for b in blocks])
    width = sum_of([np.shape(b)[-1] for b in blocks])
    rows: Any = []
    before = 0
    for b in blocks:
        wide = np.broadcast_to(b, lead + np.shape(b)[-2:])
        m, n = np.shape(b)[-2:]
        left, right = np.zeros((*lead, m, before)), np.zeros((*lead, m, width - before - n))
        rows.append(np.concatenate((left, wide, right), axis=-1))
        before = before + n
    return as_found(found, np.concatenate(rows, axis=-2))


def sum_of(sizes: list[int]) -> int:
    """How long axes are together."""
    return sum(sizes)


non_differentiable(sum_of, why="computes with shapes")


@written_out(linalg.diagsvd)
def diagsvd(s: Array, *, M, N):
    """the m × n matrix with s on its diagonal"""
    own(linalg.diagsvd, s, M, N)
    i, j = grid(M, N)
    return np.expand_dims(s, -2)[..., np.zeros_like(i), np.minimum(j, np.shape(s)[-1] - 1)] * (i == j)


@written_out(linalg.khatri_rao)
def khatri_rao(a: Array, b: Array):
    """column by column the Kronecker product"""
    products = np.expand_dims(a, -2) * np.expand_dims(b, -3)
    if not np.size(products):
        return own(linalg.khatri_rao, a, b)
    shape = np.shape(products)
    return np.reshape(products, (*shape[:-3], shape[-3] * shape[-2], shape[-1]))


@written_out(linalg.cdf2rdf)
def cdf2rdf(w: np.ndarray, v: np.ndarray):
    """complex eigenvalues and vectors in pairs as real blocks and pairs of real columns; linear"""
    first: Any = pairs_of(own(np.asarray, w))
    found = own(linalg.cdf2rdf, w, v)
    second: Any = np.roll(first, 1, axis=-1)
    n = np.shape(w)[-1]
    i, j = grid(n, n)
    eye = np.eye(n)
    up = np.expand_dims(np.where(first, np.imag(w), 0.0), -1) * (j == i + 1)
    down = np.expand_dims(np.where(second, np.imag(w), 0.0), -1) * (j == i - 1)
    one, two = np.expand_dims(first, -2), np.expand_dims(second, -2)
    after, before = np.roll(v, -1, axis=-1), np.roll(v, 1, axis=-1)
    mean = np.where(two, np.real(before + v) / 2, np.real(v))
    blocks, columns = (
        np.expand_dims(np.real(w), -1) * eye + up + down,
        np.where(one, np.imag(after - v) / 2, mean),
    )
    return as_found(found[0], blocks), as_found(found[1], columns)


def pairs_of(w: Any) -> Any:
    """Which eigenvalues are the first of a complex pair."""
    if np.any(np.sum(np.imag(w) != 0, axis=-1) % 2):
        raise UnsupportedArgument(
            linalg.cdf2rdf, "w", w, supported=["complex eigenvalues in conjugate pairs"]
        )
    first = np.zeros(w.shape, bool)
    for place in np.ndindex(w.shape[:-1]):
        k = 0
        while k < w.shape[-1]:
            if np.imag(w[place][k]):
                first[place][k] = True
                k += 1
            k += 1
    return first


non_differentiable(pairs_of, why="finds pairs")
