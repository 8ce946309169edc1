"""Laplacians of dense and sparse graphs, normalised and not; a node that stands alone does not move."""

from typing import Any

import numpy as np
import pytest
from scipy import sparse
from scipy.sparse import csgraph
from tests.rules.cases import case, uniform

import chainrules as cr
from chainrules.testing import check_grads, check_rule

W = np.triu(uniform(4, 4)) + np.tril(uniform(4, 4, seed=1), -2)
S, D = sparse.csr_array(W), np.array([[0.0, 2.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
CASES = [
    *(case(csgraph.laplacian, x, normed=normed) for x in (W, S) for normed in (False, True)),
    case(csgraph.laplacian, W, symmetrized=True, return_diag=True),
    case(csgraph.laplacian, S, symmetrized=True),
    case(csgraph.laplacian, W, use_out_degree=True, normed=True, return_diag=True),
    case(csgraph.laplacian, sparse.coo_matrix(W), normed=True, symmetrized=True),
    case(csgraph.laplacian, W + 1j * W.T, symmetrized=True, why="complex"),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


def test_second_derivatives() -> None:
    check_grads(lambda w: csgraph.laplacian(w, normed=True), W[:3, :3] + W[:3, :3].T)


def test_the_degrees_beside_a_sparse_laplacian() -> None:
    check_rule(csgraph.laplacian, S, return_diag=True, normed=True)


def test_rows_of_a_laplacian_sum_to_zero_and_stay_so() -> None:
    symmetric = W + W.T
    dy = cr.jvp(csgraph.laplacian, (symmetric,), (np.cos(symmetric),))[1]
    np.testing.assert_allclose(dy.sum(axis=0), 0, atol=1e-15)


def test_a_node_that_stands_alone_does_not_move() -> None:
    gradient = cr.grad(lambda w: np.sum(csgraph.laplacian(w, normed=True)[:2, :2]))(D)
    assert np.isfinite(gradient).all()
    assert cr.grad(lambda w: csgraph.laplacian(w, normed=True)[2, 2])(D).tolist() == np.zeros((3, 3)).tolist()


def test_laplacians_that_are_functions_are_refused() -> None:
    with pytest.raises(cr.UnsupportedArgument, match="form"):
        cr.grad(lambda w: np.sum(csgraph.laplacian(w, form="function")(np.ones(4))))(W)
