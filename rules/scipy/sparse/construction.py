"""Sparse arrays from their parts: values and places, a dense array, another sparse array; and their `data`.

A value that is given for a place gets the cotangent of that place, each of several all of it. Of a dense
array what is zero is not stored, and does not move.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from ....core import Array, UnsupportedArgument, frule, non_differentiable, rrule
from ...written import own, written_out
from .entries import Sparse, entries, filled, placed
from .rearranging import rearranged

COMPRESSED = (sparse.csr_array, sparse.csc_array, sparse.csr_matrix, sparse.csc_matrix)
COORDINATES = (sparse.coo_array, sparse.coo_matrix)
KEYED = (sparse.dok_array, sparse.dok_matrix)


def places_given(P: Any, parts: Any) -> Any:
    """Where values stand that are given with their places: rows and columns, or indices and pointers."""
    if len(parts) == 2 and isinstance(parts[1], tuple | list) and np.ndim(parts[0]) == 1:
        return tuple(np.array(i) for i in parts[1])
    if len(parts) == 3 and P in COMPRESSED:
        return raw_places(P, np.asarray(parts[1]), np.asarray(parts[2]))
    raise UnsupportedArgument(
        P, "arg1", parts, supported=["(data, (row, column))", "(data, indices, indptr)"],
        next="give values with their rows and columns",
    )  # fmt: skip


def raw_places(P: Any, indices: Any, indptr: Any) -> Any:
    """The rows and columns of compressed storage, in its order; copies, since SciPy may change its own."""
    major, indices = np.repeat(np.arange(len(indptr) - 1), np.diff(indptr)), np.array(indices)
    return (major, indices) if P in COMPRESSED[::2] else (indices, major)


def own_places(x: Any) -> Any:
    """The rows and columns of `x.data`, in its order; refused where two are the same place."""
    at = tuple(map(np.array, x.coords)) if x.format == "coo" else raw_places(type(x), x.indices, x.indptr)
    if len(np.unique(np.ravel_multi_index(at, x.shape))) != len(at[0]):
        raise UnsupportedArgument(
            getattr, "x", x, supported=["each place stored once"], next="call x.sum_duplicates()"
        )  # fmt: skip
    return at


def stored_places(x: Any) -> Any:
    """Where a dense matrix is not zero."""
    return np.nonzero(x)


non_differentiable(sparse.eye, sparse.eye_array, sparse.identity, why="makes ones")
non_differentiable(places_given, own_places, stored_places, why="has to do with the pattern alone")


def _register(P: Any) -> None:
    @written_out(P)
    def from_parts(arg1: tuple, **options):
        """y = Σ dataₖ at its place"""
        at = places_given(P, arg1)
        return filled(own(P, arg1, **options), arg1[0], at)

    @written_out(P)
    def from_dense(arg1: Array, **options):
        """y = x where x is not zero; matrices take a number or a vector as one row"""
        y = own(P, arg1, **options)
        dense = np.reshape(arg1, y.shape)
        at = stored_places(dense)
        return filled(y, entries(dense, at), at)

    @written_out(P)
    def from_sparse(arg1: Sparse, **options):
        """y = x in another format"""
        return rearranged(P, arg1, options)


def _register_data(P: Any) -> None:
    @frule(getattr, P, "data")
    def data_frule(tangents, x):
        """ẏ is what ẋ stores"""
        return x.data, entries(tangents[0], own_places(x))

    @rrule(getattr, P, "data")
    def data_rrule(x):
        """x̄ stores ȳ"""
        at, shape = own_places(x), x.shape

        def data_pullback(y_bar):
            return placed(y_bar, at, shape=shape, kind=P)

        return x.data, data_pullback


def _register_converted(P: Any) -> None:
    @written_out(P)
    def from_dense(arg1: Array, **options):
        """y = x where x is not zero"""
        y = own(P, arg1, **options)
        at = stored_places(np.reshape(arg1, y.shape))
        return filled(y, entries(np.reshape(arg1, y.shape), at), at)

    @written_out(P)
    def from_sparse(arg1: Sparse, **options):
        """y = x in another format"""
        return rearranged(P, arg1, options)


for _P in (*COMPRESSED, *COORDINATES):
    _register(_P)
    _register_data(_P)
for _P in KEYED:
    _register_converted(_P)


def is_stored(x: Any, key: Any) -> bool:
    """Whether a DOK array stores an entry there."""
    return x.get(key, None) is not None


non_differentiable(is_stored, sparse.dok_array.keys, why="has to do with the pattern alone")


@written_out(sparse.dok_array.get)
def get(self: sparse.dok_array | sparse.dok_matrix, key: object, default: object = 0.0):
    """The entry there, or what stands for one that is not stored"""
    return self[key] if is_stored(self, key) else default
