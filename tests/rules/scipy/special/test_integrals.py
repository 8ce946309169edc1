"""Sine, cosine and Fresnel integrals against differences."""

import numpy as np
import pytest
from scipy import special
from tests.rules.cases import case, complex_normal, frule_of, normal, rrule_of, uniform

from chainrules.core import NotDifferentiableError
from chainrules.tangents import Composite, Zero
from chainrules.testing import check_rule

FUNCTIONS = (special.sici, special.shichi, special.fresnel)
CASES = [
    *(case(f, uniform(2, 3)) for f in FUNCTIONS),
    *(case(f, complex_normal(3)) for f in FUNCTIONS),
    case(special.fresnel, normal(3).astype(np.float32)),
    case(special.sici, 0.7),
    *(case(f, x) for f in (special.modfresnelp, special.modfresnelm) for x in (uniform(3), 0.7)),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_the_sine_integral_at_zero_where_the_cosine_integral_has_a_pole():
    for f in (special.sici, special.shichi):
        pullback = rrule_of(f, 0.0)[1]
        assert pullback(Composite[tuple](1.0, Zero()))[0] == 1.0
        assert np.isinf(pullback(Composite[tuple](Zero(), 1.0))[0])
        assert rrule_of(f, np.zeros(2))[1](Composite[tuple](np.zeros(2), np.zeros(2)))[0].tolist() == [0, 0]


@pytest.mark.parametrize("f", [special.modfresnelp, special.modfresnelm])
def test_a_modified_fresnel_integral_keeps_its_digits_far_out(f):
    """At 10⁴, where the two parts of −2ixK − e^{−iπ/4}/√π agree to eight digits; numbers of mpmath"""
    tangent = frule_of(f, (1e4,), (1.0,))[1][1]
    assert np.real(tangent) == pytest.approx(-1.99471143192783367e-9, rel=1e-13)
    assert np.abs(np.imag(tangent)) == pytest.approx(1.99471137208649161e-9, rel=1e-13)


@pytest.mark.parametrize("f", [special.modfresnelp, special.modfresnelm])
def test_left_of_zero_only_the_second_modified_fresnel_integral_has_a_derivative(f):
    pullback = rrule_of(f, -1.3)[1]
    with pytest.raises(NotDifferentiableError, match="not that of the integral"):
        pullback(Composite[tuple](1.0, Zero()))
    by_differences = (f(-1.3 + 1e-6)[1] - f(-1.3 - 1e-6)[1]) / 2e-6
    found = [pullback(Composite[tuple](Zero(), seed))[0] for seed in (1.0, 1j)]
    assert found == pytest.approx([by_differences.real, by_differences.imag], rel=1e-8)
