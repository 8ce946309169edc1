"""Trees of clusters: heights by points and by distances, and what is read off them."""

from typing import Any

import numpy as np
import pytest
from scipy.cluster import hierarchy
from scipy.spatial import distance
from tests.rules.cases import case, held, normal, uniform

import chainrules as cr
from chainrules.testing import check_grads, check_rule, exempt, with_tangent

X, D = normal(5, 2), uniform(10)
TREE = hierarchy.linkage(X, "average")
R = uniform(4, 4, seed=3)
METHODS = ("single", "complete", "average", "weighted", "centroid", "median", "ward")
HEIGHTS = np.concatenate((np.zeros((4, 2)), normal(4, 1, seed=4), np.zeros((4, 1))), axis=1)
FIXED, MOVING = held(TREE), with_tangent(TREE, HEIGHTS)


def with_heights(h: Any) -> Any:
    return np.concatenate((TREE[:, :2], h[:, None], TREE[:, 3:]), axis=1)


CASES = [
    *(case(hierarchy.linkage, D, method=name) for name in METHODS),
    *(case(getattr(hierarchy, name), X) for name in METHODS),
    case(hierarchy.linkage, X, method="average", metric="cityblock"),
    case(hierarchy.linkage, X, method="ward", optimal_ordering=True),
    case(hierarchy.cophenet, MOVING),
    case(hierarchy.cophenet, MOVING, D),
    case(hierarchy.maxdists, MOVING),
    case(hierarchy.to_mlab_linkage, MOVING),
    case(hierarchy.from_mlab_linkage, with_tangent(hierarchy.to_mlab_linkage(TREE), HEIGHTS[:, :3])),
    case(hierarchy.optimal_leaf_ordering, MOVING, held(D)),
    case(hierarchy.maxRstat, FIXED, R, i=1),
    case(hierarchy.maxinconsts, FIXED, R),
]


EXEMPT = [
    exempt(hierarchy.inconsistent, why="of two links the last column is constant; programs check the others")
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


def test_second_derivatives() -> None:
    check_grads(lambda d: hierarchy.linkage(d, "ward")[:, 2], D[:3])
    check_grads(lambda h: hierarchy.inconsistent(with_heights(h))[:, :3], TREE[:, 2], modes=("fwd",))
    check_grads(lambda h: hierarchy.inconsistent(with_heights(h), 4)[2:, 3], TREE[:, 2], modes=("rev",))


@pytest.mark.parametrize("method", METHODS)
def test_the_heights_found_are_the_heights_written(method: str) -> None:
    x = normal(12, 3, seed=2)
    tree = hierarchy.linkage(x, method)
    along = cr.jvp(lambda t: hierarchy.linkage(t * x, method)[:, 2], (1.0,), (1.0,))[1]
    np.testing.assert_allclose(along, tree[:, 2], rtol=1e-12)  # distances are proportional to their unit


def test_points_that_coincide_have_derivative_zero() -> None:
    x = np.array([[0.0, 0.0], [0.0, 0.0], [3.0, 4.0]])
    for method in METHODS:
        gradient = cr.grad(lambda x, method=method: hierarchy.linkage(x, method)[0, 2])(x)
        np.testing.assert_array_equal(gradient, 0)


def test_all_distances_of_a_tree_at_one_height() -> None:
    d = distance.pdist(X)
    gradient = cr.grad(lambda d: np.sum(hierarchy.cophenet(hierarchy.average(d))))(d)
    np.testing.assert_allclose(gradient.sum(), len(d))  # means of distances sum up to these


def test_trees_of_objects_are_refused() -> None:
    with pytest.raises(cr.ChainRulesError, match="to_tree"):
        cr.grad(lambda x: hierarchy.to_tree(hierarchy.linkage(x)).dist)(X)
