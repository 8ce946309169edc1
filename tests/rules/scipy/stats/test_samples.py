"""Samples move with the parameters so that means of them do as expectations do."""

import numpy as np
import pytest
from scipy import stats
from scripts.sample_means import DEVIATIONS, comparisons
from tests.rules.cases import case

import chainrules as cr
from chainrules import NoRuleError
from chainrules.testing import check_grads, check_rule

CASES = [
    case(stats.norm.rvs, 0.3, 1.7, size=3, random_state=1),
    case(stats.uniform.rvs, 0.3, 1.7, random_state=1, why="a number"),
    case(stats.norm(0.3, 1.7).rvs, size=3, random_state=1),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_a_quantile_that_was_drawn():
    """SciPy draws these by their quantiles, so that differences with the same seed are the derivative."""
    for dist, shapes in ((stats.genextreme, (-0.2,)), (stats.burr, (3.5, 2.3)), (stats.genpareto, (0.3,))):
        check_grads(lambda *p, d=dist: np.sum(d.rvs(*p, size=4, random_state=5) ** 2), *shapes, 0.1, 1.3)


@pytest.mark.parametrize("name", ["gamma", "beta", "t", "skewnorm", "invgauss"])
def test_the_mean_moves_as_the_expectation(name):
    for found in comparisons(name, 1000):
        assert found.deviations <= DEVIATIONS, found


def test_discrete_samples_are_refused():
    with pytest.raises(NoRuleError, match="rvs"):
        cr.grad(lambda mu: stats.poisson.rvs(mu, random_state=1) * 1.0)(2.0)
