"""Trees within a graph: which edges are in them is held constant, and their weights are the graph's.

Where edges tie it is what SciPy chose. Of an undirected graph an edge has the smaller of its two weights,
where they tie half of each; in a minimum spanning tree it is the one that the tree has. Weights summed along
a tree of predecessors do the same.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import csgraph as graphs

from ....core import non_differentiable
from ...written import written_out
from ..sparse.entries import Sparse, entries, filled, placed, places


def by_scipy(f: Any, graph: Any, *arguments: Any, **options: Any) -> Any:
    """What SciPy gives for a graph, of which it may overwrite a copy alone."""
    return f(graph.copy(), *arguments, **options)


non_differentiable(by_scipy, why="the edges chosen are held constant")


def dense(graph: Any) -> Any:
    """The weights of the edges, ∞ where there is none."""
    made = np.full(graph.shape, np.inf)
    if isinstance(graph, np.ndarray):
        made[graph != 0] = graph[graph != 0]
        return made
    kept = graph.tocoo()
    made[kept.row, kept.col] = kept.data
    return made


def direction(graph: Any, rows: Any, columns: Any, directed: Any) -> Any:
    """The share of an edge in the direction in which it is walked: one, one half at a tie, or none."""
    if directed:
        return np.ones(len(rows))
    weights = dense(graph)
    there, back = weights[rows, columns], weights[columns, rows]
    return np.where(there < back, 1.0, np.where(there > back, 0.0, 0.5))


non_differentiable(direction, why="the edges chosen are held constant")


def walked(graph: Any, rows: Any, columns: Any, directed: Any) -> Any:
    """The weights of edges that are walked in these directions"""
    share = direction(graph, rows, columns, directed)
    return entries(graph, (rows, columns)) * share + entries(graph, (columns, rows)) * (1.0 - share)


@written_out(graphs.minimum_spanning_tree)
def minimum_spanning_tree(csgraph: np.ndarray | Sparse, *, overwrite=False):
    """The weights of the edges in the tree"""
    tree = by_scipy(graphs.minimum_spanning_tree, csgraph)
    at = places(tree)
    return placed(entries(csgraph, at), at, shape=tree.shape, kind=type(tree))


def drawn(graph: Any, tree: Any, directed: Any) -> Any:
    """The tree, whose weights are the graph's"""
    rows, columns = places(tree)
    return filled(tree, walked(graph, rows, columns, directed), (rows, columns))


@written_out(graphs.breadth_first_tree)
def breadth_first_tree(csgraph: np.ndarray | Sparse, *, i_start, directed=True):
    """The weights of the edges in the tree"""
    return drawn(csgraph, by_scipy(graphs.breadth_first_tree, csgraph, i_start, directed), directed)


@written_out(graphs.depth_first_tree)
def depth_first_tree(csgraph: np.ndarray | Sparse, *, i_start, directed=True):
    """The weights of the edges in the tree"""
    return drawn(csgraph, by_scipy(graphs.depth_first_tree, csgraph, i_start, directed), directed)


@written_out(graphs.reconstruct_path)
def reconstruct_path(csgraph: np.ndarray | Sparse, predecessors: object, *, directed=True):
    """The weights of the edges in the tree"""
    return drawn(csgraph, by_scipy(graphs.reconstruct_path, csgraph, predecessors, directed), directed)
