"""Zeta functions by exponent and shift, against differences and known values."""

import math

import numpy as np
import pytest
from scipy import special
from tests.rules.cases import case, held, rrule_of, uniform

import chainrules as cr
from chainrules.rules.scipy.special.zeta import hurwitz, riemann, zeta_by_exponent
from chainrules.testing import check_rule

S, Q = uniform(2, 3, low=1.5, high=6.0), uniform(3, low=0.2, high=9.0)
CASES = [
    case(special.zeta, S, Q),
    case(special.zeta, S),
    case(special.zeta, np.array([0.5, -0.3, -3.7, -20.2])),
    case(special.zeta, np.array([0.5 + 3j, 2.0 - 30j, -2.0 + 1j])),
    case(special.zetac, np.array([0.5, 3.0, -3.7])),
    case(riemann, 3.0),
    case(hurwitz, 3.0, 0.5),
    case(zeta_by_exponent, S, Q, held(2)),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_known_slopes_of_riemanns():
    slope = cr.derivative(special.zeta)
    assert slope(0.0) == pytest.approx(-math.log(2 * math.pi) / 2, rel=1e-13)
    assert slope(-2.0) == pytest.approx(-special.zeta(3.0) / (4 * math.pi**2), rel=1e-13)
    assert math.isnan(rrule_of(special.zeta, 1.0)[1](1.0)[0])
