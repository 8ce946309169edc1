"""Bessel functions of orders 0 and 1, and derivatives of Bessel functions, against differences."""

import mpmath
import numpy as np
import pytest
from scipy import special
from tests.rules.cases import case, complex_normal, held, uniform

import chainrules as cr
from chainrules.rules.scipy.special.integer_bessel import i2, j2, k2, y2
from chainrules.testing import check_grads, check_rule

FUNCTIONS = (
    special.j0, special.j1, special.y0, special.y1, special.i0, special.i1, special.k0, special.k1,
)  # fmt: skip
PRIMED = (special.jvp, special.yvp, special.h1vp, special.h2vp, special.ivp, special.kvp)
X = uniform(2, 3, low=0.5, high=6.0)
CASES = [
    *(case(f, X) for f in FUNCTIONS),
    *(case(f, 0.7) for f in FUNCTIONS),
    *(case(f, 1.3, X) for f in PRIMED),
    *(case(f, 1.3, X, n=2) for f in PRIMED),
    *(case(f, held(2.0), complex_normal(2), n=0) for f in PRIMED),
    *(case(f, X) for f in (j2, y2, i2, k2)),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize("f", FUNCTIONS)
def test_second_derivatives(f):
    check_grads(f, 1.7, order=2)


def test_second_and_third_derivatives_at_zero():
    second = cr.derivative(cr.derivative(special.i1))
    assert second(0.0) == 0.0  # others say 1
    assert cr.derivative(second)(0.0) == pytest.approx(0.375)
    assert cr.derivative(cr.derivative(cr.derivative(special.j1)))(0.0) == pytest.approx(-0.375)


@pytest.mark.parametrize(
    ("f", "exact", "x"),
    [
        (j2, mpmath.besselj, [0.0, 1e-9, 0.3, 0.99, 1.01, 7.7, 61.3, -3.3]),
        (y2, mpmath.bessely, [1e-100, 1e-9, 0.3, 1.01, 7.7, 61.3]),
        (i2, mpmath.besseli, [0.0, 1e-9, 0.3, 1.99, 2.01, 7.7, 690.0, 705.0, -3.3]),
        (k2, mpmath.besselk, [1e-100, 1e-9, 0.3, 1.01, 7.7, 61.3]),
    ],
)
def test_order_two_by_recurrence(f, exact, x):
    known = [float(exact(2, each)) for each in x]
    np.testing.assert_allclose(f(np.array(x)), known, rtol=1e-13)
    assert f(x[2]) == pytest.approx(known[2], rel=1e-13)
    assert f(np.float32(x[3])).dtype == np.float32


def test_a_negative_count_is_refused_as_by_scipy():
    with pytest.raises(ValueError, match="non-negative"):
        cr.grad(lambda z: special.jvp(1, z, -1))(1.0)
    assert np.isfinite(cr.grad(lambda z: special.jvp(1, z, 3))(1.0))
