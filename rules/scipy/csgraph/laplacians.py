"""Laplacians of graphs: degrees on the diagonal, less the weights beside it.

The weights on the diagonal of a graph are not read. A node without weights has degree zero, and a normalised
Laplacian holds a zero there, which does not move.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import csgraph as graphs

from ....core import UnsupportedArgument, non_differentiable
from ...numpy.adjoints import conj
from ...written import written_out
from ..sparse.entries import Sparse, entries, filled, places, summed
from .trees import by_scipy


def check_form(form: Any) -> None:
    """Refuse Laplacians that are functions."""
    if form != "array":
        raise UnsupportedArgument(
            graphs.laplacian, "form", form, supported=["array"], next="multiply by the array"
        )


def pattern(graph: Any, made: Any) -> Any:
    """The rows and columns of the Laplacian, all of them where it is dense."""
    if isinstance(made, np.ndarray):
        return tuple(np.ravel(i) for i in np.indices(made.shape))
    return places(made)


def isolated(degrees: Any) -> Any:
    """Which nodes have degree zero."""
    return degrees == 0


non_differentiable(check_form, pattern, isolated, why="has to do with the pattern alone")


@written_out(graphs.laplacian)
def laplacian(
    csgraph: np.ndarray | Sparse, *, normed=False, return_diag=False, use_out_degree=False, copy=True,
    form="array", dtype=None, symmetrized=False,
):  # fmt: skip
    """l = diag w − g, w = Σ g; normalised, l_ij = −g_ij/√(w_i w_j) beside a diagonal of ones"""
    check_form(form)
    options = {"use_out_degree": use_out_degree, "dtype": dtype, "symmetrized": symmetrized}
    made = by_scipy(graphs.laplacian, csgraph, normed, **options)
    row, column = pattern(csgraph, made)
    weights = entries(csgraph, (row, column))
    if symmetrized:
        weights = weights + conj(entries(csgraph, (column, row)))
    beside = row != column
    weights = np.where(beside, weights, 0.0)
    degrees = summed(weights, row if use_out_degree else column, count=made.shape[0])
    if normed:
        alone = isolated(degrees)
        degrees = np.where(alone, 1.0, np.sqrt(np.where(alone, 1.0, degrees)))
        values = np.where(beside, -weights / degrees[column] / degrees[row], 1.0 - alone[row])
    else:
        values = np.where(beside, -weights, degrees[row])
    y = filled(made, values, (row, column))
    return (y, degrees) if return_diag else y
