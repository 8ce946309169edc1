"""Mean, variance, standard deviation and entropy by every parameter, against closed forms and differences."""

import math

import numpy as np
import pytest
from scipy import special, stats
from tests.rules.cases import case

import chainrules as cr
from chainrules import NotDifferentiableError
from chainrules.testing import check_grads, check_rule

FROZEN = stats.gamma(1.7, scale=1.3)
METHODS = ("mean", "var", "std", "entropy")
CASES = [
    *(case(getattr(stats.gamma, m), 1.7, 0.1, 1.3) for m in METHODS),
    *(case(getattr(stats.lognorm, m), np.array([0.5, 0.9]), why="an array") for m in METHODS),
    *(case(getattr(FROZEN, m)) for m in METHODS),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_second_order():
    for method in METHODS:
        check_grads(lambda a, s, m=method: getattr(stats.gamma, m)(a, scale=s), 1.7, 1.3, order=2)


def test_closed_forms():
    a, s = 2.7, 1.3
    assert math.isclose(cr.grad(lambda a: stats.gamma.mean(a, scale=s))(a), s, rel_tol=1e-9)
    assert math.isclose(cr.grad(lambda a: stats.gamma.var(a, scale=s))(a), s * s, rel_tol=1e-9)
    by_a = 1 + (1 - a) * special.polygamma(1, a)
    assert math.isclose(cr.grad(lambda a: stats.gamma.entropy(a, scale=s))(a), by_a, rel_tol=1e-8)
    b = 2.5  # the mean of a Pareto distribution is b/(b − 1), with a heavy tail
    assert math.isclose(cr.grad(stats.pareto.mean)(b), -1 / (b - 1) ** 2, rel_tol=1e-8)


def test_what_is_refused():
    with pytest.raises(NotDifferentiableError, match="move its support"):
        cr.grad(lambda b: stats.truncnorm.mean(-1.0, b))(2.0)
    with pytest.raises(NotDifferentiableError, match="variance of t"):
        cr.grad(stats.t.var)(1.5)  # infinite


def test_a_density_with_a_kink_is_refused():
    for mean, shape in ((stats.loglaplace.mean, 3.25), (stats.loglaplace.mean, 2.5)):
        with pytest.raises(NotDifferentiableError, match="not smooth enough"):
            cr.grad(mean)(shape)
