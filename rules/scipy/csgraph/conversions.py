"""Graphs as dense arrays, in which a value says that there is no edge, and as sparse ones.

Which edges there are is held constant. A sparse graph that stores an edge twice is refused: SciPy takes the
least of them here, and their sum elsewhere.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import csgraph as graphs

from ....core import UnsupportedArgument, non_differentiable
from ...written import own, written_out
from ..sparse.entries import Sparse, entries, filled, places


def check_single(graph: Any) -> None:
    """Refuse a graph with an edge that is stored twice."""
    kept = graph.tocoo()
    if len(set(zip(kept.row.tolist(), kept.col.tolist(), strict=True))) != kept.nnz:
        raise UnsupportedArgument(
            graphs.csgraph_to_dense, "csgraph", graph, why="an edge is stored twice",
            next="call graph.sum_duplicates(), where the sum is meant",
        )  # fmt: skip


non_differentiable(check_single, why="checks an argument")


@written_out(graphs.csgraph_from_dense)
def csgraph_from_dense(graph: np.ndarray | list, *, null_value=0, nan_null=True, infinity_null=True):
    """The weights of the edges"""
    made = own(graphs.csgraph_from_dense, np.array(graph), null_value, nan_null, infinity_null)
    at = places(made)
    return filled(made, entries(np.asarray(graph), at), at)


@written_out(graphs.csgraph_to_dense)
def csgraph_to_dense(csgraph: Sparse, *, null_value=0):
    """The weights of the edges, and a constant elsewhere"""
    check_single(csgraph)
    at = places(csgraph)
    return filled(own(graphs.csgraph_to_dense, csgraph, null_value), entries(csgraph, at), at)
