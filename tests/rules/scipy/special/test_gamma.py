"""Gamma and beta functions, binomial coefficients and factorials against differences, and at their poles."""

import math

import mpmath
import numpy as np
import pytest
from scipy import special
from tests.rules.cases import case, complex_normal, held, rrule_of, uniform

import chainrules as cr
from chainrules.rules.scipy.special.polygammas import polygamma, psi_difference
from chainrules.testing import check_rule

X, B = uniform(2, 3, low=0.3, high=3.0), uniform(3, low=0.3, high=2.0, seed=1)
ONE = (special.gamma, special.gammaln, special.loggamma, special.psi, special.rgamma)
NEGATIVE = np.array([-0.6, -1.3, -2.5])
CASES = [
    *(case(f, X) for f in ONE),
    *(case(f, NEGATIVE) for f in ONE if f is not special.loggamma),
    *(case(f, complex_normal(3)) for f in ONE if f is not special.gammaln),
    case(special.psi, np.array([-3.4 + 0.1j, 40.0 - 3.0j])),
    case(special.rgamma, np.array([0.0, -1.0, -4.0]), why="zeros"),
    case(special.gamma, X.astype(np.float32)),
    case(special.gamma, np.zeros((0, 2))),
    *(case(f, X, B) for f in (special.poch, special.beta, special.betaln, special.binom)),
    case(special.binom, 5.3, np.array([-1.0, -2.0])),
    case(special.binom, np.array([-1.5, 5.3]), np.array([2.5, 7.3]), why="zeros, and near one"),
    case(special.beta, np.array([-0.5, 0.3]), np.array([-0.5, -2.3]), why="zeros, and near one"),
    case(special.poch, -2.0, held(4.0), why="a zero"),
    case(special.poch, -3.0, held(2.0), why="two poles"),
    case(special.binom, np.array([3.0, 4.0]), np.array([4.0, 6.0]), why="zeros"),
    case(special.comb, X + 3.0, B),
    case(special.comb, X + 3.0, B, repetition=True),
    case(special.perm, X + 3.0, B),
    case(special.factorial, X),
    case(special.factorial, np.array([1.5, -0.5]), extend="complex"),
    case(special.polygamma, 2, X),
    case(special.polygamma, np.array([0, 1, 2]), X),
    case(special.multigammaln, X + 2.0, 3),
    case(polygamma, held(2), complex_normal(3)),
    case(psi_difference, X, B),
]

BINOMIAL = [  # i, j, n, k, the derivative by arguments i and j
    (0, 0, 3.0, 4.0, 0.91666666666666667),
    (0, 1, 3.0, 4.0, -0.97916666666666667),
    (1, 0, 3.0, 4.0, -0.97916666666666667),
    (1, 1, 3.0, 4.0, 1.0416666666666667),
    (0, 0, 4.0, 6.0, -0.072222222222222222),
    (0, 1, 4.0, 6.0, 0.084444444444444444),
    (1, 0, 4.0, 6.0, 0.084444444444444444),
    (1, 1, 4.0, 6.0, -0.096666666666666667),
    (0, 0, 5.3, -1.0, 0.0),
    (0, 1, 5.3, -1.0, -0.025195263290501387),
    (1, 0, 5.3, -1.0, -0.025195263290501387),
    (1, 1, 5.3, -1.0, 0.79207492080619651),
    (0, 0, 5.3, -2.0, 0.0),
    (0, 1, 5.3, -2.0, 0.0064300165275064529),
    (1, 0, 5.3, -2.0, 0.0064300165275064529),
    (1, 1, 5.3, -2.0, -0.070972920283078149),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_one_over_gamma_at_its_zeros():
    slope = cr.elementwise_grad(special.rgamma)
    np.testing.assert_allclose(slope(np.array([0.0, -1.0, -2.0, -3.0])), [1.0, -1.0, 2.0, -6.0], rtol=1e-14)
    second = cr.derivative(cr.derivative(special.rgamma))(0.0)
    assert second == pytest.approx(2 * np.euler_gamma, rel=1e-14)


def test_second_derivatives_of_binomial_coefficients_at_their_zeros():  # mpmath
    def second(i, j, n, k):
        return cr.grad(lambda *x: cr.grad(special.binom, argnums=j)(*x), argnums=i)(n, k)

    for i, j, n, k, want in BINOMIAL:
        assert second(i, j, n, k) == pytest.approx(want, rel=1e-12)


def test_gamma_has_no_derivative_at_its_poles():
    assert math.isnan(rrule_of(special.gamma, -1.0)[1](1.0)[0])
    assert rrule_of(special.gammasgn, -1.5)[0] == 1.0


def test_whole_numbers_of_whole_numbers_do_not_move():
    for f, args, y in (
        (special.comb, (5, 2), 10),
        (special.perm, (5, 2), 20),
        (special.factorial, (5,), 120),
    ):
        found, pullback = rrule_of(f, *args, exact=True)
        assert found == y
        assert not any(pullback(1.0))
    assert cr.grad(lambda x: x * special.comb(5, 2, exact=True))(3.0) == 10.0


def test_outside_their_range_combinations_do_not_move():
    assert rrule_of(special.comb, 2.0, 3.0)[1](1.0) == (0.0, 0.0)
    assert rrule_of(special.perm, 2.0, 3.0)[1](1.0) == (0.0, 0.0)
    assert rrule_of(special.factorial, -1.5)[1](1.0) == (0.0,)


def test_the_slope_of_digamma_at_many_points_is_that_at_each():
    x = np.concatenate([10 ** np.linspace(-12, 12, 190), np.linspace(0.5, 30, 60)])
    slopes = cr.grad(lambda x: np.sum(special.psi(x)))(x)
    np.testing.assert_allclose(slopes, [cr.grad(special.psi)(float(v)) for v in x], rtol=3e-15)
    some = [mpmath.psi(1, mpmath.mpf(float(v))) for v in x[::25]]
    np.testing.assert_allclose(slopes[::25], [float(v) for v in some], rtol=3e-15)
