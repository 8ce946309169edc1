"""Sums, differences, products and quotients, entry by entry, of a sparse array and a dense one.

Sums and differences are dense, and every entry of the dense one has its cotangent; products and quotients
store what the sparse one stores. A sparse matrix gives a numpy.matrix, which is refused: use sparse arrays.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
from scipy.sparse import sparray

from ....core import Array, UnsupportedArgument, non_differentiable
from ...written import written_out
from .entries import Sparse, methods


def check_dense(f: Any, x: Any, dense: Any) -> None:
    """Refuse a number, other shapes, and sparse matrices, which give a numpy.matrix."""
    if not isinstance(x, sparray):
        raise UnsupportedArgument(f, "x", x, why="gives a numpy.matrix", next="use a sparse array")
    if np.shape(dense) != x.shape and (np.ndim(dense) or dense != 0):
        raise UnsupportedArgument(f, "other", dense, supported=[f"an array of shape {x.shape}"])


non_differentiable(check_dense, why="checks an argument")


@written_out(*methods("__add__"))
def add_dense(self: Sparse, other: Array):
    """y = a + x; a itself where x is the number 0"""
    check_dense(type(self).__add__, self, other)
    return self.toarray() + other if np.ndim(other) else self.copy()


@written_out(*methods("__sub__"))
def sub_dense(self: Sparse, other: Array):
    """y = a − x; a itself where x is the number 0"""
    check_dense(type(self).__sub__, self, other)
    return self.toarray() - other if np.ndim(other) else self.copy()


@written_out(operator.add)
def add_from_the_left(a: Array, b: Sparse):
    """y = x + a, where Python asks the right operand"""
    check_dense(operator.add, b, a)
    return a + b.toarray() if np.ndim(a) else b.copy()


@written_out(operator.sub)
def sub_from_the_left(a: Array, b: Sparse):
    """y = x − a, where Python asks the right operand"""
    check_dense(operator.sub, b, a)
    return a - b.toarray() if np.ndim(a) else -b


@written_out(*[f for f in methods("todense") if "spmatrix" not in f.__qualname__])
def todense(self: Sparse, *, order=None, out=None):
    """y is the dense array"""
    return self.toarray(order, out)
