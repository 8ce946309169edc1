"""Shapiro and Wilk's test, Anderson and Darling's."""

import numpy as np
import pytest
from scipy import stats
from tests.rules.cases import case, normal, uniform

import chainrules as cr
from chainrules import UnsupportedArgument
from chainrules.testing import check_rule

A, POSITIVE = normal(14) + 0.3, uniform(14, low=0.5, high=3.0)
EXTREME = np.random.default_rng(4).gumbel(size=20)
CASES = [
    *(case(stats.shapiro, A[:n]) for n in (3, 4, 5, 6, 9, 14)),
    case(stats.shapiro, normal(5, 7), axis=1),
    case(stats.anderson, np.append(EXTREME, 8.0), method="interpolate"),
    case(stats.anderson, POSITIVE, dist="expon", method="interpolate"),
    *(case(stats.anderson, A, dist=d, method="interpolate") for d in ("logistic", "gumbel_r", "gumbel")),
    case(stats.anderson, np.random.default_rng(4).weibull(3.0, 40), dist="weibull_min", method="interpolate"),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_a_p_value_by_samples_is_refused():
    method = stats.MonteCarloMethod(n_resamples=9, rng=1)
    with pytest.raises(UnsupportedArgument, match="interpolate"):
        cr.grad(lambda x: stats.anderson(x, method=method).pvalue)(A)
