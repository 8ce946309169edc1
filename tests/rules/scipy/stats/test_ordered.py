"""Quantiles, L-moments and entropies of sorted samples."""

import numpy as np
import pytest
from scipy import stats
from tests.rules.cases import case, held, normal

import chainrules as cr
from chainrules import UnsupportedArgument
from chainrules.rules.scipy.stats.ordered import OFFSETS, ROUNDED
from chainrules.testing import check_grads, check_rule

A, P = normal(5, 7, seed=3), np.array([[0.13, 0.52, 0.9]])
CASES = [
    *(case(stats.quantile, A, P, method=m, axis=1) for m in (*OFFSETS, "harrell-davis")),
    *(case(stats.quantile, A, held(P), method=m, axis=1) for m in ROUNDED),
    case(stats.quantile, A, 0.33),
    case(stats.quantile, A, 0.33, axis=None, keepdims=True),
    case(stats.iqr, A, axis=1, scale="normal", rng=(20, 70), interpolation="midpoint"),
    case(stats.iqr, A, axis=(0, 1), keepdims=True),
    case(stats.median_abs_deviation, A, axis=1, center=np.mean, scale="normal"),
    case(stats.scoreatpercentile, A, 30.0),
    case(stats.scoreatpercentile, A, np.array([30.0, 42.0]), axis=1),
    case(stats.scoreatpercentile, A, np.array([30.0, 42.0]), limit=(-1, 1)),
    case(stats.scoreatpercentile, A, held(30.0), interpolation_method="lower", axis=0),
    case(stats.lmoment, A, axis=1),
    case(stats.lmoment, A, order=3, axis=1, standardize=False),
    case(stats.lmoment, A, order=[1, 4, 2]),
    *(
        case(stats.differential_entropy, A, axis=1, method=m, base=2)
        for m in ("vasicek", "van es", "correa", "ebrahimi", "auto")
    ),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_agrees_with_numpy():
    x, p = A[0], np.array([0.2, 0.7])
    ours = cr.jacobian(lambda x: stats.quantile(x, p))(x)
    assert np.allclose(ours, cr.jacobian(lambda x: np.quantile(x, p))(x), rtol=1e-13)


def test_at_an_entry_the_line_that_scipy_takes():
    x = np.array([1.0, 2.0, 4.0])
    assert cr.grad(lambda p: stats.quantile(x, p))(0.5) == 4.0


def test_weights_are_refused():
    with pytest.raises(UnsupportedArgument, match="weights"):
        cr.grad(lambda x: stats.quantile(x, 0.3, method="hazen", weights=np.ones(7)))(A[0])


def test_second_order():
    check_grads(stats.differential_entropy, A[0], order=2)
