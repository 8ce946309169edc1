"""What depends on the order of values, or on counts, alone: a step, whose derivative is 0."""

import numpy as np
import pytest
from scipy import stats
from tests.rules.cases import normal

import chainrules as cr
from chainrules import NoRuleError

X, Y = normal(9), normal(9, seed=1)
CASES: list = []


@pytest.mark.parametrize(
    "name", ["kendalltau", "spearmanr", "mannwhitneyu", "wilcoxon", "ks_2samp", "brunnermunzel"]
)
def test_steps(name):
    def with_more(x):
        return getattr(stats, name)(x, Y).statistic + x[0]

    assert np.array_equal(cr.grad(with_more)(X), np.eye(9)[0])


def test_a_smooth_argument_is_refused():
    with pytest.raises(NoRuleError, match="binomtest"):
        cr.grad(lambda p: stats.binomtest(4, 9, p).pvalue)(0.3)
