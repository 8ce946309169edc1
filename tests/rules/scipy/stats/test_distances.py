"""Distances between samples and distributions."""

import numpy as np
import pytest
from scipy import stats
from tests.rules.cases import case, normal, uniform

import chainrules as cr
from chainrules import NoRuleError
from chainrules.testing import check_grads, check_rule

X, Y, V, W = normal(8), normal(6, seed=1), uniform(8), uniform(6, seed=1)
U, Z = normal(5, 3, seed=3), normal(6, 3, seed=4)
CASES = [
    *(case(f, X, Y) for f in (stats.wasserstein_distance, stats.energy_distance)),
    *(case(f, X, Y, V, W) for f in (stats.wasserstein_distance, stats.energy_distance)),
    case(stats.wasserstein_distance_nd, U, Z),
    case(stats.wasserstein_distance_nd, U, Z, V[:5], W),
    case(stats.wasserstein_distance_nd, X, Y),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_second_order():
    check_grads(stats.wasserstein_distance_nd, U, Z, V[:5], W, order=2)


def test_a_plan_that_is_not_unique_has_no_derivative_by_weights():
    def moved(w):
        return stats.wasserstein_distance_nd(U, Z[:5], w)

    assert np.isfinite(cr.grad(lambda u: stats.wasserstein_distance_nd(u, Z[:5], np.ones(5)))(U)).all()
    with pytest.raises(NoRuleError, match="plan"):
        cr.grad(moved)(np.ones(5))
