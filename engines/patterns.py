"""Where a Jacobian may differ from zero: sets of indices, sent through the rules.

A direction that is `nan` at the columns of a set, and zero elsewhere, comes out as `nan` in the rows that
depend on any column of it: rules are linear in it, and zero times `nan` is `nan`. So a derivative that
happens to be zero here keeps its place, and a branch that is not taken, or an entry not selected, has none.
What multiplies by a dense matrix makes each row depend on each column, zeros of the matrix too.

The sets are blocks of columns, halved until each is one column. Blocks with no row in common go through
together, since a row tells which of them it met (the colouring of `colouring.py`). With k colours that takes
about 2 k log₂ n runs for n columns. Rows are the columns of the transpose, by the pullback.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..core.callables import name_of
from ..core.decorators import non_differentiable
from ..core.engine import Engine
from ..core.errors import ChainRulesError, UnsupportedArgument
from ..tangents import ZERO, materialize, unthunk
from .calls import forward_of, reverse_of
from .colouring import colours


def halved(reached: Callable[[Any], Any], rows: int, columns: int) -> Any:
    """The rows and columns that depend on one another, where `reached` says the rows that a set reaches.

    Example: >>> band = np.eye(5, dtype=bool) | np.eye(5, k=1, dtype=bool)
             >>> row, column = halved(lambda columns: np.any(band[:, columns], axis=1), 5, 5)
             >>> sorted(zip(row.tolist(), column.tolist())) == list(zip(*np.nonzero(band)))
             True
    """
    depth = max(columns - 1, 0).bit_length()
    row = np.flatnonzero(reached(np.ones(columns, bool))) if columns else np.zeros(0, np.intp)
    block = np.zeros_like(row)
    for level in range(depth):
        count = ((columns - 1) >> (depth - level)) + 1
        colour = np.asarray(colours(row, block, (rows, count)), np.intp)
        half = np.arange(columns) >> (depth - level - 1)
        of_column = colour[half >> 1]
        found = []
        for k in range(int(np.max(colour, initial=-1)) + 1):
            met = colour[block] == k
            for side in (0, 1):
                chosen = (of_column == k) & (half % 2 == side)
                if np.any(chosen) and np.any(met):
                    hit = met & reached(chosen)[row]
                    found.append((row[hit], 2 * block[hit] + side))
        row, block = (np.concatenate([pair[i] for pair in found]) for i in (0, 1)) if found else (row, block)
    return row, block


def found_pattern(
    f: Callable[..., Any], x: Any, i: int, kwargs: Any, jac_mode: str, engine: Engine | str | None
) -> Any:
    """The pattern of the Jacobian of f by its argument i, here, as a matrix of ones."""
    from scipy.sparse import coo_array

    vector(f, "argument", x[i])
    y, back = reverse_of(f, x, kwargs, tuple([j == i for j in range(len(x))]), engine)
    vector(f, "value", y)
    m, n = len(y), len(x[i])
    by_rows = jac_mode == "rev" or (jac_mode == "auto" and m < n)
    like, of = (y, x[i]) if by_rows else (x[i], y)

    def reached(chosen: Any) -> Any:
        v = np.where(chosen, np.nan, 0.0).astype(like.dtype if like.dtype.kind == "f" else float)
        try:
            with np.errstate(invalid="ignore"):
                if by_rows:
                    out = back(v)[i]
                else:
                    _, out = forward_of(f, x, (*[ZERO] * i, v, *[ZERO] * (len(x) - i - 1)), kwargs, engine)
                return np.isnan(materialize(unthunk(out), like=of))
        except ChainRulesError:
            raise
        except (ArithmeticError, ValueError) as failure:
            raise UnsupportedArgument(
                "jacobian", "sparsity", "auto", why=f"a rule that {name_of(f)} uses takes no nan: {failure}",
                next="give the pattern as a matrix, or leave sparsity out",
            ) from failure  # fmt: skip

    across, along = halved(reached, len(of), len(like))
    places = (along, across) if by_rows else (across, along)
    return coo_array((np.ones(len(across)), places), shape=(m, n))


def vector(f: Any, what: str, v: Any) -> None:
    """Refuse what is no vector of real numbers."""
    if not isinstance(v, np.ndarray) or v.ndim != 1 or v.dtype.kind not in "fiu":
        raise UnsupportedArgument(
            "jacobian", "sparsity", "auto", why=f"the {what} of {name_of(f)} is no vector of real numbers",
            next="flatten it in the function, or leave sparsity out",
        )  # fmt: skip


non_differentiable(found_pattern, why="decides by the pattern")
