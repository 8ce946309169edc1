"""What of `scipy.sparse.csgraph` has no derivative: orders, components, matchings, whole flows."""

from __future__ import annotations

from scipy.sparse import csgraph

from ....core import non_differentiable

non_differentiable(
    csgraph.breadth_first_order,
    csgraph.connected_components,
    csgraph.depth_first_order,
    csgraph.maximum_bipartite_matching,
    csgraph.min_weight_full_bipartite_matching,
    csgraph.reverse_cuthill_mckee,
    csgraph.structural_rank,
    why="returns nodes, labels and counts",
)
non_differentiable(csgraph.maximum_flow, why="computes with whole numbers")
