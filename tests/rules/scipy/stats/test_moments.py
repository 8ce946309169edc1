"""Mean, variance, standard deviation and entropy by every parameter, against closed forms and differences."""

import math

import numpy as np
import pytest
from scipy import special, stats
from tests.rules.cases import case, held

import chainrules as cr
from chainrules import NoRuleError, NotDifferentiableError
from chainrules.testing import check_grads, check_rule

FROZEN = stats.gamma(1.7, scale=1.3)
METHODS = ("mean", "var", "std", "entropy")
CASES = [
    *(case(getattr(stats.gamma, m), 1.7, 0.1, 1.3) for m in METHODS),
    *(case(getattr(stats.lognorm, m), np.array([0.5, 0.9]), why="an array") for m in METHODS),
    *(case(getattr(FROZEN, m)) for m in METHODS),
    case(stats.gamma.moment, held(3), 1.7, 0.1, 1.3),
    case(FROZEN.moment, held(2)),
    case(stats.gamma.stats, 1.7, 0.1, 1.3, moments="mvsk"),
    case(stats.gamma.stats, np.array([1.7, 2.2]), why="an array"),
    case(FROZEN.stats, moments="vs"),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_second_order():
    check_grads(lambda a: stats.gamma.var(a, scale=1.3) * stats.gamma.entropy(a), 1.7, order=2)


def test_closed_forms():
    a, s = 2.7, 1.3
    assert math.isclose(cr.grad(lambda a: stats.gamma.mean(a, scale=s))(a), s, rel_tol=1e-9)
    assert math.isclose(cr.grad(lambda a: stats.gamma.var(a, scale=s))(a), s * s, rel_tol=1e-9)
    by_a = 1 + (1 - a) * special.polygamma(1, a)
    assert math.isclose(cr.grad(lambda a: stats.gamma.entropy(a, scale=s))(a), by_a, rel_tol=1e-8)
    b = 2.5  # the mean of a Pareto distribution is b/(b − 1), with a heavy tail
    assert math.isclose(cr.grad(stats.pareto.mean)(b), -1 / (b - 1) ** 2, rel_tol=1e-8)


@pytest.mark.parametrize(
    ("dist", "shapes"),
    [
        (stats.truncnorm, (-1.1, 2.7)),  # shapes are ends of the support
        (stats.loguniform, (0.3, 1.25)),
        (stats.genpareto, (-0.3,)),
        (stats.laplace_asymmetric, (1.3,)),  # a corner within it
        (stats.loglaplace, (6.5,)),
        (stats.trapezoid, (0.2, 0.7)),
        (stats.lognorm, (0.4,)),
        (stats.poisson, (2.3,)),
        (stats.skellam, (1.5, 0.8)),
    ],
)
def test_moments_of_every_order(dist, shapes):
    loc = (0.3,) if isinstance(dist, stats.rv_discrete) else (0.3, 1.7)

    def every(*p):
        return (*dist.stats(*p, moments="mvsk"), dist.moment(3, *p), dist.entropy(*p))

    check_grads(every, *shapes, *loc, order=1)


def test_ends_that_move_to_second_order():
    check_grads(stats.genpareto.var, -0.3, order=2)


def test_what_is_refused():
    with pytest.raises(NotDifferentiableError, match="variance of t"):
        cr.grad(stats.t.var)(1.5)  # infinite
    with pytest.raises(NotDifferentiableError, match="levy_stable"):
        cr.grad(stats.levy_stable.mean)(1.5, 0.2)


def test_by_a_whole_number_there_is_no_derivative():
    with pytest.raises(NoRuleError, match="whole number"):
        cr.grad(stats.binom.mean)(5.0, 0.3)
    assert cr.grad(stats.binom.mean, 1)(5, 0.3) == pytest.approx(5.0)
    assert cr.grad(lambda m: stats.poisson.mean(2.0, loc=m))(1.0) == 1.0
