"""Tests of fit, by the sample and by the parameters of the distribution."""

import pytest
from scipy import stats
from tests.rules.cases import case, normal

import chainrules as cr
from chainrules import NotDifferentiableError
from chainrules.testing import check_grads, check_rule

A, WIDE = normal(14) + 0.3, normal(5, 7, seed=3)
CASES = [
    *(
        case(stats.ks_1samp, A, stats.norm.cdf, (0.2, 1.3), alternative=side, method=m)
        for side in ("two-sided", "less", "greater")
        for m in ("auto", "asymp", "approx")
    ),
    case(stats.ks_1samp, WIDE, stats.norm.cdf, axis=1),
    case(stats.ks_1samp, A + 2.0, stats.norm.cdf, why="far away"),
    case(stats.kstest, A, "norm", (0.2,)),
    case(stats.cramervonmises, A, "norm", (0.2,)),
    case(stats.cramervonmises, WIDE, stats.norm.cdf, axis=1),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_a_distribution_that_captures():
    def p(x, scale):
        return stats.ks_1samp(x, lambda z: stats.norm.cdf(z, scale=scale)).pvalue

    check_grads(p, A, 1.4, order=1)


def test_a_distribution_that_captures_by_any_test():
    def p(scale):
        def cdf(z):
            return stats.norm.cdf(z, scale=scale)

        return stats.kstest(A, cdf).pvalue + stats.cramervonmises(A, cdf).pvalue

    check_grads(p, 1.4, order=1)


def test_two_samples_are_refused():
    with pytest.raises(NotDifferentiableError, match="of two samples depends on their order"):
        cr.grad(lambda x: stats.kstest(x, A).statistic)(A)
