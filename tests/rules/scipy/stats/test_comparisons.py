"""Multiple comparisons of means."""

import numpy as np
import pytest
from scipy import stats
from tests.rules.cases import case, normal

import chainrules as cr
from chainrules.rules.scipy.stats.comparisons import dunnett_tail, range_tail
from chainrules.testing import check_grads, check_rule, exempt

A, B, C = normal(9) + 0.3, normal(7, seed=1), 1.3 * normal(8, seed=2)
CASES = [case(stats.tukey_hsd, A, B, C), case(stats.tukey_hsd, A, B, equal_var=False)]
EXEMPT = [exempt(stats.dunnett, why="random p-values: checked below beside what they estimate")]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_dunnett(alternative):
    def statistic(a, b, c):
        return np.sum(
            stats.dunnett(a, b, control=c, alternative=alternative, rng=1).statistic * np.array([1, 2])
        )

    check_grads(statistic, A, B, C, order=1)
    found = stats.dunnett(A, B, control=C, alternative=alternative, rng=1)
    shares = 1.0 / np.sqrt(8 / np.array([9.0, 7.0]) + 1.0)
    assert np.allclose(dunnett_tail(found.statistic, shares, 21.0, alternative), found.pvalue, atol=2e-4)
    check_grads(lambda t: dunnett_tail(t, shares, 21.0, alternative), found.statistic, order=1)


def test_against_one_control_it_is_a_t_test():
    ours = cr.grad(lambda a: stats.dunnett(a, control=C, rng=1).pvalue[0])(A)
    assert np.allclose(ours, cr.grad(lambda a: stats.ttest_ind(a, C).pvalue)(A), rtol=1e-10)


def test_the_range_of_two_is_a_t_test():
    t = 1.7
    assert np.isclose(range_tail(t * np.sqrt(2.0), 2, 7.0), 2.0 * stats.t.sf(t, 7.0), rtol=1e-12)
