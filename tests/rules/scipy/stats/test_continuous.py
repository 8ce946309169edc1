"""Densities and distribution functions by x and every parameter, at ends, outside, and to second order."""

import math

import mpmath
import numpy as np
import pytest
from scipy import stats
from tests.rules.cases import case, rrule_of

import chainrules as cr
from chainrules import NotDifferentiableError, UnsupportedArgument
from chainrules.tangents import is_zero
from chainrules.testing import check_grads, check_rule

METHODS = ("pdf", "logpdf", "cdf", "logcdf", "sf", "logsf")
X = np.array([0.4, 1.2, 2.5])
CASES = [
    *(case(getattr(stats.gamma, m), X, 1.7, 0.1, 1.3) for m in METHODS),
    *(case(getattr(stats.gamma, m), X, np.array([[1.7], [2.2]]), why="stretched") for m in ("logpdf", "cdf")),
    *(case(getattr(stats.norm, m), 0.7, 0.1, why="a number") for m in METHODS),
    case(stats.gamma.pdf, np.array([-1.0, 0.4]), 1.7, why="one outside"),
    case(stats.beta.cdf, np.array([-1.0, 0.4, 2.0]), np.array([1.7, 0.6, 2.0]), 2.2, why="two outside"),
    case(stats.t.sf, np.ones((0,)), 2.2, why="empty"),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize("method", METHODS)
def test_keywords_are_data_to_second_order(method):
    f = getattr(stats.gamma, method)
    check_grads(lambda x, a, m, s: f(x, scale=s, a=a, loc=m), X, 1.7, 0.1, 1.3, order=2)


def test_the_value_is_scipys():
    for method in METHODS:
        f = getattr(stats.skewnorm, method)
        assert np.array_equal(cr.value_and_grad(lambda x, f=f: np.sum(f(x, 2.0)))(X)[0], np.sum(f(X, 2.0)))


def test_outside_the_support_nothing_moves():
    for method in METHODS:
        y, pullback = rrule_of(getattr(stats.expon, method), -1.0, 0.0, 2.0)
        assert all(is_zero(t) or t == 0.0 for t in pullback(1.0)), method
        assert y == getattr(stats.expon, method)(-1.0, 0.0, 2.0)


def test_at_an_end_the_derivative_is_that_from_inside():
    assert cr.grad(stats.expon.pdf)(0.0) == -1.0
    assert cr.grad(stats.expon.cdf)(0.0) == 1.0
    assert cr.grad(stats.uniform.cdf)(1.0) == 1.0
    assert math.isclose(cr.grad(lambda x: stats.gamma.pdf(x, 2.0))(0.0), 1.0)
    assert abs(cr.grad(lambda a: stats.gamma.pdf(0.0, a))(1.5)) < 1e-140
    assert cr.grad(lambda x: stats.gamma.logpdf(x, 2.0))(0.0) == 0.0  # the value is −∞


def test_infinite_arguments_do_not_move():
    assert cr.grad(stats.norm.cdf)(math.inf) == 0.0
    assert cr.grad(stats.norm.logpdf)(-math.inf) == 0.0


def test_where_scipy_answers_nan_so_is_the_derivative():
    for args in ((1.0, -2.0), (math.nan, 2.0)):
        for method in METHODS:
            _, pullback = rrule_of(getattr(stats.gamma, method), *args)
            assert all(math.isnan(t) for t in pullback(1.0)), (args, method)


def test_logarithms_keep_their_digits_in_the_tails():
    with mpmath.workdps(40):
        hazards = {z: float(mpmath.npdf(z) / mpmath.ncdf(-z)) for z in (40, 50)}
    assert math.isclose(cr.grad(stats.norm.logcdf)(-50.0), hazards[50], rel_tol=1e-12)
    assert math.isclose(cr.grad(stats.norm.logsf)(50.0), -hazards[50], rel_tol=1e-12)
    assert cr.grad(stats.expon.logsf)(1e5) == -1.0
    by_end = cr.grad(lambda a: stats.truncnorm.logpdf(40.5, a, math.inf))(40.0)
    assert math.isclose(by_end, hazards[40], rel_tol=1e-10)


def test_a_shape_of_zero_is_smooth():
    x = 0.7
    assert math.isclose(cr.grad(lambda c: stats.genpareto.logpdf(x, c))(0.0), x * x / 2 - x)
    assert math.isclose(cr.grad(lambda c: stats.genextreme.logcdf(x, c))(0.0), math.exp(-x) * x * x / 2)


def test_many_degrees_of_freedom_are_the_normal_distribution():
    assert math.isclose(cr.grad(lambda x: stats.t.logpdf(x, math.inf))(0.7), -0.7)


def test_what_has_no_family_is_refused_by_name():
    class Mine(stats.rv_continuous):
        def _pdf(self, x):
            return np.exp(-x)

    for dist, shapes in ((Mine(name="mine", a=0.0), ()), (stats.levy_stable, (1.5, 0.2))):
        with pytest.raises(NotDifferentiableError, match=dist.name):
            cr.grad(lambda x, d=dist, s=shapes: d.logpdf(x, *s))(1.0)


def test_a_keyword_that_is_no_parameter_is_refused():
    with pytest.raises((UnsupportedArgument, TypeError), match="sigma"):
        cr.grad(lambda s: stats.norm.pdf(0.3, sigma=s))(1.0)


def test_a_skew_near_zero():
    exact = (1.1**3 - 3 * 1.1) / 6  # of the first Hermite correction
    assert math.isclose(cr.grad(lambda s: stats.pearson3.logpdf(1.1, s))(1e-4), exact, rel_tol=1e-3)
    with pytest.raises(NotDifferentiableError, match="skew"):
        cr.grad(lambda s: stats.pearson3.cdf(1.1, s))(1e-3)
