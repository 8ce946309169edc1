"""Power transforms and their best powers."""

import numpy as np
import pytest
from scipy import optimize, stats
from tests.rules.cases import case, held, normal, uniform

import chainrules as cr
from chainrules.testing import check_grads, check_rule, checking, exempt

A, X = uniform(12, low=0.4, high=2.5), normal(12) + 0.3
CASES = [
    case(stats.boxcox, A, 0.3),
    case(stats.boxcox, A, held(0.0), why="the logarithm"),
    *(case(stats.yeojohnson, X, power) for power in (0.3, held(0.0), held(2.0))),
    case(stats.yeojohnson_llf, 0.4, normal(5, 3), axis=1),
]
EXEMPT = [
    exempt(f, why="searched to eight digits, too few for differences: checked against a closer search")
    for f in (stats.boxcox_normmax, stats.yeojohnson_normmax)
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize(
    ("search", "likelihood", "x"),
    [
        (lambda x: stats.boxcox_normmax(x, method="mle"), stats.boxcox_llf, A),
        (stats.yeojohnson_normmax, stats.yeojohnson_llf, X),
    ],
)
def test_the_best_power_against_a_closer_search(search, likelihood, x):
    """Where the slope of the likelihood changes its sign, to all digits."""
    slope, found = cr.grad(likelihood), search(x)

    def closest(x):
        return optimize.brentq(lambda power: slope(power, x), found - 0.1, found + 0.1, xtol=1e-15)

    along = normal(12, seed=1)
    exact = (closest(x + 1e-5 * along) - closest(x - 1e-5 * along)) / 2e-5
    assert cr.grad(search)(x) @ along == pytest.approx(exact, rel=1e-6)
    assert cr.jvp(search, (x,), (along,))[1] == pytest.approx(exact, rel=1e-6)


@pytest.mark.parametrize(
    ("transform", "search"),
    [
        (stats.boxcox, lambda x: stats.boxcox_normmax(x, method="mle")),
        (stats.yeojohnson, stats.yeojohnson_normmax),
    ],
)
def test_what_the_best_power_makes(transform, search):
    def found(x):
        return np.sum(transform(x)[0] * np.arange(12)) + transform(x)[1]

    def composed(x):
        power = search(x)
        return np.sum(transform(x, power) * np.arange(12)) + power

    x = A if transform is stats.boxcox else X
    assert np.allclose(cr.grad(found)(x), cr.grad(composed)(x), rtol=1e-12)
    assert np.allclose(cr.jvp(found, (x,), (x,))[1], cr.grad(found)(x) @ x, rtol=1e-9)


def test_the_ends_of_the_interval():
    check_grads(lambda x, alpha: np.stack(stats.boxcox(x, alpha=alpha)[2]), A, 0.1, order=1)


def test_the_power_of_the_straightest_plot_to_three_digits():
    with checking(rtol=1e-3):
        check_rule(stats.boxcox_normmax, A, method="pearsonr")


def test_all_powers():
    powers = cr.jacobian(lambda x: stats.boxcox_normmax(x, method="all"))(A)
    each = [cr.grad(lambda x, m=m: stats.boxcox_normmax(x, method=m))(A) for m in ("pearsonr", "mle")]
    assert np.allclose(powers, each, rtol=1e-12)


def test_second_order():
    check_grads(stats.yeojohnson_llf, 0.4, X, order=2)
