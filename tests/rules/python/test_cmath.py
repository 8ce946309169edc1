"""Functions of cmath, at real and complex points."""

import cmath

import pytest
from tests.rules.cases import case, rrule_of

from chainrules.testing import check_rule

POINTS = (0.4 + 0.3j, -0.6 - 1.2j, 0.3)
FUNCTIONS = (
    *(cmath.exp, cmath.sqrt, cmath.log, cmath.log10, cmath.sin, cmath.cos, cmath.tan, cmath.asin, cmath.acos),
    *(cmath.atan, cmath.sinh, cmath.cosh, cmath.tanh, cmath.asinh, cmath.acosh, cmath.atanh, cmath.phase),
    cmath.polar,
)
CASES = [
    *(case(f, z) for f in FUNCTIONS for z in POINTS),
    case(cmath.log, 0.4 + 0.3j, 2.0 - 1j),
    case(cmath.rect, 2.0, 0.7),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize("f", [cmath.phase, cmath.polar])
def test_zero_has_derivative_zero(f):
    _, pullback = rrule_of(f, 0j)
    assert pullback((1.0, 1.0) if f is cmath.polar else 1.0)[0] == 0
