"""Colours of the columns, or rows, of a sparse matrix: those of one colour share no row, or column.

Columns of which no two have an entry in the same row are moved together: each number of the pushforward
is then one entry (Curtis, Powell & Reid, IMA J. Appl. Math. 13 (1974) 117). Which columns go together is a
colouring in which columns that share a row differ; it is found greedily, those with most entries first
(Coleman & Moré, SIAM J. Numer. Anal. 20 (1983) 187). The number of colours depends on the pattern, not on
its size: three for a tridiagonal matrix. Rows are the columns of the transpose, by the pullback.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.decorators import non_differentiable
from ..core.errors import UnsupportedArgument
from ..tangents import is_sparse


class Pattern:
    """The places of a sparse matrix, and the colours of its columns or rows.

    Example: >>> from scipy.sparse import eye_array
             >>> Pattern(np.ones((2, 3)), "fwd").count, Pattern(eye_array(1000), "auto").count
             (3, 1)
    """

    def __init__(self, sparsity: Any, mode: str) -> None:
        from scipy.sparse import coo_array

        if not is_sparse(sparsity):
            sparsity = np.asarray(sparsity)
        if sparsity.ndim != 2:
            raise UnsupportedArgument(
                "jacobian", "sparsity", sparsity, supported=["a sparse or dense matrix"],
                next="give a row for each number of the value, a column for each of the argument",
            )  # fmt: skip
        stored = coo_array(sparsity)
        stored.sum_duplicates()
        self.shape = stored.shape
        self.row, self.column = stored.coords
        columns = None if mode == "rev" else colours(self.row, self.column, self.shape)
        rows = None if mode == "fwd" else colours(self.column, self.row, self.shape[::-1])
        self.by_columns = rows is None or (
            columns is not None and max(columns, default=-1) < max(rows, default=-1)
        )
        of_lines: Any = columns if self.by_columns else rows
        self.colours = np.asarray(of_lines, np.intp)
        self.count = int(max(of_lines, default=-1)) + 1

    def seed(self, colour: int, like: Any) -> Any:
        """The direction in which the columns, or rows, of one colour move."""
        return (self.colours == colour).astype(like.dtype if like.dtype.kind == "f" else float)

    def entries(self, passes: Any) -> Any:
        """The entries of the matrix, from the products with all seeds."""
        line, across = (self.column, self.row) if self.by_columns else (self.row, self.column)
        return passes[self.colours[line], across]


def colours(row: Any, column: Any, shape: Any) -> list[int]:
    """A colour for each column, such that columns with an entry in the same row differ.

    Example: >>> colours(np.array([0, 0, 1]), np.array([0, 1, 2]), (2, 3))
             [0, 1, 0]
    """
    order = np.argsort(column, kind="stable")
    ends = np.searchsorted(column[order], np.arange(shape[1] + 1)).tolist()
    rows, found = row[order].tolist(), [0] * shape[1]
    used = [0] * shape[0]  # of each row the colours of its columns, a bit each
    for j in np.argsort(-np.diff(ends), kind="stable").tolist():
        met = rows[ends[j] : ends[j + 1]]
        taken = 0
        for i in met:
            taken |= used[i]
        free = ~taken & (taken + 1)  # the lowest bit that is not set
        for i in met:
            used[i] |= free
        found[j] = free.bit_length() - 1
    return found


non_differentiable(Pattern, why="decides by the pattern")
