"""Entry by entry: sums, differences, multiples, products, absolute values and powers of sparse arrays.

A sum stores what either array stores, also where the two cancel: what is zero only here still moves.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import spmatrix

from ....core import Array, UnsupportedArgument, non_differentiable
from ....tangents.sparse import common
from ...written import own, written_out
from .entries import Sparse, entries, filled, gives_back, methods, places, storing

TIMES = methods("__mul__", "__rmul__")
ARRAY_TIMES = tuple(f for f in TIMES if "spmatrix" not in f.__qualname__)


def check_number(f: Any, a: Any, c: Any) -> None:
    """Refuse to multiply a matrix by what is no number: that is a product of matrices."""
    if np.ndim(c) and isinstance(a, spmatrix):
        raise UnsupportedArgument(f, "other", c, supported=["a number"], next="use @ or .multiply")


def check_axes(f: Any, x: Any) -> None:
    """Refuse what has more axes than a sparse array."""
    if np.ndim(x) > 2:
        raise UnsupportedArgument(f, "other", x, supported=["a number, a vector or a matrix"])


def check_shapes(f: Any, a: Any, b: Any) -> None:
    """Refuse sparse arrays that are broadcast against one another."""
    if a.shape != b.shape:
        raise UnsupportedArgument(f, "other", b, supported=[f"a sparse array of shape {a.shape}"])


def meeting(a: Any, b: Any) -> Any:
    """The places where both store an entry."""
    at, to = places(a), places(b)
    return tuple(i[common(at, to, a.shape)[0]] for i in at)


def kind_of(f: Any, *arguments: Any) -> Any:
    """The class of a value."""
    return type(f(*arguments))


non_differentiable(check_axes, check_number, check_shapes, why="checks an argument")
non_differentiable(meeting, kind_of, why="has to do with the pattern alone")


@written_out(*methods("__add__"))
def add_sparse(self: Sparse, other: Sparse):
    """y = a + b, with an entry wherever one of them stores one"""
    check_shapes(type(self).__add__, self, other)
    at, to = places(self), places(other)
    both = tuple([np.concatenate([i, j]) for i, j in zip(at, to, strict=True)])
    values = np.concatenate([entries(self, at), entries(other, to)])
    kind = kind_of(type(self).__add__, self, other)
    return storing(values, both, shape=self.shape, kind=kind)


@written_out(*methods("__sub__"))
def sub_sparse(self: Sparse, other: Sparse):
    """y = a − b, with an entry wherever one of them stores one; of a DOK array as a CSR array"""
    first = self.tocsr() if self.format == "dok" else self
    return first + -other


def _scaled(f: Any) -> None:
    @written_out(f)
    def multiple(self: Sparse, other: Array):
        """y = c a for a number c, or yᵢⱼ = aᵢⱼ xᵢⱼ of an array"""
        check_number(f, self, other)
        if np.ndim(other):
            return self.multiply(other)
        at = places(self)
        return storing(entries(self, at) * other, at, shape=self.shape, kind=kind_of(f, self, 2.0))


for _f in TIMES:
    _scaled(_f)


@written_out(*methods("__truediv__"))
def quotient(self: Sparse, other: Array):
    """y = a / c for a number c, or yᵢⱼ = aᵢⱼ / xᵢⱼ of an array, where a stores an entry"""
    if np.ndim(other):
        return self.multiply(1.0 / other)
    at = places(self)
    return storing(entries(self, at) / other, at, shape=self.shape, kind=type(self))


def _multiplied(f: Any) -> None:
    @written_out(f)
    def multiply_sparse(self: Sparse, other: Sparse):
        """yᵢⱼ = aᵢⱼ bᵢⱼ where both store an entry"""
        check_shapes(f, self, other)
        at = meeting(self, other)
        values = entries(self, at) * entries(other, at)
        return storing(values, at, shape=self.shape, kind=kind_of(f, self, other))


for _f in (*methods("multiply"), *ARRAY_TIMES):
    _multiplied(_f)


@written_out(*methods("multiply"))
def multiply_dense(self: Sparse, other: Array):
    """yᵢⱼ = aᵢⱼ bᵢⱼ where a stores an entry"""
    check_axes(type(self).multiply, other)
    at = places(self)
    values = entries(self, at) * entries(np.broadcast_to(other, self.shape), at)
    return storing(values, at, shape=self.shape, kind=kind_of(type(self).multiply, self, other))


def _by_value(f: Any, of_values: Any) -> None:
    @written_out(f)
    def by_value(self: Sparse):
        """yᵢⱼ = f(aᵢⱼ) where a stores an entry"""
        at = places(self)
        return filled(own(f, self), of_values(entries(self, at)), at)


for _name, _of_values in (("__neg__", np.negative), ("__abs__", np.abs)):
    for _f in methods(_name):
        _by_value(_f, _of_values)


@written_out(*methods("conj", "conjugate"))
def conj(self: Sparse, *, copy=True):
    """y = conj(a)"""
    if not copy and gives_back(type(self).conj, self, copy):
        return self
    at = places(self)
    return filled(own(type(self).conj, self, copy), np.conj(entries(self, at)), at)


@written_out(*methods("power"))
def power(self: Sparse, *, n, dtype=None):
    """yᵢⱼ = aᵢⱼⁿ where a stores an entry"""
    at = places(self)
    return filled(own(type(self).power, self, n, dtype), np.power(entries(self, at), n), at)
