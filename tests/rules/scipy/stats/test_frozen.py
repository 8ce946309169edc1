"""Frozen distributions: captured, made inside the differentiated function, and as arguments."""

import numpy as np
import pytest
from scipy import stats
from scipy.stats._distn_infrastructure import rv_generic
from tests.rules.cases import case, held

import chainrules as cr
from chainrules.testing import check_grads, check_rule, exempt

X = np.array([0.4, 1.2])
MADE = stats.gamma(1.7, scale=1.3)
COUNTS = stats.poisson(2.3)
CASES = [
    *(case(getattr(MADE, m), X) for m in ("pdf", "logpdf", "cdf", "logcdf", "sf", "logsf")),
    *(case(f, np.array([0.2, 0.9])) for f in (MADE.ppf, MADE.isf)),
    *(case(f, held(np.array([0.0, 2.0]))) for f in (COUNTS.pmf, COUNTS.logpmf)),
]
EXEMPT = [
    exempt(f, why="it makes an object with infinite fields, which has no differences: checked by its methods")
    for f in (rv_generic.freeze, rv_generic.__call__)
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_making_one():
    """Held to what it then says: an object with infinite fields has no differences of its own."""

    def called(a, m, s):
        made = stats.gamma(a, loc=m, scale=s)
        return made.logpdf(X)

    def frozen(a, m, s):
        made = stats.gamma.freeze(a, m, s)
        return made.logpdf(X)

    for f in (called, frozen):
        check_grads(f, 1.7, 0.1, 1.3, order=2)
        check_grads(f, np.array([1.7, 1.2]), 0.1, 1.3, order=1)


@pytest.mark.parametrize("method", ["pdf", "logpdf", "cdf", "logcdf", "sf", "logsf"])
def test_frozen_and_unfrozen_agree(method):
    def frozen(a, s):
        return np.sum(getattr(stats.gamma(a, scale=s), method)(X))

    def unfrozen(a, s):
        return np.sum(getattr(stats.gamma, method)(X, a, scale=s))

    check_grads(frozen, 1.7, 1.3, order=2)
    assert cr.grad(frozen, (0, 1))(1.7, 1.3) == cr.grad(unfrozen, (0, 1))(1.7, 1.3)


def test_the_gradient_of_a_frozen_distribution_has_its_parameters():
    found = cr.grad(lambda d: np.sum(d.logpdf(X)))(MADE)
    by_a, by_scale = cr.grad(lambda a, s: np.sum(stats.gamma.logpdf(X, a, scale=s)), (0, 1))(1.7, 1.3)
    assert (found.args[0], found.kwds["scale"]) == (by_a, by_scale)


def test_a_frozen_distribution_may_be_captured():
    assert np.isclose(cr.grad(lambda t: MADE.logpdf(t))(0.8), 0.7 / 0.8 - 1 / 1.3)


def test_parameters_that_are_read_again():
    def scored(made):
        return np.sum(stats.norm.logpdf(X, made.args[0], made.args[1]))

    check_grads(lambda m, s: scored(stats.norm(m, s)), 0.3, 1.3, order=2)
