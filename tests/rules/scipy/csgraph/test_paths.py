"""Shortest paths and spanning trees, by the weights of dense and sparse graphs."""

from typing import Any

import numpy as np
import pytest
from scipy import sparse
from scipy.sparse import csgraph
from tests.rules.cases import case, uniform

import chainrules as cr
from chainrules.rules.scipy.csgraph.paths import sums
from chainrules.testing import check_grads, check_rule

W = np.triu(uniform(4, 4), 1) + np.tril(uniform(4, 4, seed=1), -2)
S = sparse.csr_array(W)
CHAIN = np.array([[0.0, 1.0, 5.0], [0.0, 0.0, 1.5], [0.0, 0.0, 0.0]])
_, BEFORE = csgraph.dijkstra(S, return_predecessors=True)
PATHS = (csgraph.shortest_path, csgraph.dijkstra, csgraph.bellman_ford, csgraph.johnson)
CASES = [
    *(case(f, S) for f in (*PATHS, csgraph.floyd_warshall, csgraph.minimum_spanning_tree)),
    *(case(f, S, directed=False, indices=[0, 2]) for f in PATHS),
    case(csgraph.floyd_warshall, S, directed=False),
    case(csgraph.dijkstra, S, indices=1, return_predecessors=True),
    case(csgraph.dijkstra, S, indices=[0, 3], min_only=True),
    case(csgraph.shortest_path, S, method="FW", unweighted=True, why="without weights"),
    case(csgraph.yen, S, source=0, sink=3, K=3),
    case(csgraph.yen, S, source=3, sink=1, K=2, directed=False, return_predecessors=True),
    case(csgraph.construct_dist_matrix, S, BEFORE),
    case(csgraph.construct_dist_matrix, S, BEFORE, directed=False, null_value=-1.0),
    case(sums, uniform(4), np.array([0, 2, 2, 0]), count=3),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


def test_the_derivative_is_along_the_path() -> None:
    np.testing.assert_array_equal(
        cr.grad(lambda w: csgraph.shortest_path(w)[0, 2])(CHAIN), [[0, 1, 0], [0, 0, 1], [0, 0, 0]]
    )


def test_a_node_that_is_not_reached_does_not_move() -> None:
    y, dy = cr.jvp(csgraph.dijkstra, (CHAIN,), (CHAIN,))
    assert y[2, 0] == np.inf
    assert dy[2, 0] == 0
    assert dy[0, 2] == 2.5


def test_two_directions_of_the_same_weight_share() -> None:
    w = np.array([[0.0, 2.0], [2.0, 0.0]])
    gradient = cr.grad(lambda w: csgraph.dijkstra(w, directed=False)[0, 1])(w)
    np.testing.assert_array_equal(gradient, [[0.0, 0.5], [0.5, 0.0]])


def test_second_derivatives() -> None:
    check_grads(lambda w: csgraph.johnson(np.where(CHAIN > 0, w * w, 0.0))[0, 1:], CHAIN + 0.5)


def test_what_is_whole_has_no_derivative() -> None:
    assert "whole numbers" in str(cr.rules_for(csgraph.maximum_flow))


def test_distances_along_given_predecessors_move_with_the_weights() -> None:
    _, before = csgraph.dijkstra(CHAIN, return_predecessors=True)
    gradient = cr.grad(lambda w: csgraph.construct_dist_matrix(w, before)[0, 2])(CHAIN)
    np.testing.assert_array_equal(gradient, [[0, 1, 0], [0, 0, 1], [0, 0, 0]])


def test_the_second_path_is_the_edge_that_the_first_goes_round() -> None:
    gradient = cr.grad(lambda w: csgraph.yen(w, 0, 2, 2)[1])(CHAIN)
    np.testing.assert_array_equal(gradient, [[0, 0, 1], [0, 0, 0], [0, 0, 0]])
