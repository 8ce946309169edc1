"""The normal distribution function, its logarithm and inverses against differences, and in the tails."""

import numpy as np
import pytest
from scipy import special
from tests.rules.cases import case, complex_normal, normal, rrule_of, uniform

from chainrules.testing import check_rule

P = uniform(3, low=0.55)
CASES = [
    case(special.ndtr, normal(2, 3)),
    case(special.ndtr, complex_normal(3)),
    case(special.ndtri, uniform(3)),
    case(special.log_ndtr, np.array([-30.0, -1.0, 0.0, 2.0])),
    case(special.log_ndtr, complex_normal(3)),
    case(special.ndtri_exp, np.array([-300.0, -1.0, -0.1])),
    case(special.nrdtrimn, P, 2.0, normal(2, 3)),
    case(special.nrdtrisd, 0.3, P, 2.0),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_the_quantile_at_its_ends():
    assert rrule_of(special.ndtri, 0.0)[1](1.0) == (np.inf,)
    assert rrule_of(special.ndtri, 1.0)[1](0.0) == (0.0,)
