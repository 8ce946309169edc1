"""Kelvin functions against differences, at 0 too."""

import numpy as np
import pytest
from scipy import special
from tests.rules.cases import case, uniform

from chainrules.testing import check_grads, check_rule

REGULAR = (special.ber, special.bei, special.berp, special.beip)
SINGULAR = (special.ker, special.kei, special.kerp, special.keip)
X = uniform(3, low=0.5, high=5.0)
CASES = [
    *(case(f, X) for f in (*REGULAR, *SINGULAR, special.kelvin)),
    *(case(f, np.array([-1.2, 0.0])) for f in REGULAR),
    *(case(f, 0.7) for f in (*REGULAR, *SINGULAR, special.kelvin)),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize("f", [*REGULAR, *SINGULAR])
def test_second_derivatives(f):
    check_grads(f, 1.7, order=2)
