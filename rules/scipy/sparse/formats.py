"""Sparse arrays in blocks, on diagonals and in lists of rows from their parts; and what `find` reads.

A BSR array stores every number of a block, zeros too, and each has its cotangent. The table of a DIA array
has corners that lie outside the array: nothing moves with them, and their cotangent is zero. The `data` of a
DIA array have no rule: they hold these corners, which are no entries of the array. Nor have those of a LIL
array, which are Python's lists. The entries of both move through every other operation.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from ....core import Array, UnsupportedArgument, frule, non_differentiable, rrule
from ...written import own, written_out
from .construction import stored_places
from .entries import Sparse, entries, filled, placed
from .rearranging import rearranged

BLOCKS = (sparse.bsr_array, sparse.bsr_matrix)
DIAGONALS = (sparse.dia_array, sparse.dia_matrix)
ROWS = (sparse.lil_array, sparse.lil_matrix)


def block_places(f: Any, shape: Any, indices: Any, indptr: Any) -> Any:
    """Rows and columns of the numbers in blocks, in the order of data; refused where a block comes twice."""
    indices, (_, rows, columns) = np.asarray(indices), shape
    major = np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))
    if len(set(zip(major.tolist(), indices.tolist(), strict=True))) != len(major):
        raise UnsupportedArgument(
            f, "data", shape, supported=["each block stored once"], next="call x.sum_duplicates()"
        )
    row = major[:, None, None] * rows + np.arange(rows)[None, :, None]
    column = indices[:, None, None] * columns + np.arange(columns)[None, None, :]
    return tuple(np.ravel(i) for i in np.broadcast_arrays(row, column))


def diagonal_places(width: Any, offsets: Any, shape: Any) -> Any:
    """Rows and columns of the numbers on diagonals that lie within, and their places in the table."""
    offsets = np.atleast_1d(offsets)
    line, column = (np.ravel(i) for i in np.indices((len(offsets), width)))
    row = column - offsets[line]
    within = (row >= 0) & (row < shape[0]) & (column < shape[1])
    return (row[within], column[within]), (line[within], column[within])


def parts_of(P: Any, parts: Any, shape: Any) -> Any:
    """Where the values of (data, (row, column)) or (data, indices, indptr) stand."""
    if len(parts) == 2 and isinstance(parts[1], tuple | list) and np.ndim(parts[0]) == 1:
        return tuple(np.array(i) for i in parts[1])
    if len(parts) == 3 and np.ndim(parts[0]) == 3:
        return block_places(P, np.shape(parts[0]), parts[1], parts[2])
    raise UnsupportedArgument(
        P, "arg1", parts, supported=["(data, (row, column))", "(data, indices, indptr)"],
        next="give values with their rows and columns, or blocks",
    )  # fmt: skip


def check_diagonals(P: Any, parts: Any) -> None:
    """Refuse parts that are no table of diagonals with its offsets."""
    if len(parts) != 2 or np.ndim(parts[0]) not in (1, 2):
        raise UnsupportedArgument(P, "arg1", parts, supported=["(data, offsets)"])


non_differentiable(block_places, diagonal_places, parts_of, why="has to do with the pattern alone")
non_differentiable(check_diagonals, why="checks an argument")


def on_diagonals(y: Any, data: Any, offsets: Any) -> Any:
    """y, which has this table on its diagonals."""
    width = np.shape(data)[-1]
    at, where = diagonal_places(width, offsets, y.shape)
    return filled(y, (np.expand_dims(data, 0) if np.ndim(data) == 1 else data)[where], at)


def _register(P: Any) -> None:
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


def _register_blocks(P: Any) -> None:
    @written_out(P)
    def from_blocks(arg1: tuple, **options):
        """y = Σ dataₖ at its place"""
        at = parts_of(P, arg1, options.get("shape"))
        return filled(own(P, arg1, **options), np.copy(np.ravel(arg1[0])), at)

    @frule(getattr, P, "data")
    def blocks_frule(tangents, x):
        """ẏ is what ẋ stores"""
        at = block_places(getattr, x.data.shape, x.indices, x.indptr)
        return x.data, np.reshape(entries(tangents[0], at), x.data.shape)

    @rrule(getattr, P, "data")
    def blocks_rrule(x):
        """x̄ stores ȳ"""
        at, shape = block_places(getattr, x.data.shape, x.indices, x.indptr), x.shape

        def blocks_pullback(y_bar):
            return placed(np.ravel(y_bar), at, shape=shape, kind=P)

        return x.data, blocks_pullback


def _register_diagonals(P: Any) -> None:
    @written_out(P)
    def from_diagonals(arg1: tuple, **options):
        """y[j − offsetₖ, j] = dataₖⱼ"""
        check_diagonals(P, arg1)
        return on_diagonals(own(P, arg1, **options), arg1[0], arg1[1])


for _P in (*BLOCKS, *DIAGONALS, *ROWS):
    _register(_P)
for _P in BLOCKS:
    _register_blocks(_P)
for _P in DIAGONALS:
    _register_diagonals(_P)


@written_out(sparse.spdiags)
def spdiags(data: Array, *, diags, m=None, n=None, format=None):
    """y[j − diagsₖ, j] = dataₖⱼ"""
    return on_diagonals(own(sparse.spdiags, np.copy(data), diags, m, n, format), data, diags)


@written_out(sparse.find)
def find(A: Sparse):
    """The rows, columns and values of what is not zero; a stored zero is left out, and does not move"""
    row, column, _ = own(sparse.find, A)
    return row, column, np.copy(entries(A, (row, column)))
