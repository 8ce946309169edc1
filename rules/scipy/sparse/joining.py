"""Sparse arrays made of several: side by side, in blocks, on diagonals, by Kronecker products."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from ....core import Array, UnsupportedArgument, non_differentiable
from ....tangents.sparse import coordinates, is_sparse
from ...written import own, written_out
from .entries import Sparse, entries, filled, numbered, places, stored

LISTS = (sparse.hstack, sparse.vstack, sparse.block_diag)


def check_blocks(f: Any, blocks: Any) -> None:
    """Refuse a dense block."""
    for x in blocks:
        if x is not None and not is_sparse(x):
            raise UnsupportedArgument(f, "blocks", x, supported=["sparse arrays"], next="convert it first")


def where_from(f: Any, blocks: Any, options: Any) -> Any:
    """Where the entries of a value are, and which entry of all blocks, in their order, each is."""
    count = 0

    def number(x: Any) -> Any:
        nonlocal count
        if isinstance(x, list | tuple):
            return [number(item) for item in x]
        if not is_sparse(x):
            return x
        made = numbered(x, count)
        count += stored(x).nnz
        return made

    return _read(f(number(blocks), **options))


def where_on_diagonals(f: Any, diagonals: Any, options: Any) -> Any:
    """The same of numbers on diagonals."""
    count = 1

    def number(x: Any) -> Any:
        nonlocal count
        made = np.arange(count, count + np.size(x), dtype=float).reshape(np.shape(x))
        count += np.size(x)
        return made

    rows = isinstance(diagonals, list | tuple) and any(np.ndim(d) for d in diagonals)
    return _read(f([number(d) for d in diagonals] if rows else number(diagonals), **options))


def _read(y: Any) -> Any:
    made = stored(y)
    real = made.data != 0
    return tuple(i[real] for i in coordinates(made)), made.data[real].astype(np.int64) - 1


non_differentiable(check_blocks, why="checks an argument")
non_differentiable(where_from, where_on_diagonals, why="has to do with the pattern alone")


def joined(f: Any, blocks: Any, flat: Any, options: Any) -> Any:
    """f(blocks), which moves what the blocks store."""
    check_blocks(f, flat)
    at, which = where_from(f, blocks, {**options, "dtype": None})
    values = np.concatenate([entries(x, places(x)) for x in flat if x is not None])
    return filled(own(f, blocks, **options), values[which], at)


@written_out(sparse.hstack)
def hstack(blocks: list | tuple, *, format=None, dtype=None):
    """Each entry of y is a stored entry of a block"""
    return joined(sparse.hstack, blocks, blocks, {"format": format, "dtype": dtype})


@written_out(sparse.vstack)
def vstack(blocks: list | tuple, *, format=None, dtype=None):
    """Each entry of y is a stored entry of a block"""
    return joined(sparse.vstack, blocks, blocks, {"format": format, "dtype": dtype})


@written_out(sparse.block_diag)
def block_diag(mats: list | tuple, *, format=None, dtype=None):
    """Each entry of y is a stored entry of a block, or zero for good"""
    return joined(sparse.block_diag, mats, mats, {"format": format, "dtype": dtype})


def _register(f: Any) -> None:
    @written_out(f)
    def in_blocks(blocks: list | tuple, *, format=None, dtype=None):
        """Each entry of y is a stored entry of a block, or zero for good"""
        return joined(f, blocks, [x for row in blocks for x in row], {"format": format, "dtype": dtype})


for _f in (sparse.block_array, sparse.bmat):
    _register(_f)


def _register_diagonals(f: Any) -> None:
    @written_out(f)
    def on_diagonals(diagonals: list | tuple | Array, **options):
        """y has each number on its diagonal"""
        at, which = where_on_diagonals(f, diagonals, options)
        if isinstance(diagonals, list | tuple):
            values = np.concatenate([np.ravel(d) for d in diagonals])
        else:
            values = np.ravel(diagonals)
        return filled(own(f, diagonals, **options), values[which], at)


for _f in (sparse.diags, sparse.diags_array):
    _register_diagonals(_f)


def kronecker_places(a: Any, b: Any) -> Any:
    """Where the products of the entries of a and b stand, those of the first entry of a first."""
    of_a, of_b = places(a), places(b)
    pairs = zip(of_a, of_b, b.shape, strict=True)
    return tuple([(i.astype(np.int64)[:, None] * n + j).ravel() for i, j, n in pairs])


non_differentiable(kronecker_places, why="has to do with the pattern alone")


@written_out(sparse.kron)
def kron(A: Sparse, B: Sparse, *, format=None):
    """y = A ⊗ B"""
    a, b = entries(A, places(A)), entries(B, places(B))
    values = np.ravel(a[:, None] * b[None, :])
    return filled(own(sparse.kron, A, B, format), values, kronecker_places(A, B))
