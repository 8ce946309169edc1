"""Logarithms of densities well inside the support: SciPy's own value, and the derivative by every number."""

import numpy as np
import pytest
from scipy import stats
from tests.rules.cases import case, held

import chainrules as cr
from chainrules import NoRuleError
from chainrules.rules.scipy.stats.densities import DENSITIES
from chainrules.rules.scipy.stats.smooth import at_once, known, masses_at_once, pulled
from chainrules.tangents import is_zero
from chainrules.testing import check_grads, check_rule, exempt

X = np.array([0.31, 0.52, 0.93])
SHAPES = {
    "norm": (),
    "expon": (),
    "uniform": (),
    "gamma": (1.7,),
    "chi2": (3.3,),
    "beta": (1.7, 2.4),
    "t": (4.2,),
    "lognorm": (0.8,),
    "weibull_min": (1.6,),
    "laplace": (),
    "logistic": (),
}
CASES = [
    *(case(getattr(stats, name).logpdf, X, *shapes, -0.1, 1.3) for name, shapes in SHAPES.items()),
    case(stats.gamma.logpdf, X, np.array([[1.7], [2.2]]), 0.1, np.array([1.0, 2.0, 1.5]), why="stretched"),
    case(stats.t.logpdf, 0.4, 3, why="numbers, one of them whole"),
    case(stats.poisson.logpmf, np.array([0, 2, 5]), 2.3, why="whole numbers"),
    case(stats.binom.logpmf, np.array([0, 2, 9]), held(9), 0.3, why="both ends"),
]
EXEMPT = [
    exempt(known, why="holds what was computed before: checked by the densities' second derivatives"),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_every_distribution_is_here():
    assert {*SHAPES, "poisson", "binom"} == set(DENSITIES)


@pytest.mark.parametrize("name", SHAPES)
def test_second_order(name):
    check_grads(getattr(stats, name).logpdf, X, *SHAPES[name], -0.1, 1.3, order=2)


def test_masses_to_second_order():
    check_grads(lambda mu: stats.poisson.logpmf(np.array([1, 4]), mu), 2.3, order=2)


@pytest.mark.parametrize("name", SHAPES)
def test_the_value_is_scipys(name):
    dist, x = getattr(stats, name), np.linspace(0.01, 0.99, 50)
    found = at_once(dist, x, SHAPES[name], -0.001, 1.3)
    assert found is not None
    assert np.allclose(found.y, dist.logpdf(x, *SHAPES[name], -0.001, 1.3), rtol=1e-15, atol=4e-15)


def test_the_masses_are_scipys():
    k = np.arange(30)
    found = masses_at_once(stats.poisson, k, (2.3,), 0)
    assert found is not None
    assert np.array_equal(found.y, stats.poisson.logpmf(k, 2.3))


@pytest.mark.parametrize("x", [0.0, -1.0, np.inf, np.nan, 1e200])
def test_what_is_not_well_inside_is_left_to_the_masks(x):
    assert at_once(stats.gamma, np.array([0.5, x]), (1.7,), 0.0, 1.0) is None


def test_other_numbers_are_left_to_the_masks():
    assert at_once(stats.norm, X.astype(np.float32), (), 0.0, 1.0) is None
    assert at_once(stats.norm, X, (), 0.0, -1.0) is None
    assert at_once(stats.gamma, X, (-1.0,), 0.0, 1.0) is None
    assert at_once(stats.t, X, (np.inf,), 0.0, 1.0) is None
    assert at_once(stats.norm, np.zeros(0), (), 0.0, 1.0) is None
    assert masses_at_once(stats.poisson, np.array([0.5]), (2.3,), 0.0) is None
    assert masses_at_once(stats.binom, np.array([1]), (3, 1.0), 0.0) is None
    assert masses_at_once(stats.binom, np.array([4]), (3, 0.5), 0.0) is None


def test_the_number_of_trials_has_no_derivative():
    assert cr.grad(lambda p: stats.binom.logpmf(2, 9, p))(0.3) == pytest.approx(2 / 0.3 - 7 / 0.7)
    with pytest.raises(NoRuleError, match="whole number"):
        cr.grad(lambda n: stats.binom.logpmf(2, n, 0.3))(9.0)


def test_only_what_is_needed_is_computed():
    found = at_once(stats.gamma, X, (1.7,), 0.0, 1.0)
    assert found is not None
    *others, bars = pulled(
        found, DENSITIES["gamma"], X, 0.0, 1.0, (1.7,), (False, False, False, True), np.ones(3)
    )
    assert all(is_zero(t) for t in others)
    assert np.isclose(bars[0], cr.grad(lambda a: np.log(np.prod(stats.gamma.pdf(X, a))))(1.7))


def test_far_out_the_value_is_infinite_as_scipys():
    assert at_once(stats.laplace, np.array([0.5, 800.0]), (), 0.0, 1.0) is None
    value, slope = cr.value_and_grad(lambda x: stats.laplace.logpdf(x))(800.0)
    assert value == -np.inf
    assert slope == 0.0
