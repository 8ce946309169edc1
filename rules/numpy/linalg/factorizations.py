"""Factorisations: cholesky, for one matrix or a stack of them.

It reads one triangle of its argument, and its derivative is that of what it reads: the cotangent is
zero in the other triangle, and the imaginary part of the diagonal has no influence. Where the
argument is a symmetric expression, as `m @ m.T`, this is the whole derivative.
Not here: qr, eigh (hermitian), eig (spectra), svd (singular_values).
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from ....core import Array, frule, non_differentiable, rrule
from ..adjoints import adjoint


def lower_half(x: Any) -> Any:
    """The lower triangle with half its diagonal."""
    return np.tril(x, -1) + real_diagonal(x) / 2


def real_diagonal(x: Any) -> Any:
    """The diagonal, real, as a matrix."""
    return np.real(x) * np.eye(np.shape(x)[-1], dtype=np.real(x).dtype)


def mirrored(x: Any, upper: bool) -> Any:
    """The Hermitian matrix of which x holds the upper or the lower triangle."""
    strict = np.triu(x, 1) if upper else np.tril(x, -1)
    return strict + adjoint(strict) + real_diagonal(x)


def as_read(x_bar: Any, upper: bool) -> Any:
    """The cotangent of the triangle that was read, from that of the whole matrix."""
    return (x_bar + adjoint(x_bar)) * halves(np.shape(x_bar)[-1], upper, np.real(x_bar).dtype)


def halves(n: int, upper: bool, dtype: Any) -> Any:
    """One in the triangle that is read, one half on its diagonal, zero elsewhere."""
    low = _small_halves(n, dtype) if n <= _SMALL else _low_halves(n, dtype)
    return low.T if upper else low


def _low_halves(n: int, dtype: Any) -> Any:
    y = np.tri(n, dtype=dtype)
    y.ravel()[:: n + 1] = 0.5
    y.flags.writeable = False
    return y


_SMALL = 200
_small_halves = functools.lru_cache(16)(_low_halves)


non_differentiable(halves, why="is constant")


@frule(np.linalg.cholesky)
def cholesky_frule(tangents, a: Array, *, upper=False):
    """a = l lᴴ        l̇ = l Φ(l⁻¹ ȧ l⁻ᴴ)        Φ: the lower triangle with half its diagonal"""
    y = np.linalg.cholesky(a, upper=upper)
    low = adjoint(y) if upper else y
    inside = np.linalg.solve(low, adjoint(np.linalg.solve(low, mirrored(tangents[0], upper))))
    dlow = np.matmul(low, lower_half(inside))
    return y, adjoint(dlow) if upper else dlow


@rrule(np.linalg.cholesky)
def cholesky_rrule(a: Array, *, upper=False):
    """a = l lᴴ        ā = l⁻ᴴ Φ(lᴴ l̄) l⁻¹, Hermitian part, as it was read        [Murray 2016]"""
    y = np.linalg.cholesky(a, upper=upper)

    def cholesky_pullback(y_bar):
        low, low_bar = y, y_bar
        if upper:
            low, low_bar = adjoint(y), adjoint(y_bar)
        half = np.linalg.solve(adjoint(low), lower_half(np.matmul(adjoint(low), low_bar)))
        return as_read(np.linalg.solve(adjoint(low), adjoint(half)), upper)

    return y, cholesky_pullback
