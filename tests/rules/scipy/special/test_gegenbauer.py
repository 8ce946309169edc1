"""Gegenbauer functions by degree and parameter: the rules of the quadrature, and that of a whole degree."""

import mpmath
import numpy as np
import pytest
from scipy import special
from tests.rules.cases import case, held

from chainrules.rules.scipy.special.gegenbauer import _one, gegenbauer_by
from chainrules.rules.scipy.special.jacobi import whole
from chainrules.rules.scipy.special.legendre_by_degree import legendre_by_degree
from chainrules.testing import check_rule
from chainrules.testing.declared import exempt

CASES = [
    case(gegenbauer_by, 2.3, 0.7, 0.3),
    case(gegenbauer_by, 2.3, 0.7, 0.3, i=1),
    case(gegenbauer_by, 2.3, 0.7, 0.3, j=1),
    case(gegenbauer_by, held(4), 0.7, 0.3, j=1),
    case(gegenbauer_by, 0.0, 0.2, 0.3, i=1, j=1),
]
EXEMPT = [exempt(whole, why="it passes whole degrees on, whose derivative is missing")]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize("x", [-0.99, -0.3, 0.0, 0.7, 1.0, 4.0])
def test_the_values_are_those_of_scipy(x):
    for n, lam in ((0, 0.3), (3, 0.5), (8, 2.2)):
        assert gegenbauer_by(n, lam, x) == pytest.approx(
            special.eval_gegenbauer(n, lam, x), rel=1e-11, abs=1e-14
        )


@pytest.mark.parametrize("x", [-3.0, -1.0, -0.3, 0.4, 1.0, 2.5])
def test_by_the_parameter_at_a_whole_degree(x):
    def cubic(lam):  # C_3 = (4/3) λ(λ+1)(λ+2) x³ − 2 λ(λ+1) x
        p, q = np.polynomial.Polynomial([0.0, 2.0, 3.0, 1.0]), np.polynomial.Polynomial([0.0, 1.0, 1.0])
        return (4 / 3 * x**3 * p.deriv() - 2 * x * q.deriv())(lam)

    for lam in (-2.5, -0.5, 0.0, 0.7, 9.0):
        assert gegenbauer_by(3, lam, x, j=1) == pytest.approx(cubic(lam), rel=1e-13, abs=1e-14)


def test_a_high_degree_by_the_parameter():
    assert gegenbauer_by(50, 10.0, 0.3, j=1) == pytest.approx(-93544306.016552281, rel=1e-12)  # mpmath


def test_by_the_parameter_both_ways_agree():
    whole, near = gegenbauer_by(6, 1.3, 0.4, j=2), gegenbauer_by(6 + 1e-13, 1.3, 0.4, j=2)
    assert whole == pytest.approx(near, rel=1e-10)


def test_a_whole_degree_is_a_natural_number():
    assert whole(3.0) and whole(np.array([0, 3]))
    assert not whole(2.5) and not whole(-1.0)


@pytest.mark.parametrize("i", [1, 2, 3])
def test_legendre_by_degree_at_many_points_is_gegenbauers_integral(i):
    rng = np.random.default_rng(i)
    nu, x = np.append(rng.uniform(-3, 12, 30), 700.3), np.append(rng.uniform(-0.98, 1.0, 30), -0.979)
    found = legendre_by_degree(nu, x, i)
    expected = [_one(float(v), 0.5, t, i, 0) for v, t in zip(nu, x, strict=True)]
    np.testing.assert_allclose(found, expected, rtol=1e-10)
    assert legendre_by_degree(nu[:1], np.ones(1), i) == 0


@pytest.mark.parametrize(("nu", "x"), [(0.3, 0.7), (6.4, -0.9), (41.7, 0.2), (41.7, -0.97), (-2.6, 0.999)])
def test_legendre_by_degree_by_mpmath(nu, x):
    with mpmath.workdps(40):
        slope = mpmath.diff(lambda v: mpmath.hyp2f1(-v, v + 1, 1, (1 - mpmath.mpf(x)) / 2), mpmath.mpf(nu))
    assert gegenbauer_by(nu, 0.5, x, i=1) == pytest.approx(float(slope), rel=1e-12)
