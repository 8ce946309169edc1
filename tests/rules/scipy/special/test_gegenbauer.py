"""Gegenbauer functions by degree and parameter: the rules of the quadrature, and that of a whole degree."""

import numpy as np
import pytest
from scipy import special
from tests.rules.cases import case, held

from chainrules.rules.scipy.special.gegenbauer import gegenbauer_by
from chainrules.rules.scipy.special.jacobi import whole
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


def test_a_whole_degree_is_an_integer():
    assert whole(3.0) == 3
