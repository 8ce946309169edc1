"""The empirical distribution function, and tests of fit with parameters fitted."""

import numpy as np
import pytest
from scipy import stats
from tests.rules.cases import case as case
from tests.rules.cases import normal, uniform

import chainrules as cr
from chainrules import NoRuleError, UnsupportedArgument
from chainrules.testing import check_grads, exempt

X, POSITIVE = normal(12), uniform(12)
CASES: list = []
EXEMPT = [
    exempt(f, why="a field that is a step, and is refused: the other fields are checked below")
    for f in (
        stats.goodness_of_fit,
        stats.ecdf,
    )
]


@pytest.mark.parametrize("statistic", ["ad", "ks", "cvm", "filliben"])
def test_statistics_of_fit(statistic):
    def fitted(x, loc):
        few = {"statistic": statistic, "n_mc_samples": 3, "rng": 1}
        whole = stats.goodness_of_fit(stats.norm, x, **few).statistic
        return whole + 2.0 * stats.goodness_of_fit(stats.norm, x, known_params={"loc": loc}, **few).statistic

    check_grads(fitted, X, 0.1, order=1)


def test_all_parameters_known():
    def known(x, scale):
        parameters = {"loc": 0.0, "scale": scale}
        return stats.goodness_of_fit(stats.expon, x, known_params=parameters, n_mc_samples=3, rng=1).statistic

    check_grads(known, POSITIVE, 0.9, order=1)


def test_steps_lie_at_the_sample():
    x = np.array([2.0, 1.0, 2.0, 4.0])
    y = stats.ecdf(x)
    assert (
        cr.value_and_grad(lambda x: np.sum(stats.ecdf(x).cdf.quantiles * np.array([1, 2, 3])))(x)[0] == 17.0
    )
    jacobian = cr.jacobian(lambda x: stats.ecdf(x).sf.quantiles)(np.array([2.0, 1.0, 4.0]))
    assert np.array_equal(jacobian, [[0, 1, 0], [1, 0, 0], [0, 0, 1]])
    assert not np.any(cr.jacobian(lambda x: stats.ecdf(x).cdf.probabilities)(np.array([2.0, 1.0, 4.0])))
    assert len(y.cdf.quantiles) == 3


def ends(sample):
    return stats.ecdf(sample).cdf.quantiles[0]


def test_what_cannot_be_followed_is_refused():
    with pytest.raises(NoRuleError, match="evaluate"):
        cr.grad(lambda x: stats.ecdf(x).cdf.evaluate(0.1))(X)
    with pytest.raises(NoRuleError, match="'pvalue' has no derivative here"):
        cr.grad(lambda x: stats.goodness_of_fit(stats.norm, x, n_mc_samples=3, rng=1).pvalue)(X)
    with pytest.raises(UnsupportedArgument, match="sample"):
        cr.grad(ends)(stats.CensoredData(X, right=X))
