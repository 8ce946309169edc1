"""Quantiles, implicit in the distribution function; at 0 and 1 the ends of the support."""

import math

import numpy as np
import pytest
from scipy import stats
from tests.rules.cases import case, rrule_of

import chainrules as cr
from chainrules.tangents import is_zero
from chainrules.testing import check_grads, check_rule

Q = np.array([0.1, 0.5, 0.97])
CASES = [
    *(case(f, Q, 1.7, 0.1, 1.3) for f in (stats.gamma.ppf, stats.gamma.isf)),
    *(case(f, 0.2, why="a number") for f in (stats.norm.ppf, stats.norm.isf)),
    case(stats.t.ppf, Q, np.array([[3.0], [4.5]]), why="stretched"),
    case(stats.beta.isf, Q, 1.7, np.array([0.6, 2.0, 3.0])),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize("method", ["ppf", "isf"])
def test_keywords_are_data_to_second_order(method):
    f = getattr(stats.gamma, method)
    check_grads(lambda q, a, m, s: f(q, scale=s, a=a, loc=m), Q, 1.7, 0.1, 1.3, order=2)


def test_at_zero_and_one_it_is_the_end_of_the_support():
    _, pullback = rrule_of(stats.truncnorm.ppf, 1.0, -1.0, 2.0, 0.3, 1.7)
    slope = (stats.norm.cdf(2.0) - stats.norm.cdf(-1.0)) / stats.norm.pdf(2.0)
    assert np.allclose(
        [0.0 if is_zero(t) else float(t) for t in pullback(1.0)], [1.7 * slope, 0.0, 1.7, 1.0, 2.0]
    )
    assert math.isclose(cr.grad(lambda c: stats.genpareto.ppf(1.0, c))(-0.5), 4.0)  # −1/c
    assert cr.grad(stats.expon.isf)(1.0) == -1.0
    assert cr.grad(stats.norm.ppf)(1.0) == math.inf


def test_probabilities_beyond_one_are_nan():
    _, pullback = rrule_of(stats.gamma.ppf, 1.5, 2.0)
    assert all(math.isnan(t) for t in pullback(1.0))


def test_the_median_of_a_symmetric_distribution_stays():
    assert cr.grad(lambda a: stats.dgamma.ppf(0.5, a))(1.4) == 0.0


def test_both_tails_have_their_digits():
    small = 1e-12
    assert math.isclose(
        cr.grad(stats.norm.isf)(small), -1 / stats.norm.pdf(stats.norm.isf(small)), rel_tol=1e-9
    )
    x = stats.gamma.isf(small, 2.0)
    assert math.isclose(
        cr.grad(lambda q: stats.gamma.isf(q, 2.0))(small), -1 / stats.gamma.pdf(x, 2.0), rel_tol=1e-9
    )
