"""Jacobians whose pattern is known: many columns, or rows, in one pass, by colouring the pattern.

Columns of which no two have an entry in the same row are moved together: each number of the pushforward
is then one entry (Curtis, Powell & Reid, IMA J. Appl. Math. 13 (1974) 117). Which columns go together is a
colouring in which columns that share a row differ; it is found greedily, those with most entries first
(Coleman & Moré, SIAM J. Numer. Anal. 20 (1983) 187). The number of passes depends on the pattern, not on
its size: three for a tridiagonal matrix. Rows are the columns of the transpose, by the pullback.

A pattern that leaves out an entry would give wrong numbers; so one more pass, along a random direction,
is compared with the matrix that was found.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..core.callables import name_of
from ..core.decorators import non_differentiable
from ..core.engine import Engine
from ..core.errors import UnsupportedArgument
from ..core.recording import by_rule
from ..tangents import ZERO, is_sparse, materialize, unthunk
from .boundary import positions_of
from .calls import forward_of, reverse_of


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


@by_rule
def refuse_shapes(f: Any, pattern: Pattern, y: Any, x: Any) -> None:
    """Raise unless value and argument are vectors of the pattern's lengths."""
    for what, v, n in (("value", y, pattern.shape[0]), ("argument", x, pattern.shape[1])):
        if not isinstance(v, np.ndarray) or v.shape != (n,) or v.dtype.kind not in "fiu":
            raise UnsupportedArgument(
                "jacobian", "sparsity", pattern.shape,
                why=f"the {what} of {name_of(f)} is no vector of {n} real numbers",
                next="flatten it in the function, or leave sparsity out",
            )  # fmt: skip


@by_rule
def refuse_pattern(f: Any, matrix: Any, by_columns: bool, direction: Any, product: Any) -> None:
    """Raise where the matrix found and the derivative along a random direction disagree."""
    finite = np.isfinite(product)
    eps = float(np.sqrt(np.finfo(np.result_type(product, 0.0)).eps))
    if np.all(finite):
        size = abs(matrix) @ abs(direction)
        within = np.abs(matrix @ direction - product) <= eps * size + eps**2 * np.max(size, initial=0.0)
    else:
        within = finite
    if not np.all(within):
        raise UnsupportedArgument(
            "jacobian", "sparsity", matrix.shape,
            why=f"{name_of(f)} has derivatives that are not in this pattern, or not finite, "
            f"first in {'row' if by_columns else 'column'} {int(np.argmin(within))}",
            next="add the missing places to the pattern, or leave sparsity out",
        )  # fmt: skip


def random_direction(n: int) -> Any:
    """A direction, always the same, of numbers between 1 and 2 with random signs."""
    rng = np.random.default_rng(0)
    return rng.uniform(1.0, 2.0, n) * rng.choice([-1.0, 1.0], n)


non_differentiable(Pattern, refuse_shapes, refuse_pattern, random_direction, why="decides by the pattern")


def sparse_jacobian(
    f: Callable[..., Any],
    argnums: Any,
    sparsity: Any,
    jac_mode: str,
    has_aux: bool,
    engine: Engine | str | None,
) -> Callable[..., Any]:
    """The Jacobian with this pattern, as a CSR array that stores every place of it."""
    if has_aux or not isinstance(argnums, int):
        name, value = ("has_aux", has_aux) if has_aux else ("argnums", argnums)
        raise UnsupportedArgument(
            "jacobian", name, value, why="a pattern is of one argument", next="leave sparsity out"
        )
    pattern = Pattern(sparsity, jac_mode)

    def sparse_jacobian_at(*x: Any, **kwargs: Any) -> Any:
        from scipy.sparse import csr_array

        (i,) = positions_of("jacobian", f, argnums, len(x))
        n = pattern.shape[1] if pattern.by_columns else pattern.shape[0]
        if pattern.by_columns:
            like = np.asarray(x[i])

            def pushed(v: Any) -> Any:
                y, dy = forward_of(f, x, (*[ZERO] * i, v, *[ZERO] * (len(x) - i - 1)), kwargs, engine)
                refuse_shapes(f, pattern, y, x[i])
                return materialize(unthunk(dy), like=y)

        else:
            needs = tuple([j == i for j in range(len(x))])
            y, back = reverse_of(f, x, kwargs, needs, engine)
            refuse_shapes(f, pattern, y, x[i])
            like = np.asarray(y)

            def pushed(v: Any) -> Any:
                return materialize(unthunk(back(v)[i]), like=x[i])

        direction = random_direction(n).astype(pattern.seed(0, like).dtype)
        along = pushed(direction)
        passes = [pushed(pattern.seed(k, like)) for k in range(pattern.count)]
        data = pattern.entries(np.stack(passes)) if passes else np.zeros(0)
        matrix = csr_array((data, (pattern.row, pattern.column)), shape=pattern.shape)
        of_lines = matrix if pattern.by_columns else matrix.T
        refuse_pattern(f, of_lines, pattern.by_columns, direction, along)
        return matrix

    return sparse_jacobian_at
