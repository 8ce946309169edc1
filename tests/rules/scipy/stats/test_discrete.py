"""Discrete distributions by their parameters; steps in k, q and loc; whole numbers refused."""

import math

import numpy as np
import pytest
from scipy import stats
from tests.rules.cases import case, held, rrule_of

import chainrules as cr
from chainrules import NotDifferentiableError
from chainrules.tangents import NotImplementedTangent, is_zero
from chainrules.testing import check_grads, check_rule

METHODS = ("pmf", "logpmf", "cdf", "logcdf", "sf", "logsf")
K = np.array([0.0, 2.0, 5.0])
CASES = [
    *(case(getattr(stats.poisson, m), held(K), 2.3) for m in METHODS),
    *(case(getattr(stats.geom, m), held(np.array([1.0, 2.0])), np.array([[0.3], [0.6]])) for m in METHODS),
    *(case(f, 0.3, 2.3, 1.0) for f in (stats.poisson.ppf, stats.poisson.isf)),
    case(stats.betabinom.cdf, held(K), held(6.0), 2.3, np.array([0.7, 0.8, 1.2]), why="a sum"),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize("method", METHODS)
def test_keywords_are_data_to_second_order(method):
    check_grads(lambda mu: getattr(stats.poisson, method)(K, mu=mu, loc=0), 2.3, order=2)


def test_steps():
    _, pullback = rrule_of(stats.poisson.cdf, 2.5, 2.3, 0.2)
    by_k, _, by_loc = pullback(1.0)
    assert is_zero(by_k)
    assert is_zero(by_loc)
    assert cr.grad(lambda m: stats.poisson.ppf(0.3, 2.3, loc=m))(1.0) == 1.0
    assert cr.grad(lambda mu: stats.poisson.pmf(1.5, mu))(2.0) == 0.0  # no mass there


def test_ends_of_a_probability():
    assert cr.grad(lambda p: stats.binom.logpmf(0, 3, p))(0.0) == -3.0
    assert math.isclose(cr.grad(lambda p: stats.binom.pmf(1, 3, p))(0.0), 3.0)
    assert cr.grad(lambda p: stats.bernoulli.pmf(1, p))(0.0) == 1.0


def test_a_whole_number_has_no_derivative():
    for f, args in (
        (stats.binom.pmf, (1, 5, 0.3)),
        (stats.zipfian.cdf, (2, 1.2, 5)),
        (stats.hypergeom.logpmf, (2, 20, 7, 12)),
    ):
        _, pullback = rrule_of(f, *args)
        assert any(isinstance(t, NotImplementedTangent) for t in pullback(1.0))
        assert math.isfinite(f(*args))


def test_a_distribution_without_a_family_is_refused():
    with pytest.raises(NotDifferentiableError, match="nchypergeom_fisher"):
        cr.grad(lambda odds: stats.nchypergeom_fisher.pmf(20, 140, 80, 60, odds))(0.5)
