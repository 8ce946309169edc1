"""Exponentials and logarithms near zero, and in other bases, against differences."""

import math

import numpy as np
import pytest
from scipy import special
from tests.rules.cases import case, complex_normal, normal, rrule_of, uniform

from chainrules.testing import check_rule

CASES = [
    *(case(f, normal(2, 3)) for f in (special.expm1, special.exp2, special.exp10)),
    *(case(f, uniform(3)) for f in (special.log1p, special.cbrt)),
    *(case(f, complex_normal(3)) for f in (special.expm1, special.log1p)),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_infinite_slopes_meet_no_zero_cotangent():
    with np.errstate(divide="ignore"):
        for f, x in ((special.log1p, -1.0), (special.cbrt, 0.0)):
            pullback = rrule_of(f, x)[1]
            assert pullback(1.0) == (math.inf,)
            assert pullback(0.0)[0] == 0.0
