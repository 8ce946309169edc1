"""The noncentral χ² distribution and its inverses against differences."""

import numpy as np
import pytest
from scipy import special
from tests.rules.cases import case, held, rrule_of

import chainrules as cr
from chainrules.core import NotDifferentiableError
from chainrules.rules.scipy.special.noncentral import chi_by_freedom, chi_density, chi_density_by_freedom
from chainrules.testing import check_rule, exempt

X, K, C = np.array([0.7, 4.0, 30.0]), np.array([1.5, 3.0, 11.0]), np.array([0.4, 2.5, 20.0])
CASES = [
    case(special.chndtr, X, K, C),
    case(special.chndtrix, 0.4, 3.0, 2.0),
    case(special.chndtridf, 4.0, 0.4, 2.0),
    case(special.chndtrinc, 4.0, 3.0, 0.4),
    case(chi_density, X, K, C),
    case(chi_by_freedom, X, K, C, held(1)),
]
EXEMPT = [
    exempt(chi_density_by_freedom, why="its own derivatives, the third of the distribution, are refused")
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_without_noncentrality_it_is_the_central_one():
    got = rrule_of(special.chndtr, 4.0, 3.0, 0.0)[1](1.0)
    want = rrule_of(special.chdtr, 3.0, 4.0)[1](1.0)
    assert got[0] == pytest.approx(want[1], rel=1e-14)
    assert got[1] == pytest.approx(want[0], rel=1e-14)


def test_too_large_a_noncentrality_is_refused():
    with pytest.raises(NotDifferentiableError, match="mixture"):
        cr.grad(lambda c: special.chndtr(3e4, 3.0, c))(3e4)
