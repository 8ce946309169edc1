"""The noncentral χ² distribution and its inverses against differences."""

import numpy as np
import pytest
from scipy import special
from tests.rules.cases import case, held, rrule_of

import chainrules as cr
from chainrules.core import NotDifferentiableError
from chainrules.rules.scipy.special.noncentral import chi_by_freedom, chi_density, chi_density_by_freedom
from chainrules.testing import check_rule

X, K, C = np.array([0.7, 4.0, 30.0]), np.array([1.5, 3.0, 11.0]), np.array([0.4, 2.5, 20.0])
CASES = [
    case(special.chndtr, X, K, C),
    case(special.chndtrix, 0.4, 3.0, 2.0),
    case(special.chndtridf, 4.0, 0.4, 2.0),
    case(special.chndtrinc, 4.0, 3.0, 0.4),
    case(chi_density, X, K, C),
    case(chi_by_freedom, X, K, C, held(1)),
    case(chi_density_by_freedom, X, K, C, held(1)),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_without_noncentrality_it_is_the_central_one():
    got = rrule_of(special.chndtr, 4.0, 3.0, 0.0)[1](1.0)
    want = rrule_of(special.chdtr, 3.0, 4.0)[1](1.0)
    assert got[0] == pytest.approx(want[1], rel=1e-14)
    assert got[1] == pytest.approx(want[0], rel=1e-13)


def test_too_large_a_noncentrality_is_refused():
    with pytest.raises(NotDifferentiableError, match="mixture"):
        cr.grad(lambda c: special.chndtr(3e4, 3.0, c))(3e4)


@pytest.mark.parametrize(  # mpmath, at 60 digits
    ("x", "k", "c", "by_freedom", "by_noncentrality"),
    [
        (27.0, 0.5, 0.1, -4.176016381247063e-7, -2.2432927638378638e-6),
        (0.0625, 12.0, 3.0, -7.5530466919243329e-13, -1.4080926079542612e-13),
        (1500.0, 40.0, 900.0, -2.0392506314789876e-17, -2.3027920765685965e-17),
        (700.0, 600.0, 150.0, -0.004727698112092148, -0.0045929494175372263),
    ],
)
def test_the_tails_keep_their_digits(x, k, c, by_freedom, by_noncentrality):
    found = rrule_of(special.chndtr, x, k, c)[1](1.0)
    assert found[1] == pytest.approx(by_freedom, rel=1e-11)
    assert found[2] == pytest.approx(by_noncentrality, rel=1e-11)


def test_no_noncentrality_and_the_edge():
    assert chi_density(0.0, 2.0, 1.0) == pytest.approx(0.5 * np.exp(-0.5), rel=1e-14)
    assert chi_by_freedom(0.0, 2.0, 1.0, 1) == 0.0
    np.testing.assert_array_equal(chi_by_freedom(np.array([]), 2.0, 1.0, 1), [])
