"""Products of sparse arrays with dense vectors and matrices, and with one another.

The derivative by a sparse factor stands where that factor stores an entry. A product of two sparse arrays
is the sum of products of their stored entries, which are listed once for all derivatives.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
from scipy import sparse
from scipy.sparse import sparray, spmatrix

from ....core import Array, UnsupportedArgument, frule, non_differentiable, rrule
from ....core.calls import forward_of, reverse_of
from ....tangents import ZERO
from ....tangents.sparse import coordinates
from ...linearity import linear_in
from ...written import own, written_out
from .entries import Sparse, entries, filled, methods, places, product, stored

MATMUL = methods("__matmul__")
DOT = methods("dot")
RMATMUL = methods("__rmatmul__")


def check_dense(f: Any, name: str, *arrays: Any) -> None:
    """Refuse what no matrix product of these rules has: numbers, stacks, and sparse arrays of one axis."""
    for x in arrays:
        if np.ndim(x) not in (1, 2) and not isinstance(x, sparray | spmatrix):
            raise UnsupportedArgument(f, name, x, supported=["a vector or a matrix"])
        if isinstance(x, sparray) and x.ndim != 2:
            raise UnsupportedArgument(f, name, x, supported=["a sparse array of two axes"])


def paired(a: Any, b: Any) -> Any:
    """Of the product of two sparse arrays: its entries' places, and which entries of a and b meet where."""
    a, b = stored(a), stored(b)
    (i, k), (m, j) = coordinates(a), coordinates(b)
    order = np.argsort(m, kind="stable")
    ends = np.searchsorted(m, np.arange(b.shape[0] + 1), sorter=order)
    many = np.diff(ends)[k]
    ia = np.repeat(np.arange(len(k)), many)
    first = np.repeat(np.cumsum(many) - many, many)
    ib = order[np.arange(len(ia)) - first + ends[k][ia]]
    return (i[ia], j[ib]), ia, ib


non_differentiable(check_dense, why="checks an argument")
non_differentiable(paired, why="has to do with the pattern alone")


@written_out(*MATMUL, *DOT)
def matmul_dense(self: Sparse, other: Array):
    """y = a x"""
    check_dense(sparse.csr_array.__matmul__, "other", self, other)
    return times(self, other)


def times(a: Any, x: Any) -> Any:
    """a x for a sparse array, and a dense vector or matrix."""
    return a @ x


def by_entries(a: Any, x: Any) -> Any:
    """a x, of the entries that a stores"""
    at = places(a)
    return product(entries(a, at), x, at, shape=a.shape)


@frule(times)
def times_frule(tangents, a: Sparse, x: Array, *, engine):
    """ẏ = ȧ x + a ẋ"""
    da, dx = tangents
    if da is ZERO:
        return times(a, x), times(a, dx)
    return forward_of(by_entries, (a, x), (da, dx), {}, engine)


@linear_in(1)
@rrule(times)
def times_rrule(a: Sparse, x: Array, *, needs, engine):
    """x̄ = aᴴ ȳ; by a of the entries that it stores"""
    if needs[0]:
        return reverse_of(by_entries, (a, x), {}, needs, engine)
    adjoint = a.conj().T  # a copy, since a may change later

    def times_pullback(y_bar):
        return ZERO, times(adjoint, y_bar)

    return times(a, x), times_pullback


times_rrule.body_of = lambda count: by_entries
by_entries.of_held = True  # type: ignore[attr-defined]


@written_out(*MATMUL, *DOT)
def matmul_sparse(self: Sparse, other: Sparse):
    """yᵢⱼ = Σ aᵢₖ bₖⱼ over what both store"""
    check_dense(sparse.csr_array.__matmul__, "other", self, other)
    at, ia, ib = paired(self, other)
    a, b = entries(self, places(self)), entries(other, places(other))
    return filled(own(type(self).__matmul__, self, other), a[ia] * b[ib], at)


@written_out(*RMATMUL)
def rmatmul_dense(self: Sparse, other: Array):
    """y = x a"""
    check_dense(sparse.csr_array.__rmatmul__, "other", self, other)
    return from_the_right(other, self)


@written_out(operator.matmul)
def matmul_from_the_right(a: Array, b: Sparse):
    """y = x a, where Python asks the right operand"""
    check_dense(operator.matmul, "a", a, b)
    return from_the_right(a, b)


def from_the_right(x: Any, a: Any) -> Any:
    """x a, as the transpose of aᵀ xᵀ."""
    row, column = places(a)
    back = product(entries(a, (row, column)), np.transpose(x), (column, row), shape=a.shape[::-1])
    return np.transpose(back)
