"""Vector quantisation: distances, centroids as means of their points, and what is refused."""

from typing import Any

import numpy as np
import pytest
from scipy.cluster import vq
from tests.rules.cases import case, held, normal

import chainrules as cr
from chainrules import NotDifferentiableError
from chainrules.testing import check_grads, check_rule

X = np.concatenate((normal(4, 2), normal(3, 2, seed=1) + 6.0))
GUESS = np.array([[0.0, 0.0], [6.0, 6.0]])
CASES = [
    case(vq.whiten, X),
    case(vq.vq, X, GUESS),
    case(vq.vq, normal(4), np.array([-1.0, 1.0])),
    case(vq.kmeans, X, held(GUESS)),
    case(vq.kmeans2, X, held(GUESS), minit="matrix"),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


def test_second_derivatives() -> None:
    check_grads(lambda x: vq.kmeans(x, GUESS)[1], X)


def test_a_column_that_does_not_vary_stays() -> None:
    x = np.stack((normal(4), np.full(4, 2.0)), axis=1)
    with pytest.warns(RuntimeWarning, match="standard deviation zero"):
        gradient = cr.grad(lambda x: np.sum(vq.whiten(x)[:, 1]))(x)
    np.testing.assert_array_equal(gradient, np.stack((np.zeros(4), np.ones(4)), axis=1))


def test_a_point_on_its_centroid_has_derivative_zero() -> None:
    np.testing.assert_array_equal(cr.grad(lambda x: np.sum(vq.vq(x, GUESS)[1]))(GUESS), 0)


def test_centroids_that_are_not_at_rest_are_refused() -> None:
    x = np.arange(40.0) ** 2
    with pytest.raises(NotDifferentiableError, match="thresh"):
        cr.grad(lambda x: np.sum(vq.kmeans(x, np.array([0.0, 1.0, 2.0]), thresh=1e6)[0]))(x)
