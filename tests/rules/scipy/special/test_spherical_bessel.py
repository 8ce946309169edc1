"""Spherical Bessel functions and their kin against differences, at 0 too."""

import numpy as np
import pytest
from scipy import special
from tests.rules.cases import case, complex_normal, constant, held, rrule_of, uniform

from chainrules.tangents import Composite
from chainrules.testing import check_grads, check_rule

FUNCTIONS = (special.spherical_jn, special.spherical_yn, special.spherical_in, special.spherical_kn)
X = uniform(3, low=0.5, high=6.0)
ORDERS = constant(np.array([[0], [1], [4]]))
CASES = [
    *(case(f, ORDERS, X) for f in FUNCTIONS),
    *(case(f, ORDERS, X, derivative=True) for f in FUNCTIONS),
    *(case(f, constant(2), complex_normal(3)) for f in FUNCTIONS),
    *(case(f, constant(2), np.zeros(1)) for f in (special.spherical_jn, special.spherical_in)),
    *(case(f, constant(2), 1.3) for f in (special.riccati_jn, special.riccati_yn)),
    case(special.lmbda, held(2.3), 1.7),
    case(special.lmbda, held(0), 1.7),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_second_derivatives():
    for f in FUNCTIONS:
        check_grads(lambda z, f=f: f(2, z), 1.7, order=2)


def test_the_riccati_functions_at_zero():
    seed = Composite[tuple](np.zeros(3), np.ones(3))
    _, x_bar = rrule_of(special.riccati_jn, 2, 0.0)[1](seed)
    assert x_bar == pytest.approx(2 / 3)  # of S₁ = x²/3 + …
