"""Counts, angles, trimmed means, cumulants and the likelihood of a power transform."""

import numpy as np
import pytest
from scipy import stats
from tests.rules.cases import case, normal, uniform

from chainrules.testing import check_grads, check_rule

COUNTS, EXPECTED = np.array([16.0, 18.0, 12.0, 14.0]), np.array([15.0, 16.0, 15.0, 14.0])
A, ANGLES = uniform(5, 2, low=0.5, high=2.0), uniform(6, low=-0.7, high=2.0)
CASES = [
    case(stats.chisquare, COUNTS, EXPECTED, sum_check=False),
    case(stats.chisquare, COUNTS, ddof=1),
    *(
        case(stats.power_divergence, COUNTS, lambda_=power)
        for power in ("log-likelihood", "mod-log-likelihood", "cressie-read", 0.4)
    ),
    *(case(stats.levene, normal(5), normal(7, seed=1), center=c) for c in ("median", "mean")),
    *(case(stats.kstat, A, axis=0, n=n) for n in (1, 2, 3, 4)),
    case(stats.trim_mean, A, proportiontocut=0.2),
    *(case(f, ANGLES) for f in (stats.circmean, stats.circvar, stats.circstd)),
    case(stats.circmean, ANGLES, high=180, low=-180),
    case(stats.circstd, ANGLES, high=3, low=-3, normalize=True),
    *(case(stats.kstatvar, A, axis=0, n=n) for n in (1, 2)),
    case(stats.boxcox_llf, 0.3, A),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_second_order():
    check_grads(lambda p, a: stats.boxcox_llf(p, a), 0.3, A[:, 0], order=2)
