"""Trees have the weights of the graph's edges, in the direction in which these are walked."""

from typing import Any

import numpy as np
import pytest
from scipy import sparse
from scipy.sparse import csgraph
from tests.rules.cases import case, uniform

import chainrules as cr
from chainrules.testing import check_rule

W = np.triu(uniform(4, 4), 1) + np.tril(uniform(4, 4, seed=1), -2)
S = sparse.csr_array(W)
_, BEFORE = csgraph.breadth_first_order(S, 0)
TREES = (csgraph.breadth_first_tree, csgraph.depth_first_tree)
CASES = [
    *(case(f, x, i_start=0) for f in TREES for x in (S, W)),
    *(case(f, S, i_start=3, directed=False) for f in TREES),
    case(csgraph.reconstruct_path, S, BEFORE),
    case(csgraph.reconstruct_path, S, BEFORE, directed=False),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize("f", TREES)
def test_only_the_edges_in_the_tree_move_it(f: Any) -> None:
    w = np.array([[0.0, 1.0, 5.0], [0.0, 0.0, 1.5], [0.0, 0.0, 0.0]])
    gradient = cr.grad(lambda w: f(w, 0).sum())(w)
    np.testing.assert_array_equal(gradient, f(w, 0).toarray() != 0)


def test_of_two_directions_that_differ_the_lesser_moves_the_tree() -> None:
    w = np.array([[0.0, 2.0], [1.0, 0.0]])
    gradient = cr.grad(lambda w: csgraph.breadth_first_tree(w, 0, directed=False).sum())(w)
    np.testing.assert_array_equal(gradient, [[0.0, 0.0], [1.0, 0.0]])
