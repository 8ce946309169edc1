"""Minkowski's distances, neighbours, Procrustes and arcs; antipodes are refused."""

from typing import Any

import numpy as np
import pytest
from scipy import spatial
from tests.rules.cases import case, held, normal

import chainrules as cr
from chainrules import NotDifferentiableError
from chainrules.testing import check_grads, check_rule

pytestmark = pytest.mark.filterwarnings("ignore:.*deprecated in favor of:DeprecationWarning")

A, B = normal(3, 2), normal(4, 2, seed=1)
TREE, FAST = spatial.KDTree(B), spatial.cKDTree(B)
P, Q = normal(3) / np.linalg.norm(normal(3)), normal(3, seed=1) / np.linalg.norm(normal(3, seed=1))
CASES = [
    case(spatial.minkowski_distance, A, B[:3]),
    case(spatial.minkowski_distance, A, B[:3], 3.0),
    case(spatial.minkowski_distance, A[0], B, held(1.0)),
    case(spatial.minkowski_distance_p, A, B[:3], 2.5),
    case(spatial.minkowski_distance_p, A, B[:3], held(np.inf)),
    case(spatial.distance_matrix, A, B),
    case(spatial.distance_matrix, A, B, 1.5, threshold=1),
    *(case(type(tree).query, held(tree), A) for tree in (TREE, FAST)),
    *(case(type(tree).query, held(tree), A, k=2, p=1) for tree in (TREE, FAST)),
    case(spatial.cKDTree.query, held(FAST), A[0], k=3),
    case(spatial.geometric_slerp, held(P), held(Q), np.array([0.2, 0.7, 1.3])),
    case(spatial.procrustes, B, normal(4, 2, seed=2)),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


def unit(x: Any) -> Any:
    return x / np.linalg.norm(x)


def test_arcs_between_points_that_stay_on_the_sphere() -> None:
    at = np.array([0.2, 0.7, 1.3])
    check_grads(
        lambda a, b, t: spatial.geometric_slerp(unit(a), unit(b), t), normal(3), normal(3, seed=1), at
    )
    y = cr.jvp(lambda t: spatial.geometric_slerp(P, Q, t), (0.5,), (1.0,))[1]
    np.testing.assert_allclose(np.linalg.norm(y), np.arccos(P @ Q))  # the speed along the arc


def test_antipodes_are_refused() -> None:
    with (
        pytest.raises(NotDifferentiableError, match="antipodes"),
        pytest.warns(UserWarning, match="antipodes"),
    ):
        cr.grad(lambda a: np.sum(spatial.geometric_slerp(a, -P, 0.5)))(P)


def test_a_neighbour_that_is_not_there_does_not_move() -> None:
    def near(x: Any) -> Any:
        d, _ = FAST.query(x, k=2, distance_upper_bound=1.0)
        return np.sum(np.where(np.isfinite(d), d, 0.0))

    x = B[0] + 0.1
    count = np.count_nonzero(np.isfinite(FAST.query(x, k=2, distance_upper_bound=1.0)[0]))
    assert count >= 1
    check_grads(near, x)


def test_a_point_of_the_tree_has_derivative_zero() -> None:
    np.testing.assert_array_equal(cr.grad(lambda x: FAST.query(x)[0])(B[1]), 0)


def test_by_the_points_of_a_tree_there_is_no_rule() -> None:
    with pytest.raises((cr.ChainRulesError, TypeError), match="KDTree"):
        cr.grad(lambda b: spatial.cKDTree(b).query(A[0])[0])(B)
