"""Sums and means of sparse arrays, along an axis and over all, their trace, and their norms."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import linalg, spmatrix

from ....core import UnsupportedArgument, non_differentiable
from ...written import as_found, own, written_out
from .entries import Sparse, entries, methods, places, summed

NORMS = (None, "fro", 1, np.inf)


def check_axis(f: Any, x: Any, axis: Any, dtype: Any, out: Any) -> None:
    """Refuse a result that is a numpy.matrix, several axes, another dtype, an array to write into."""
    if dtype is not None:
        raise UnsupportedArgument(f, "dtype", dtype, next="convert what is returned")
    if out is not None:
        raise UnsupportedArgument(f, "out", out, next="take the value that is returned")
    if axis is None:
        return
    if isinstance(x, spmatrix):
        raise UnsupportedArgument(f, "axis", axis, why="gives a numpy.matrix", next="use a sparse array")
    if isinstance(axis, tuple) or x.ndim != 2:
        raise UnsupportedArgument(f, "axis", axis, supported=[None, 0, 1])


def check_norm(x: Any, ord: Any, axis: Any) -> None:
    """Refuse norms of several axes in another order, and the spectral one."""
    if axis not in (None, 0, 1, -1, -2):
        raise UnsupportedArgument(linalg.norm, "axis", axis, supported=[None, 0, 1])
    if ord not in (NORMS if axis is None else (None, 1, 2)):
        raise UnsupportedArgument(linalg.norm, "ord", ord, supported=list(NORMS))


non_differentiable(check_axis, check_norm, why="checks an argument")


@written_out(*methods("sum"))
def sum_entries(self: Sparse, *, axis=None, dtype=None, out=None):
    """y = Σ xᵢⱼ along an axis, or over all"""
    check_axis(type(self).sum, self, axis, dtype, out)
    at = places(self)
    values = entries(self, at)
    if axis is None:
        return np.sum(values)
    rest = 1 - axis % 2
    return summed(values, at[rest], count=self.shape[rest])


@written_out(*methods("mean"))
def mean(self: Sparse, *, axis=None, dtype=None, out=None):
    """y = Σ xᵢⱼ / n, where what is not stored counts"""
    check_axis(type(self).mean, self, axis, dtype, out)
    count = np.prod(self.shape) if axis is None else self.shape[axis]
    return self.sum(axis=axis) / count


@written_out(*methods("trace"))
def trace(self: Sparse, *, offset=0):
    """y = Σ xᵢᵢ"""
    return np.sum(self.diagonal(offset))


def root_of(squares: Any) -> Any:
    """The square roots, whose derivative is zero where they are."""
    zero = squares == 0
    return np.where(zero, 0.0, np.sqrt(np.where(zero, 1.0, squares)))


@written_out(linalg.norm)
def norm(x: Sparse, *, ord=None, axis=None):
    """y = √Σ |xᵢⱼ|², of each row or column with an axis, or the largest Σ |xᵢⱼ| of a column or a row"""
    check_norm(x, ord, axis)
    at = places(x)
    values = entries(x, at)
    if axis is not None:
        rest = 1 - axis % 2
        if ord == 1:
            return summed(np.abs(values), at[rest], count=x.shape[rest])
        squares = summed(np.real(values * np.conj(values)), at[rest], count=x.shape[rest])
        return root_of(squares)
    if ord is None or ord == "fro":
        return np.linalg.norm(values)
    rest = 1 if ord == 1 else 0
    return np.max(summed(np.abs(values), at[rest], count=x.shape[rest]))


def refuse_vectors(wanted: bool) -> None:
    """Refuse the vectors that go with an estimate."""
    if wanted:
        raise UnsupportedArgument(linalg.onenormest, "compute_v", True, supported=[False])


non_differentiable(refuse_vectors, why="checks an argument")


@written_out(linalg.onenormest)
def estimated_norm(A: Sparse | np.ndarray, *, t=2, itmax=5, compute_v=False, compute_w=False):
    """y = Σ |A v|, with the v of one number that was found"""
    refuse_vectors(compute_v or compute_w)
    y, v = own(linalg.onenormest, A, t, itmax, True)
    return as_found(y, np.sum(np.abs(A @ v)))
