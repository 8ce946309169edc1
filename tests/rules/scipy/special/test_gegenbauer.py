"""Gegenbauer functions by degree and parameter: the rules of the quadrature, and that of a whole degree."""

import pytest
from scipy import special
from tests.rules.cases import case

from chainrules.rules.scipy.special.gegenbauer import gegenbauer_by
from chainrules.rules.scipy.special.jacobi import whole
from chainrules.testing import check_rule
from chainrules.testing.declared import exempt

CASES = [
    case(gegenbauer_by, 2.3, 0.7, 0.3),
    case(gegenbauer_by, 2.3, 0.7, 0.3, i=1),
    case(gegenbauer_by, 2.3, 0.7, 0.3, j=1),
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


def test_a_whole_degree_is_an_integer():
    assert whole(3.0) == 3
