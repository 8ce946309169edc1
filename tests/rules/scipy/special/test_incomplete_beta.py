"""Incomplete beta functions, their distributions and inverses, against differences and at their ends."""

import numpy as np
import pytest
from scipy import special
from tests.rules.cases import case, held, rrule_of, uniform

import chainrules as cr
from chainrules.core import NotDifferentiableError
from chainrules.rules.scipy.special.beta_by_parameters import beta_by, beta_density
from chainrules.rules.scipy.special.incomplete_beta import binomial, negative_binomial
from chainrules.testing import check_grads, check_rule, exempt

A, B = np.array([0.4, 2.0, 30.0]), np.array([1.3, 0.6, 20.0])
X, P = np.array([[0.2, 0.9, 0.55], [0.7, 0.5, 0.65]]), uniform(3)
K, N = np.array([0.0, 2.0, 5.0]), np.array([3, 6, 9])
CASES = [
    *(case(f, A, B, X) for f in (special.betainc, special.betaincc, special.fdtr, special.fdtrc)),
    *(case(f, A[1:], B[1:], P[1:]) for f in (special.betaincinv, special.betainccinv, special.fdtri)),
    case(special.betainc, 2.0, 0.5, 0.3),
    case(special.betainc, A.astype(np.float32), B.astype(np.float32), X.astype(np.float32)),
    case(special.btdtria, P, 2.0, 0.4),
    case(special.btdtrib, 2.0, P, 0.4),
    case(special.fdtridfd, 2.0, np.array([0.5, 0.55]), 1.3),
    *(case(f, held(K), held(N), X) for f in (special.bdtr, special.bdtrc, special.nbdtr, special.nbdtrc)),
    case(special.bdtri, held(K), held(N), P),
    case(special.nbdtri, held(K.astype(int)), held(N), P),
    case(special.bdtrik, P, 9.0, 0.4),
    case(special.bdtrin, 2.0, P, 0.4),
    case(special.nbdtrik, P, 9.0, 0.4),
    case(special.nbdtrin, 2.0, P, 0.4),
    case(binomial, 2.5, 7.3, P),
    case(negative_binomial, 2.5, 7.3, P),
]
TOGETHER = "x and 1 - x move together, as they do in betainc, whose cases go through it"
EXEMPT = [exempt(beta_density, why=TOGETHER), exempt(beta_by, why=TOGETHER)]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_second_order_by_all_arguments():
    check_grads(special.betainc, 2.0, 0.5, 0.3)


def test_ends():
    assert rrule_of(special.betainc, 2.0, 3.0, 0.0)[1](1.0) == (0.0, 0.0, 0.0)
    assert rrule_of(special.betainc, 1.0, 3.0, 0.0)[1](1.0)[2] == pytest.approx(3.0, rel=1e-14)
    assert rrule_of(special.betainc, 0.5, 3.0, 0.0)[1](1.0)[2] == np.inf
    assert rrule_of(special.betainc, 0.5, 3.0, 0.0)[1](0.0)[2] == 0.0
    assert rrule_of(special.betainc, 2.0, 3.0, 1.0)[1](1.0) == (0.0, 0.0, 0.0)


def test_a_certain_number_of_successes_does_not_depend_on_the_probability():
    assert rrule_of(special.bdtr, 3.0, 3, 0.4)[1](1.0)[2] == 0.0


def test_many_degrees_of_freedom_are_refused():
    with pytest.raises(NotDifferentiableError, match="F distribution by dfd"):
        cr.grad(lambda n: special.fdtr(3.0, n, 1.0))(1e5)
    assert np.isfinite(cr.grad(lambda m: special.fdtr(m, 1e5, 1.0))(3.0))


def test_whole_numbers_have_no_derivative_here():
    with pytest.raises(cr.NoRuleError, match="whole number"):
        cr.grad(lambda n: special.nbdtr(2, n, 0.3))(4.0)
