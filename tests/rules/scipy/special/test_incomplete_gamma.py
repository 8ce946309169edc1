"""Incomplete gamma functions, their distributions and inverses, against differences and at their ends."""

import numpy as np
import pytest
from scipy import special
from tests.rules.cases import case, held, rrule_of, uniform

import chainrules as cr
from chainrules.rules.scipy.special.gamma_by_parameter import gamma_by, gamma_density
from chainrules.rules.scipy.special.incomplete_gamma import poisson
from chainrules.testing import check_rule

A, X = np.array([0.3, 2.0, 40.0]), np.array([[0.2, 3.0, 38.0], [1.0, 1.4, 55.0]])
P = uniform(3)
CASES = [
    *(case(f, A, X) for f in (special.gammainc, special.gammaincc, special.chdtr, special.chdtrc, poisson)),
    *(case(f, A, P) for f in (special.gammaincinv, special.gammainccinv, special.chdtri)),
    case(special.pdtrik, P, 3.0),
    case(special.chdtriv, P, 3.0),
    case(special.gammainc, A.astype(np.float32), X.astype(np.float32)),
    case(special.gammainc, 0.5, 0.7),
    case(special.gammainc, np.zeros((0, 3)) + 1.0, A),
    case(special.gdtr, 0.7, A, X),
    case(special.gdtrc, 0.7, A, X),
    case(special.gdtria, P, 3.0, 2.0),
    case(special.gdtrib, 0.7, P, 2.0),
    case(special.gdtrix, 0.7, 3.0, P),
    case(special.pdtr, held(np.array([0.0, 2.5, 7.0])), X),
    case(special.pdtrc, held(np.array([0.0, 2.5, 7.0])), X),
    case(special.pdtri, held(np.array([0, 2, 7])), P),
    case(gamma_density, A, X),
    case(gamma_by, A, X, held(1)),
    case(gamma_by, A, X, held(2)),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_at_zero():
    assert rrule_of(special.gammainc, 1.0, 0.0)[1](1.0) == (0.0, 1.0)
    assert rrule_of(special.gammainc, 2.0, 0.0)[1](1.0) == (0.0, 0.0)
    assert rrule_of(special.gammainc, 0.5, 0.0)[1](1.0) == (0.0, np.inf)
    assert rrule_of(special.gammainc, 0.5, 0.0)[1](0.0) == (0.0, 0.0)


def test_outside_there_is_no_derivative():
    assert all(np.isnan(v) for v in rrule_of(special.gammainc, -1.0, 2.0)[1](1.0))
    assert all(np.isnan(v) for v in rrule_of(special.gammainc, np.nan, 2.0)[1](1.0))
    assert rrule_of(special.gammainc, 2.0, np.inf)[1](1.0) == (0.0, 0.0)


def test_the_whole_part_is_a_step():
    assert rrule_of(special.pdtr, 2.5, 1.3)[1](1.0)[0] == 0.0


def test_any_order_by_the_parameter():
    third = cr.derivative(cr.derivative(cr.derivative(lambda a: special.gammainc(a, 2.0))))(3.0)
    assert third == pytest.approx(gamma_by(3.0, 2.0, 3), rel=1e-12)
    slope = cr.derivative(lambda a: gamma_by(a, 2.0, 2))
    h = 1e-5
    assert third == pytest.approx((gamma_by(3 + h, 2.0, 2) - gamma_by(3 - h, 2.0, 2)) / (2 * h), rel=1e-7)
    assert slope(3.0) == pytest.approx(third, rel=1e-12)


@pytest.mark.parametrize("f", [special.gammaincinv, special.gammainccinv])
@pytest.mark.parametrize("a", [0.5, 1.0, 2.0, 30.0])
def test_the_lower_end_does_not_move_with_the_parameter(f, a):
    p = 0.0 if f is special.gammaincinv else 1.0
    assert rrule_of(f, a, p)[1](1.0)[0] == 0.0
