"""Graphs from dense arrays to sparse ones and back, with values that say that there is no edge."""

from typing import Any

import numpy as np
import pytest
from scipy import sparse
from scipy.sparse import csgraph
from tests.rules.cases import case, uniform

import chainrules as cr
from chainrules.testing import check_rule

W = np.triu(uniform(3, 3), 1)
ENDLESS = np.where(W, W, np.inf)
CASES = [
    case(csgraph.csgraph_from_dense, W),
    case(csgraph.csgraph_to_dense, sparse.csr_array(W)),
    case(csgraph.csgraph_to_dense, sparse.csr_array(W), null_value=-1),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


def test_what_is_no_edge_does_not_move() -> None:
    gradient = cr.grad(lambda w: csgraph.csgraph_from_dense(w, null_value=np.inf).sum())(ENDLESS)
    np.testing.assert_array_equal(gradient, W > 0)


def test_an_edge_that_is_stored_twice_is_refused() -> None:
    twice = sparse.coo_array(([1.0, 2.0], ([0, 0], [1, 1])), shape=(2, 2))
    with pytest.raises(cr.UnsupportedArgument, match="twice"):
        cr.vjp(csgraph.csgraph_to_dense, twice)
