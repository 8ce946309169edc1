"""Minkowski's distances, neighbours, Procrustes and arcs; antipodes are refused."""

from typing import Any

import numpy as np
import pytest
from scipy import spatial
from tests.rules.cases import case, held, normal

import chainrules as cr
from chainrules import NotDifferentiableError
from chainrules.core.callables import attribute
from chainrules.testing import check_grads, check_rule, checking, exempt

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
EXEMPT = [
    exempt(spatial.KDTree, why="makes a tree; the distances that it finds are checked by its points"),
    exempt(attribute("data"), why="shows the points of a tree, by which its distances are checked"),
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


POINTS = np.array([[0.25, 0.1], [0.6, 0.4], [0.9, 0.2]])
HERE = np.array([0.98, 0.15])


@pytest.mark.parametrize("box", [None, 1.0, [1.0, 0.0]], ids=str)
def test_neighbours_move_with_the_points_of_the_tree_too(box: Any) -> None:
    """In a periodic box the distances are those to the nearest images."""

    def f(points: Any, x: Any) -> Any:
        return spatial.KDTree(points, boxsize=box).query(np.stack((x, 0.5 * x)), k=2)[0]

    np.testing.assert_allclose(cr.vjp(f, POINTS, HERE)[0], f(POINTS, HERE), rtol=1e-14)
    with checking(max_range=0.02):
        check_grads(f, POINTS, HERE, order=2)


def test_a_constant_tree_in_a_periodic_box() -> None:
    """A wrong distance, and a wrong derivative, where the nearest image lies across the border."""
    for P in (spatial.KDTree, spatial.cKDTree):
        tree, x = P(np.array([[0.1, 0.1]]), boxsize=1.0), np.array([0.98, 0.1])
        value, slope = cr.value_and_grad(lambda x, tree=tree: tree.query(x)[0])(x)
        np.testing.assert_allclose(value, 0.12)
        np.testing.assert_allclose(slope, [-1.0, 0.0])


@pytest.mark.parametrize("p", [2.0, 2.5, 4.0])
def test_second_derivatives_where_a_coordinate_coincides(p: Any) -> None:
    x, y = np.array([0.3, 0.4]), np.array([0.9, 0.4])

    h = cr.hessian(lambda x: spatial.minkowski_distance(x, y, p))(x)
    assert h[1, 1] == pytest.approx(1.0 / 0.6 if p == 2.0 else 0.0, abs=1e-12)
    other = cr.hessian(lambda x: spatial.minkowski_distance_p(x, y, p))(x)
    assert other[1, 1] == pytest.approx(2.0 if p == 2.0 else 0.0, abs=1e-12)
