"""Lengths of shortest paths: the sums of the weights along the paths that were found.

Where paths tie it is the one that SciPy found. Where an undirected graph has an edge in both directions with
the same weight, each has half of the slope. A node that is not reached stays at ∞. Without weights nothing
moves.

See [Milgrom & Segal 2002].
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import csgraph as graphs

from ....core import frule, non_differentiable, rrule
from ....tangents import ZERO
from ...written import written_out
from ..sparse.entries import Sparse, filled
from .trees import by_scipy, walked


def sums(values: Any, groups: Any, *, count: int) -> Any:
    """The sum of the values of each group."""
    return np.bincount(groups, values, count)


@frule(sums)
def sums_frule(tangents, values: np.ndarray, groups: np.ndarray, *, count):
    """ẏ_g = Σ v̇ of the group"""
    return sums(values, groups, count=count), sums(tangents[0], groups, count=count)


@rrule(sums)
def sums_rrule(values: np.ndarray, groups: np.ndarray, *, count):
    """v̄ = ȳ_g of its group"""

    def sums_pullback(y_bar):
        return y_bar[groups], ZERO

    return sums(values, groups, count=count), sums_pullback


def steps(predecessors: Any, starts: Any, ends: Any) -> tuple[Any, Any, Any]:
    """The edges of the paths to these ends: from, to, and which path each is on."""
    rows, columns, paths = [], [], []
    for k, (start, end) in enumerate(zip(starts, ends, strict=True)):
        tree, node = predecessors[start], end
        while tree[node] >= 0:
            rows.append(tree[node])
            columns.append(node)
            paths.append(k)
            node = tree[node]
    return np.array(rows, int), np.array(columns, int), np.array(paths, int)


def reached(lengths: Any) -> Any:
    """The places of paths that there are."""
    return np.nonzero(np.isfinite(lengths))


non_differentiable(steps, reached, why="the paths found are held constant")


def along(graph: Any, lengths: Any, predecessors: Any, directed: Any) -> Any:
    """The lengths of the paths that the rows of the predecessors tell of"""
    place = reached(lengths)
    starts = place[0] if np.ndim(lengths) > 1 else 0 * place[0]
    rows, columns, paths = steps(np.atleast_2d(predecessors), starts, place[-1])
    y = np.full(np.shape(lengths), np.inf)
    y[place] = sums(walked(graph, rows, columns, directed), paths, count=len(place[0]))
    return y


def _found(f: Any, graph: Any, directed: Any, unweighted: Any, wanted: Any, **options: Any) -> Any:
    made = by_scipy(f, graph, directed=directed, unweighted=unweighted, return_predecessors=True, **options)
    y = made[0] if unweighted else along(graph, made[0], made[1], directed)
    return (y, *made[1:]) if wanted else y


@written_out(graphs.shortest_path)
def shortest_path(
    csgraph: np.ndarray | Sparse,
    *,
    method="auto",
    directed=True,
    return_predecessors=False,
    unweighted=False,
    overwrite=False,
    indices=None,
):
    """d_ij = Σ w along the path from i to j"""
    return _found(
        graphs.shortest_path,
        csgraph,
        directed,
        unweighted,
        return_predecessors,
        method=method,
        indices=indices,
    )


@written_out(graphs.floyd_warshall)
def floyd_warshall(
    csgraph: np.ndarray | Sparse,
    *,
    directed=True,
    return_predecessors=False,
    unweighted=False,
    overwrite=False,
):
    """d_ij = Σ w along the path from i to j"""
    return _found(graphs.floyd_warshall, csgraph, directed, unweighted, return_predecessors)


@written_out(graphs.bellman_ford)
def bellman_ford(
    csgraph: np.ndarray | Sparse, *, directed=True, indices=None, return_predecessors=False, unweighted=False
):
    """d_ij = Σ w along the path from i to j"""
    return _found(graphs.bellman_ford, csgraph, directed, unweighted, return_predecessors, indices=indices)


@written_out(graphs.johnson)
def johnson(
    csgraph: np.ndarray | Sparse, *, directed=True, indices=None, return_predecessors=False, unweighted=False
):
    """d_ij = Σ w along the path from i to j"""
    return _found(graphs.johnson, csgraph, directed, unweighted, return_predecessors, indices=indices)


@written_out(graphs.dijkstra)
def dijkstra(
    csgraph: np.ndarray | Sparse,
    *,
    directed=True,
    indices=None,
    return_predecessors=False,
    unweighted=False,
    limit=np.inf,
    min_only=False,
):
    """d_ij = Σ w along the path from i to j"""
    return _found(
        graphs.dijkstra,
        csgraph,
        directed,
        unweighted,
        return_predecessors,
        indices=indices,
        limit=limit,
        min_only=min_only,
    )


@written_out(graphs.yen)
def yen(
    csgraph: np.ndarray | Sparse, *, source, sink, K, directed=True, return_predecessors=False,
    unweighted=False,
):  # fmt: skip
    """d_k = Σ w along the k-th shortest path"""
    options = {"directed": directed, "return_predecessors": True, "unweighted": unweighted}
    found, trees = by_scipy(graphs.yen, csgraph, source, sink, K, **options)
    rows, columns, paths = steps(trees, np.arange(len(found)), np.full(len(found), sink))
    y = found if unweighted else sums(walked(csgraph, rows, columns, directed), paths, count=len(found))
    return (y, trees) if return_predecessors else y


def told(predecessors: Any) -> Any:
    """The starts and ends of the paths that predecessors tell of."""
    return np.nonzero(np.asarray(predecessors) >= 0)


non_differentiable(told, why="the paths found are held constant")


@written_out(graphs.construct_dist_matrix)
def construct_dist_matrix(
    graph: np.ndarray | Sparse, predecessors: object, *, directed=True, null_value=np.inf
):
    """d_ij = Σ w along the path that the predecessors tell of"""
    y = by_scipy(graphs.construct_dist_matrix, graph, predecessors, directed, null_value)
    starts, ends = told(predecessors)
    rows, columns, paths = steps(np.asarray(predecessors), starts, ends)
    return filled(y, sums(walked(graph, rows, columns, directed), paths, count=len(starts)), (starts, ends))
