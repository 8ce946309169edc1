"""Sine, cosine and Fresnel integrals against differences."""

import numpy as np
import pytest
from scipy import special
from tests.rules.cases import case, complex_normal, normal, rrule_of, uniform

from chainrules.tangents import Composite, Zero
from chainrules.testing import check_rule

FUNCTIONS = (special.sici, special.shichi, special.fresnel)
CASES = [
    *(case(f, uniform(2, 3)) for f in FUNCTIONS),
    *(case(f, complex_normal(3)) for f in FUNCTIONS),
    case(special.fresnel, normal(3).astype(np.float32)),
    case(special.sici, 0.7),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_the_sine_integral_at_zero_where_the_cosine_integral_has_a_pole():
    for f in (special.sici, special.shichi):
        pullback = rrule_of(f, 0.0)[1]
        assert pullback(Composite[tuple](1.0, Zero()))[0] == 1.0
        assert np.isinf(pullback(Composite[tuple](Zero(), 1.0))[0])
        assert rrule_of(f, np.zeros(2))[1](Composite[tuple](np.zeros(2), np.zeros(2)))[0].tolist() == [0, 0]
