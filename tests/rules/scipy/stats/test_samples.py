"""Samples move with the parameters so that means of them do as expectations do."""

import math

import numpy as np
import pytest
from scipy import integrate, stats
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


@pytest.mark.parametrize(
    ("dist", "shapes"),
    [
        (stats.gamma, (2.3,)),
        (stats.beta, (1.7, 0.8)),
        (stats.t, (5.5,)),
        (stats.skewnorm, (1.5,)),
        (stats.invgauss, (0.7,)),
    ],
)
def test_the_mean_moves_as_the_expectation(dist, shapes):
    count = 4000

    def drawn(a):
        return np.sin(dist.rvs(a, *shapes[1:], size=count, random_state=3))

    def expected(a):
        def integrand(x):
            return np.sin(x) * dist.pdf(x, a, *shapes[1:])

        low, high = dist.ppf([1e-13, 1 - 1e-13], a, *shapes[1:])
        return integrate.quad(integrand, low, high, limit=200)[0]

    exact = (expected(shapes[0] + 1e-3) - expected(shapes[0] - 1e-3)) / 2e-3
    each = cr.jacobian(drawn)(shapes[0])
    assert abs(np.mean(each) - exact) < 4 * np.std(each) / math.sqrt(count) + 1e-5


def test_discrete_samples_are_refused():
    with pytest.raises(NoRuleError, match="rvs"):
        cr.grad(lambda mu: stats.poisson.rvs(mu, random_state=1) * 1.0)(2.0)
