"""Distances by the points and by the metrics' parameters, and where points coincide."""

from typing import Any

import numpy as np
import pytest
from scipy.spatial import distance
from tests.rules.cases import case, held, normal, rrule_of, uniform

import chainrules as cr
from chainrules import UnsupportedArgument
from chainrules.rules.scipy.spatial.metrics import normalised
from chainrules.testing import check_grads, check_rule

U, V3, W = normal(3, seed=1), normal(3, seed=2), uniform(3, seed=3)
A, B = normal(3, 2), normal(2, 2, seed=4)
P, Q = uniform(4, 2), uniform(4, 2, seed=5)
VI = np.array([[1.3, 0.2], [0.4, 0.9]])
W2 = W[:2]
PLAIN = ("braycurtis", "canberra", "chebyshev", "cityblock", "cosine", "euclidean", "sqeuclidean")

CASES = [
    *(case(getattr(distance, name), U, V3) for name in PLAIN),
    *(case(getattr(distance, name), U, V3, W) for name in PLAIN),
    case(distance.correlation, U, V3, W),
    case(distance.correlation, U, V3, centered=False),
    case(distance.minkowski, U, V3, 3.5, W),
    case(distance.minkowski, U, V3, 0.7),
    case(distance.minkowski, U, V3, 1.0),
    case(distance.minkowski, U, V3, held(np.inf)),
    case(distance.seuclidean, U, V3, W),
    case(distance.mahalanobis, U[:2], V3[:2], VI),
    case(distance.jensenshannon, P[:, 0], Q[:, 0]),
    case(distance.jensenshannon, P, Q, 2.0, axis=1, keepdims=True),
    case(distance.directed_hausdorff, A, B),
    *(case(distance.cdist, A, B, name) for name in PLAIN),
    *(case(distance.cdist, A, B, name, w=W2) for name in PLAIN),
    case(distance.cdist, normal(2, 3), normal(2, 3, seed=8), "correlation", w=W),
    case(distance.cdist, A, B, "minkowski", p=1.5, w=W2),
    case(distance.cdist, P, Q, "jensenshannon"),
    case(normalised, P, axis=0),
    case(distance.cdist, A, B, "seuclidean", V=W2),
    case(distance.cdist, A, B, "seuclidean"),
    case(distance.cdist, A, B, "mahalanobis", VI=VI),
    case(distance.cdist, A, B, "mahalanobis"),
    case(distance.cdist, A > 0, B > 0, "hamming"),
    case(distance.cdist, A, B, distance.cityblock),
    case(distance.pdist, A),
    case(distance.pdist, A, "minkowski", p=3, w=W2),
    case(distance.pdist, A, "seuclidean"),
    case(distance.pdist, normal(4, 2), "mahalanobis"),
    case(distance.pdist, P, "js"),
    case(distance.pdist, A, distance.cosine, w=W2),
    case(distance.squareform, normal(6)),
    case(distance.squareform, normal(3, 3), checks=False),
    case(distance.squareform, normal(0)),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


def test_second_derivatives() -> None:
    check_grads(lambda a, b, p, w: distance.cdist(a, b, "minkowski", p=p, w=w), A, B, 2.5, W2)
    check_grads(lambda a: distance.squareform(distance.pdist(a, "mahalanobis")), normal(4, 2))
    check_grads(distance.jensenshannon, P[:, 0], Q[:, 0])


@pytest.mark.parametrize("metric", ["euclidean", "cityblock", "chebyshev", "sqeuclidean", "canberra"])
def test_coincident_points_have_derivative_zero(metric: str) -> None:
    x = np.array([[1.0, 2.0], [1.0, 2.0], [0.0, 0.0], [0.0, 0.0]])
    y, pullback = cr.vjp(lambda x: distance.pdist(x, metric)[np.array([0, 5])], x)
    np.testing.assert_array_equal(y, 0)
    np.testing.assert_array_equal(pullback(np.ones(2))[0], np.zeros((4, 2)))


def test_vectors_that_coincide_in_an_order_below_one() -> None:
    check_rule(distance.minkowski, U, U, 0.5)


def test_single_precision_is_kept_where_scipy_keeps_it() -> None:
    u, v, w = (x.astype(np.float32) for x in (U, V3, W))
    for name in (*PLAIN, "correlation"):
        f = getattr(distance, name)
        assert np.result_type(rrule_of(f, u, v, w)[0]) == np.result_type(f(u, v, w)), name


def test_orders_below_one_have_derivative_zero_by_an_entry_that_coincides() -> None:
    u, v = np.array([1.0, 2.0]), np.array([1.0, 5.0])
    np.testing.assert_allclose(cr.grad(lambda u: distance.minkowski(u, v, 0.5))(u), [0.0, -1.0])


def test_largest_differences_that_tie_share() -> None:
    u, v = np.zeros(3), np.array([2.0, -2.0, 1.0])
    np.testing.assert_allclose(cr.grad(distance.chebyshev)(u, v), [-0.5, 0.5, 0.0])


def test_canberra_at_a_zero_has_the_middle_slope() -> None:
    assert cr.grad(distance.canberra)(np.array([0.0]), np.array([2.0])) == -0.5


def test_equal_distributions_have_derivative_zero_and_near_ones_do_not_cancel() -> None:
    p = np.array([0.2, 0.3, 0.5])
    np.testing.assert_array_equal(cr.grad(distance.jensenshannon)(p, p), 0)
    h, d = 1e-7, np.array([1.0, -2.0, 1.0])
    slope = cr.grad(lambda t: distance.jensenshannon(p + t * d, p))(h)
    np.testing.assert_allclose(slope, np.sqrt(np.sum(d * d / p) / 8), rtol=1e-6)  # half the Fisher length


def test_an_entry_that_only_one_distribution_lacks_has_an_infinite_slope() -> None:
    g = cr.grad(distance.jensenshannon)(np.array([0.0, 1.0]), np.array([0.5, 0.5]))
    assert g[0] == -np.inf
    assert np.isfinite(g[1])


def test_powers_of_small_differences_do_not_vanish() -> None:
    u, v = np.array([3e-120, 0.0]), np.array([0.0, 4e-120])
    np.testing.assert_allclose(cr.grad(lambda u: distance.minkowski(u, v, 3.0))(u)[0], (27 / 91) ** (2 / 3))


def test_truth_values_do_not_move_and_their_weights_are_refused() -> None:
    w = np.array([1.0, 2.0])
    assert not np.any(cr.grad(lambda a: np.sum(distance.cdist(a, B, "jaccard")))(A))
    with pytest.raises(cr.ChainRulesError, match="truth values"):
        cr.grad(lambda w: np.sum(distance.cdist(A, B, "hamming", w=w)))(w)


def test_a_metric_of_the_callers_is_differentiated_with_what_it_captured() -> None:
    def total(c: float) -> Any:
        return np.sum(distance.cdist(A, B, lambda x, y: c * np.sum((x - y) ** 2)))

    np.testing.assert_allclose(cr.grad(total)(2.0), np.sum(distance.cdist(A, B, "sqeuclidean")))


def test_of_a_matrix_the_upper_triangle_is_read() -> None:
    _, pullback = rrule_of(distance.squareform, np.array([[0.0, 2.0], [2.0, 0.0]]))
    np.testing.assert_array_equal(pullback(np.array([1.0]))[0], [[0.0, 1.0], [0.0, 0.0]])


def test_refusals() -> None:
    with pytest.raises(UnsupportedArgument, match="complex"):
        cr.grad(lambda u: distance.euclidean(u, V3))(U + 0j)
    with pytest.raises(UnsupportedArgument, match="out"):
        rrule_of(distance.cdist, A, B, out=np.empty((3, 2)))


def test_an_output_is_filled() -> None:
    def filled(a: Any) -> Any:
        out = np.empty((3, 2))
        distance.cdist(a, B, out=out)
        return np.sum(out * out)

    check_grads(filled, A)
    with pytest.raises(ValueError, match="shape"):
        cr.grad(lambda a: np.sum(distance.cdist(a, B, out=np.empty((4, 2)))))(A)
