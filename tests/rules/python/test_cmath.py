"""Functions of cmath, at real and complex points."""

import cmath

import numpy as np
import pytest
from tests.rules.cases import case, frule_of, rrule_of

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


@pytest.mark.parametrize("z", [2 + 0j, complex(2, -0.0), -2 + 0j, complex(-2, -0.0), 2.0, -2.0])
@pytest.mark.parametrize("name", ["asin", "acos", "acosh", "atanh"])
def test_on_a_cut_the_derivative_is_of_the_side_that_the_value_is_on(name, z):
    for m in (cmath, np) if isinstance(z, complex) else (cmath,):
        f, h = getattr(m, name), 1e-6
        slope = (f(complex(z.real + h, z.imag)) - f(complex(z.real - h, z.imag))) / (2 * h)
        assert frule_of(f, (z,), (type(z)(1.0),))[1] == pytest.approx(slope, rel=1e-6)


@pytest.mark.parametrize("f", [cmath.asinh, np.asinh])
@pytest.mark.parametrize("z", [2j, complex(-0.0, 2.0), complex(0.0, -2.0), complex(-0.0, -2.0)])
def test_on_a_cut_of_the_inverse_hyperbolic_sine(f, z):
    slope = (f(complex(z.real, z.imag + 1e-6)) - f(complex(z.real, z.imag - 1e-6))) / 2e-6
    assert frule_of(f, (z,), (1j,))[1] == pytest.approx(slope, rel=1e-6)


@pytest.mark.parametrize("f", [cmath.phase, cmath.polar])
def test_zero_has_derivative_zero(f):
    _, pullback = rrule_of(f, 0j)
    assert pullback((1.0, 1.0) if f is cmath.polar else 1.0)[0] == 0
