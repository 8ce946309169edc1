"""Tests of samples: statistics and p-values, by position and by name."""

import numpy as np
import pytest
from scipy import stats
from tests.rules.cases import case, normal

import chainrules as cr
from chainrules import NoRuleError
from chainrules.core.callables import attribute
from chainrules.rules.scipy.stats.bunches import BUNCHES
from chainrules.testing import check_grads, check_rule, exempt

A, B, C, LONG = normal(9) + 0.4, normal(7, seed=1), normal(9, seed=2), normal(22, seed=3)
CASES = [
    case(stats.ttest_1samp, normal(5, 2), popmean=0.3),
    case(stats.ttest_1samp, A, popmean=0.3, alternative="less"),
    case(stats.ttest_ind, A, B),
    case(stats.ttest_ind, A, B, equal_var=False, alternative="greater"),
    case(stats.ttest_rel, A, C),
    case(stats.f_oneway, A, B, C),
    case(stats.bartlett, A, B, C),
    case(stats.pearsonr, A, C),
    case(stats.pearsonr, A, C, alternative="less"),
    case(stats.linregress, A, C),
    *(case(f, LONG) for f in (stats.skewtest, stats.kurtosistest, stats.normaltest, stats.jarque_bera)),
    case(stats.skewtest, LONG, alternative="less"),
]

FIELDS = sorted({name for P in BUNCHES for name in P._fields} | {"correlation"})
EXEMPT = [
    exempt(attribute(name), why="a field of a result, whose differences are those of what made it")
    for name in FIELDS
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_second_order():
    check_grads(lambda a: stats.jarque_bera(a)[0], A, order=2)


def test_fields_by_name():
    def named(a, c):
        fit = stats.linregress(a, c)
        return stats.pearsonr(a, c).correlation + stats.ttest_rel(a, c).statistic * fit.slope

    def placed(a, c):
        return stats.pearsonr(a, c)[0] + stats.ttest_rel(a, c)[0] * stats.linregress(a, c)[0]

    check_grads(named, A, C, order=1)
    assert np.allclose(cr.grad(named)(A, C), cr.grad(placed)(A, C), rtol=1e-13)


def test_other_fields_are_refused():
    with pytest.raises(NoRuleError):
        cr.grad(lambda a: stats.linregress(a, C).intercept_stderr)(A)
    with pytest.raises(NoRuleError):
        cr.grad(lambda a: stats.ttest_ind(a, B, equal_var=False).df)(A)


def test_a_statistic_of_zero_has_a_corner():
    assert np.isfinite(cr.grad(lambda a: stats.ttest_1samp(a, 0.0).pvalue)(np.array([-1.0, 0.0, 1.0]))).all()


@pytest.mark.parametrize("axis", [0, 1])
def test_results_of_several_samples_to_second_order(axis):
    x = normal(3, 4)
    check_grads(lambda x: stats.ttest_1samp(x, 0.3, axis=axis), x, order=1 + axis)
    check_grads(lambda x: stats.ks_1samp(x, stats.norm.cdf, axis=axis), x, order=1 + axis)
