"""Power transforms and their best powers."""

import numpy as np
import pytest
from scipy import stats
from tests.rules.cases import case, held, normal, uniform

import chainrules as cr
from chainrules.testing import check_grads, check_rule

A, X = uniform(12, low=0.4, high=2.5), normal(12) + 0.3
CASES = [
    *(case(stats.boxcox_normmax, A, method=m) for m in ("mle", "pearsonr")),
    case(stats.boxcox, A, 0.3),
    case(stats.boxcox, A, held(0.0), why="the logarithm"),
    *(case(stats.yeojohnson, X, power) for power in (0.3, held(0.0), held(2.0))),
    case(stats.yeojohnson, X),
    case(stats.yeojohnson_normmax, X),
    case(stats.yeojohnson_llf, 0.4, normal(5, 3), axis=1),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_the_best_power_and_its_interval():
    def found(x):
        return np.sum(stats.boxcox(x)[0] * np.arange(12)) + stats.boxcox(x)[1]

    def composed(x):
        power = stats.boxcox_normmax(x, method="mle")
        return np.sum(stats.boxcox(x, power) * np.arange(12)) + power

    assert np.allclose(cr.grad(found)(A), cr.grad(composed)(A), rtol=1e-12)
    check_grads(lambda x, alpha: np.stack(stats.boxcox(x, alpha=alpha)[2]), A, 0.1, order=1)


def test_all_powers():
    powers = cr.jacobian(lambda x: stats.boxcox_normmax(x, method="all"))(A)
    each = [cr.grad(lambda x, m=m: stats.boxcox_normmax(x, method=m))(A) for m in ("pearsonr", "mle")]
    assert np.allclose(powers, each, rtol=1e-12)


def test_second_order():
    check_grads(stats.yeojohnson_llf, 0.4, X, order=2)
