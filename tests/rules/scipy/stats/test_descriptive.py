"""Descriptive statistics along axes; what is left out or weighted is refused."""

import numpy as np
import pytest
from scipy import stats
from tests.rules.cases import case, held, normal, uniform

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
    case(stats.describe, A, axis=1, ddof=0, bias=False),
    case(stats.entropy, A, base=2, axis=1),
    case(stats.zscore, A, axis=1, ddof=1),
    case(stats.zmap, normal(4), normal(5, seed=1)),
    case(stats.pmean, A, 1.7),
    case(stats.pmean, A, held(0), axis=1),
    case(stats.moment, A, order=3),
    case(stats.moment, A, order=[1, 2, 3]),
    *(case(f, A, bias=False) for f in (stats.skew, stats.kurtosis)),
    case(stats.kurtosis, A, fisher=False),
    case(stats.skew, uniform(2, 3, 2), axis=(0, 2), why="two axes"),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_second_order():
    check_grads(lambda a: stats.skew(a) * stats.gmean(a) + stats.kurtosis(a), A[:, 0], order=2)


def test_weights_centres_and_powers_move():
    def program(x, w, p, c):
        means = stats.gmean(x, weights=w) + stats.hmean(x, weights=w) + stats.pmean(x, p, weights=w)
        return means + stats.moment(x, 3, center=c) + stats.entropy(x, w, base=2)

    check_grads(program, A[:, 0], uniform(5, seed=1), 1.3, 0.4, order=1)


def test_what_is_omitted_has_no_part():
    gone = np.array([[1.0, np.nan, 2.0, 5.0, 4.0], [3.0, 1.0, np.nan, np.nan, 7.0]])

    def row(f, x):
        return f(x, axis=1, nan_policy="omit")

    for f in (stats.skew, stats.gmean, stats.tmin, stats.iqr):
        found = cr.jacobian(lambda x, f=f: row(f, x))(gone)
        for k in (0, 1):
            there = ~np.isnan(gone[k])
            assert np.allclose(found[k, k][there], cr.grad(f)(gone[k][there]), rtol=1e-12)
            assert not np.any(found[k, 1 - k])
            assert not np.any(found[k, k][~there])


def test_standard_scores_without_nan():
    x = np.array([1.0, np.nan, 2.0, 5.0])
    found = cr.jacobian(lambda x: stats.zscore(x, nan_policy="omit"))(x)
    there = np.ix_([0, 2, 3], [0, 2, 3])
    assert np.allclose(found[there], cr.jacobian(stats.zscore)(x[[0, 2, 3]]), rtol=1e-12)


def test_another_value_is_refused():
    with pytest.raises(NotDifferentiableError, match=r"derivative of scipy\.stats\.gmean"):
        cr.grad(lambda x: stats.gmean(x, dtype=int))(np.array([1.2345678, 2.0]))


def test_extremes_of_describe():
    check_grads(lambda x: stats.describe(x).minmax[1] * stats.describe(x)[5], A[:, 0], order=1)
