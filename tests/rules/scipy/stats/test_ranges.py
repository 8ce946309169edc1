"""Medians, intervals and supports."""

import numpy as np
import pytest
from scipy import stats
from tests.rules.cases import case

import chainrules as cr
from chainrules.testing import check_grads, check_rule

FROZEN = stats.gamma(1.7, scale=1.3)
CASES = [
    case(stats.gamma.median, 1.7, 0.1, 1.3),
    case(stats.gamma.interval, 0.8, 1.7, 0.1, 1.3),
    case(stats.truncnorm.support, -1.0, 2.0, 0.1, 1.3),
    case(stats.uniform.support, 0.1, 1.3),
    case(FROZEN.median),
    case(FROZEN.interval, 0.8),
    case(stats.uniform(0.1, 1.3).support),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_an_infinite_end_does_not_move_with_the_scale():
    assert cr.grad(lambda s: stats.expon.support(0.0, s)[0] + 0.0 * s)(2.0) == 0.0
    assert cr.grad(lambda c: stats.genpareto.support(c)[1])(-0.5) == 4.0


def test_frozen_ones_move_with_what_they_hold():
    check_grads(lambda a, s: stats.gamma(a, scale=s).median(), 1.7, 1.3)
    check_grads(lambda a, s: np.sum(np.stack(stats.gamma(a, scale=s).interval(0.9))), 1.7, 1.3)
