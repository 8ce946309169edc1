"""What of `scipy.cluster.hierarchy` has no derivative: clusters, orders, trees of them."""

from __future__ import annotations

from scipy.cluster import hierarchy

from ....core import non_differentiable

non_differentiable(
    hierarchy.correspond,
    hierarchy.is_isomorphic,
    hierarchy.is_monotonic,
    hierarchy.is_valid_im,
    hierarchy.is_valid_linkage,
    hierarchy.num_obs_linkage,
    why="returns a truth value or a count",
)
non_differentiable(
    hierarchy.cut_tree,
    hierarchy.fcluster,
    hierarchy.fclusterdata,
    hierarchy.leaders,
    hierarchy.leaves_list,
    why="returns labels of clusters and nodes",
)
