"""What lies within limits, and samples without their ends."""

import numpy as np
import pytest
from scipy import stats
from tests.rules.cases import case, normal

import chainrules as cr
from chainrules.testing import check_grads, check_rule

A, LIMITS = normal(5, 7, seed=3), (-0.5, 1.1)
CASES = [
    *(case(f, A, limits=LIMITS, axis=1) for f in (stats.tmean, stats.tvar, stats.tstd, stats.tsem)),
    case(stats.tmean, A, limits=(None, 1.1), keepdims=True),
    case(stats.tmin, A, lowerlimit=-0.7, axis=1),
    case(stats.tmax, A, upperlimit=0.7),
    case(stats.trim_mean, A, proportiontocut=0.2),
    case(stats.trimboth, A, proportiontocut=0.2, axis=1),
    case(stats.trim1, A, proportiontocut=0.2, axis=None),
    case(stats.trim1, A, proportiontocut=0.2, tail="left"),
    case(stats.sigmaclip, A, 1.5, 1.7),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_an_excluded_limit():
    x = np.array([1.0, 2.0, 4.0])
    assert np.array_equal(cr.grad(lambda x: stats.tmean(x, (1.0, None), (False, True)))(x), [0.0, 0.5, 0.5])
    assert np.array_equal(cr.grad(lambda x: stats.tmin(x, 1.0, inclusive=False))(x), [0.0, 1.0, 0.0])


def test_a_row():
    check_grads(lambda x: stats.tvar(x, LIMITS), A[0], order=2)
