"""Samples move with the parameters so that means of them do as expectations do."""

import numpy as np
import pytest
from scipy import stats
from scripts.sample_means import DEVIATIONS, comparisons
from tests.rules.cases import case

import chainrules as cr
from chainrules import NoRuleError
from chainrules.testing import check_grads, check_rule, exempt

CASES = [
    case(stats.norm.rvs, 0.3, 1.7, size=3, random_state=1),
    case(stats.uniform.rvs, 0.3, 1.7, random_state=1, why="a number"),
    case(stats.norm(0.3, 1.7).rvs, size=3, random_state=1),
    case(stats.wrapcauchy.rvs, 0.4, 0.3, 1.7, size=3, random_state=1),
]
EXEMPT = [
    exempt(type(stats.vonmises).rvs, why="draws by rejection, so that one seed has no differences: see below")
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_a_quantile_that_was_drawn():
    """SciPy draws these by their quantiles, so that differences with the same seed are the derivative."""
    for dist, shapes in ((stats.genextreme, (-0.2,)), (stats.burr, (3.5, 2.3)), (stats.genpareto, (0.3,))):
        check_grads(lambda *p, d=dist: np.sum(d.rvs(*p, size=4, random_state=5) ** 2), *shapes, 0.1, 1.3)


@pytest.mark.parametrize("name", ["gamma", "beta", "t", "skewnorm", "invgauss", "vonmises", "wrapcauchy"])
def test_the_mean_moves_as_the_expectation(name):
    for found in comparisons(name, 1000):
        assert found.deviations <= DEVIATIONS, found


@pytest.mark.parametrize(("dist", "k"), [(stats.vonmises, 1.3), (stats.wrapcauchy, 0.4)])
def test_angles_are_those_that_scipy_draws(dist, k):
    theirs = dist.rvs(k, 2.5, size=50, random_state=1)
    mine, by_loc = cr.jvp(lambda m: dist.rvs(k, m, size=50, random_state=1), (2.5,), (1.0,))
    np.testing.assert_array_equal(mine, theirs)
    np.testing.assert_array_equal(by_loc, 1.0)
    frozen = cr.grad(lambda k: np.sum(np.cos(dist(k, 2.5).rvs(size=50, random_state=1))))(k)
    alone = cr.grad(lambda k: np.sum(np.cos(dist.rvs(k, 2.5, size=50, random_state=1))))(k)
    assert frozen == pytest.approx(alone)


def test_discrete_samples_are_refused():
    with pytest.raises(NoRuleError, match="rvs"):
        cr.grad(lambda mu: stats.poisson.rvs(mu, random_state=1) * 1.0)(2.0)
