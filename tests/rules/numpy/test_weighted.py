"""Weighted means, counts and histograms, against differences."""

from typing import Any

import numpy as np
import pytest
from tests.rules.cases import case, complex_normal, constant, normal, rrule_of, uniform

import chainrules as cr
from chainrules.rules.numpy.weighted import weights_at
from chainrules.testing import check_grads, check_rule

W, S, T = uniform(4, low=0.1), normal(6), normal(6, seed=2)
EDGES = np.array([-1.0, 0.0, 0.5])
CASES = [
    case(np.average, normal(4)),
    case(np.average, normal(3, 4), 0, returned=True),
    case(np.average, normal(4), weights=W),
    case(np.average, normal(3, 4).astype(np.float32), 1, W.astype(np.float32)),
    case(np.average, normal(3, 4), (0, 1), uniform(3, 4), returned=True),
    case(np.average, complex_normal(3, 4), -1, W, keepdims=True, returned=True),
    case(np.average, normal(3, 2, 4), (2, 0), uniform(4, 3), why="axes out of order"),
    case(np.bincount, constant(np.array([0, 2, 1, 2])), W),
    case(np.bincount, constant(np.array([0, 2, 1, 2])), W.astype(np.float32), 6),
    case(np.bincount, constant([0, 1]), [1.0, 2.0]),
    case(weights_at, W, x=np.array([0, 2, 1, 2]), minlength=5),
    case(np.histogram, S, 3),
    case(np.histogram, S[:1], 3, why="edges half around one sample"),
    case(np.histogram2d, S[:1], S[1:2], 3, why="edges half around one sample"),
    case(np.histogram, S, 3, weights=T),
    case(np.histogram, S, 3, (-1, 1), True, T),
    case(np.histogram, S, 3, None, True, uniform(6)),
    case(np.histogram, S, 4, density=True),
    case(np.histogram, S, bins=EDGES, weights=complex_normal(6)),
    case(np.histogram, S.astype(np.float32), "auto", density=True),
    case(np.histogram, normal(2, 3), 2, weights=normal(2, 3, seed=3)),
    case(np.histogram_bin_edges, S, 3),
    case(np.histogram_bin_edges, S.astype(np.float32), "sturges"),
    case(np.histogram_bin_edges, S, bins=3, range=(-1, 1)),
    case(np.histogram2d, S, T, 2),
    case(np.histogram2d, S, T, constant((2, 3)), None, True, uniform(6)),
    case(np.histogram2d, S, T, 2, ((-1, 1), (0, 1)), weights=T),
    case(np.histogram2d, S, T, bins=[EDGES, 2], weights=T),
    case(np.histogram2d, S, T, bins=EDGES, weights=T),
    case(np.histogramdd, np.stack((S, T, S * T), axis=1), 2, weights=T),
    case(np.histogramdd, [S, T], constant((2, 3)), None, True, uniform(6)),
    case(np.histogramdd, S[:, None], 2, density=True),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


def test_second_order() -> None:
    check_grads(lambda x, w: np.average(x * x, weights=w * w), normal(4), W)
    check_grads(lambda w: np.bincount([0, 1, 1, 2], w * w), W)
    check_grads(lambda s, w: np.histogram(s**3, 3, density=True, weights=w * w)[0], S, T)
    check_grads(lambda s, w: np.histogram2d(s, w, [EDGES, 2], weights=w), S, T)


def test_the_mean_of_two_weighed_points_by_a_weight() -> None:
    assert cr.grad(lambda w: np.average(np.array([1.0, 3.0]), weights=w))(np.ones(2)).tolist() == [-0.5, 0.5]


def test_weights_that_sum_to_zero_are_refused_as_numpy_does() -> None:
    with pytest.raises(ZeroDivisionError):
        rrule_of(np.average, np.ones(2), weights=np.array([1.0, -1.0]))


def test_a_sample_on_an_edge_has_derivative_zero() -> None:
    gradient = cr.grad(lambda x: np.sum(np.histogram(x, EDGES, weights=np.ones(3))[0]))
    np.testing.assert_array_equal(gradient(EDGES), np.zeros(3))


def test_edges_move_with_the_ends_of_the_sample() -> None:
    np.testing.assert_allclose(
        cr.grad(lambda x: np.histogram(x, 4)[1][1])(np.array([3.0, 1.0, 2.0])), [0.25, 0.75, 0]
    )


def test_truth_values_as_weights_are_refused() -> None:
    kept = np.array([True, False, True])
    with pytest.raises(cr.UnsupportedArgument, match="truth values"):
        cr.grad(lambda x: np.sum(np.histogram(x, 2, weights=kept)[1]))(np.array([0.1, 0.5, 0.9]))
