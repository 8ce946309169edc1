"""Expectiles, directions and posterior distributions."""

import numpy as np
import pytest
from scipy import stats
from tests.rules.cases import case, normal, uniform

from chainrules.testing import check_grads, check_rule, exempt

X, W = normal(9) + 0.3, uniform(9)
CASES = [
    case(stats.expectile, X, 0.3),
    case(stats.expectile, X, 0.7, weights=W),
    case(stats.directional_stats, normal(5, 3)),
    case(stats.directional_stats, normal(5, 3), axis=1, normalize=False),
    case(stats.bayes_mvs, X),
    case(stats.bayes_mvs, X, alpha=0.5),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


EXEMPT = [
    exempt(stats.mvsdist, why="distributions, which hold their parameters otherwise than SciPy's: below")
]


def test_posterior_distributions():
    def program(x):
        mean, variance, spread = stats.mvsdist(x)
        return mean.cdf(0.4) + variance.pdf(0.3) + spread.logpdf(0.6)

    check_grads(program, X, order=1)


def test_of_many_numbers_they_are_normal():
    many = np.tile(X, 120)

    def end(x):
        return stats.bayes_mvs(x * many)[1].minmax[0] + stats.mvsdist(x * many)[2].cdf(1.0)

    check_grads(end, 1.1, order=1)


def test_second_order():
    check_grads(stats.expectile, X, 0.3, order=2)
