"""Descriptive statistics along axes; what is left out or weighted is refused."""

import numpy as np
import pytest
from scipy import stats
from tests.rules.cases import case, normal, uniform

import chainrules as cr
from chainrules import NotDifferentiableError
from chainrules.testing import check_grads, check_rule

A = uniform(5, 2, low=0.5, high=2.0)
ALONG = (
    *(stats.gmean, stats.hmean, stats.moment, stats.skew, stats.kurtosis, stats.variation, stats.sem),
    *(stats.tmean, stats.tvar, stats.tstd, stats.tsem, stats.iqr, stats.median_abs_deviation),
)
CASES = [
    *(case(f, A, axis=1) for f in ALONG),
    *(case(f, A, axis=None, keepdims=True) for f in (stats.gmean, stats.skew, stats.tvar)),
    *(case(f, A) for f in (stats.gstd, stats.entropy, stats.zscore, stats.gzscore)),
    case(stats.entropy, A, base=2, axis=1),
    case(stats.zscore, A, axis=1, ddof=1),
    case(stats.zmap, normal(4), normal(5, seed=1)),
    case(stats.pmean, A, p=3),
    case(stats.pmean, A, p=0),
    case(stats.moment, A, order=3),
    case(stats.moment, A, order=2, center=0.3),
    *(case(f, A, bias=False) for f in (stats.skew, stats.kurtosis)),
    case(stats.kurtosis, A, fisher=False),
    case(stats.skew, uniform(2, 3, 2), axis=(0, 2), why="two axes"),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_second_order():
    check_grads(lambda a: stats.skew(a) * stats.gmean(a) + stats.kurtosis(a), A[:, 0], order=2)


def test_weights_and_limits_are_refused():
    weights = np.arange(1.0, 6.0)
    with pytest.raises(NotDifferentiableError, match=r"derivative of scipy\.stats\.gmean"):
        cr.grad(lambda x: stats.gmean(x, weights=weights))(A[:, 0])
    with pytest.raises(NotDifferentiableError, match=r"derivative of scipy\.stats\.tmean"):
        cr.grad(lambda x: stats.tmean(x, (0.0, 1.0)))(A[:, 0])


def test_what_is_omitted_is_refused():
    with pytest.raises(NotDifferentiableError, match=r"scipy\.stats\.skew"):
        cr.grad(lambda x: stats.skew(x, nan_policy="omit"))(np.array([1.0, np.nan, 2.0, 5.0]))
