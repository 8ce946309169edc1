"""Tests of several samples, of tables, of p-values."""

import numpy as np
import pytest
from scipy import stats
from tests.rules.cases import case, constant, held, normal, uniform

import chainrules as cr
from chainrules import UnsupportedArgument
from chainrules.testing import check_grads, check_rule

A, B, WIDE = normal(12) + 0.3, normal(9, seed=1), normal(5, 7, seed=3)
P, W = uniform(2, 6, low=0.05, high=0.9), uniform(2, 6, seed=1)
TABLE = np.array([[10.0, 12, 7], [14, 9, 20]])
CASES = [
    case(stats.alexandergovern, A, B, 2.0 * A[:6]),
    case(stats.alexandergovern, WIDE, normal(6, 7)),
    case(stats.ttest_ind_from_stats, 0.3, 1.2, held(9), 0.9, 0.7, held(12), equal_var=False),
    case(stats.ttest_ind_from_stats, 0.3, 1.2, held(9), 0.9, 0.7, held(12), alternative="less"),
    case(stats.pointbiserialr, constant(A > 0), A),
    case(stats.epps_singleton_2samp, A, B, np.array([0.3, 0.5])),
    case(stats.epps_singleton_2samp, WIDE, normal(5, 8, seed=9), axis=1),
    *(
        case(stats.combine_pvalues, P, method=m, axis=1)
        for m in ("fisher", "pearson", "mudholkar_george", "tippett", "stouffer")
    ),
    case(stats.combine_pvalues, P[0], method="stouffer", weights=W[0]),
    case(stats.false_discovery_control, P, axis=1),
    case(stats.false_discovery_control, P, axis=None, method="by"),
    case(stats.obrientransform, A[:6], B[:6]),
    case(stats.chi2_contingency, TABLE),
    case(stats.chi2_contingency, TABLE, lambda_="log-likelihood"),
    case(stats.chi2_contingency, TABLE[:, :2], why="corrected"),
    case(stats.chi2_contingency, TABLE[:, :2], correction=False),
    case(stats.contingency.expected_freq, np.stack([TABLE, TABLE**1.1])),
    case(stats.contingency.margins, TABLE),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_weights_move():
    check_grads(lambda p, w: stats.combine_pvalues(p, "stouffer", weights=w, axis=1)[1], P, W, order=1)


def test_samples_of_several_lengths_are_refused():
    with pytest.raises(UnsupportedArgument, match="transform each sample on its own"):
        cr.grad(lambda x: stats.obrientransform(x, B)[0].sum())(A)


def test_a_table_without_freedom_does_not_move():
    y = cr.grad(lambda t: stats.chi2_contingency(t).expected_freq.sum())(TABLE[:1])
    assert np.allclose(y, 1.0)
