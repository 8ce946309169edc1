"""Probability plots."""

import numpy as np
import pytest
from scipy import stats
from tests.rules.cases import case, normal, uniform

import chainrules
from chainrules.testing import check_rule, checking, exempt

A, X = uniform(12, low=0.4, high=2.5), normal(12) + 0.3
CASES = [
    case(stats.probplot, X),
    case(stats.probplot, A, 2.2, dist="gamma"),
    case(stats.probplot, X, fit=False),
    case(stats.ppcc_plot, X, 0.5, 2.0, N=4),
    case(stats.boxcox_normplot, A, 0.5, 2.0, N=4),
    case(stats.yeojohnson_normplot, X, 0.5, 2.0, N=4),
]
EXEMPT = [
    exempt(stats.ppcc_max, why="searched to eight digits, too few for differences of six: checked below")
]


def test_a_search_to_three_digits():
    with checking(rtol=1e-3):
        check_rule(stats.ppcc_max, 2.0 * X**3, brack=(-2.0, 1.0))


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_it_still_draws():
    drawn = []

    class Axes:
        def plot(self, *what):
            drawn.append(what)

        def set_title(self, *what):
            drawn.append(what)

        set_xlabel = set_ylabel = title = xlabel = ylabel = set_title

    np.testing.assert_array_equal(
        chainrules.vjp(lambda x: stats.probplot(x, plot=Axes())[0][1], X)[0], np.sort(X)
    )
    assert drawn
