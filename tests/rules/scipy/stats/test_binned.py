"""Statistics of values in bins."""

import numpy as np
import pytest
from scipy import stats
from tests.rules.cases import case, normal

import chainrules as cr
from chainrules import UnsupportedArgument
from chainrules.testing import check_grads, check_rule

X, Y, V = normal(14) + 0.3, normal(14, seed=1), normal(14, seed=2)
CASES = [
    *(case(stats.binned_statistic, X, V, s, bins=3) for s in ("mean", "std", "median", "sum", "min", "max")),
    case(stats.binned_statistic, X, V, "count", bins=3),
    case(stats.binned_statistic, X, np.stack([V, V**2]), "sum", bins=[-1.0, 0.0, 0.5, 1.0]),
    case(stats.binned_statistic, X, V, "sum", bins=3, range=(-0.5, 0.7)),
    case(stats.binned_statistic_2d, X, Y, V, "sum", bins=[2, 3]),
    case(stats.binned_statistic_2d, X, Y, V, "sum", bins=3, expand_binnumbers=True),
    case(stats.binned_statistic_2d, X, Y, V, "sum", bins=[-1.0, 0.0, 0.7, 1.3]),
    case(stats.binned_statistic_dd, np.stack([X, Y, V], axis=1), V, "sum", bins=2),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_a_function_of_ones_own_and_what_it_captured():
    def total(v, power):
        return np.nansum(stats.binned_statistic(X, v, lambda u: np.sum(np.abs(u) ** power), bins=3).statistic)

    check_grads(total, V, 1.7, order=1)


def test_an_earlier_result_is_refused():
    before = stats.binned_statistic_dd(X[:, None], V, bins=2)
    with pytest.raises(UnsupportedArgument, match="binned_statistic_result"):
        cr.grad(lambda v: stats.binned_statistic_dd(X, v, binned_statistic_result=before)[0].sum())(V)
