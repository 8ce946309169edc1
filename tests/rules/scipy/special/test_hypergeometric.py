"""Hypergeometric functions by argument and parameters, against differences and mpmath."""

from typing import Any

import mpmath as mp
import numpy as np
import pytest
from scipy import special
from tests.rules.cases import case, complex_normal, rrule_of, uniform

import chainrules as cr
from chainrules.core import ChainRulesError
from chainrules.rules.scipy.special.derivatives import derivative
from chainrules.testing import check_rule

X, Z = uniform(3), 0.3 * complex_normal(3)
A, B, C = 0.7, 1.3, 2.1
CASES = [
    *(case(special.hyp0f1, B, z) for z in (X, -30 * X, Z, 0.0)),
    *(case(special.hyp1f1, A, B, z) for z in (X, -5 * X, Z, 0.0)),
    *(case(special.hyperu, A, B, x) for x in (X, 5 * X)),
    case(special.hyperu, -1.6, 2.3, X),
    *(case(special.hyp2f1, A, B, C, z) for z in (X, -5 * X, Z, 0.0)),
    case(special.hyp1f1, -8.3, 3.1, 25.0),
    case(special.hyp2f1, X, B, C, np.array([0.95, -40.0, 0.5])),
    case(special.hyp2f1, A, B, C, 1.5 + 0.3j),
    case(derivative, A, B, X, kind="hyp1f1", orders=(1, 1, 0)),
    case(derivative, A, B, X, kind="hyperu", orders=(1, 0, 1)),
    case(derivative, A, B, C, Z, kind="hyp2f1", orders=(0, 1, 0, 1)),
]
KNOWN: dict[str, Any] = {  # by mpmath at 40 digits
    "hyp0f1": (mp.hyp0f1, [(-4.6, -193.0), (7.0, 2000.0), (0.5, -1000.0)]),
    "hyp1f1": (mp.hyp1f1, [(1.5, 2.5, -400.0), (-20.3, 3.1, 40.0), (2.0, 2.0, -700.0), (-3.0, 2.0, 50.0)]),
    "hyp2f1": (mp.hyp2f1, [(1.5, 2.0, 2.5, -5.0), (0.5, 1.5, 2.0, 0.9999), (1.0, 2.0, 3.5, -1e4)]),
    "hyperu": (mp.hyperu, [(1.0, 2.0, 0.5), (-2.0, 0.5, 3.0), (20.0, -3.5, 60.0), (0.3, 9.0, 1e-3)]),
}


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_second_derivatives():
    found = cr.grad(cr.grad(lambda z: special.hyp2f1(0.7, 1.3, 2.1, z)))(0.2)
    assert found == pytest.approx(0.7 * 1.7 * 1.3 * 2.3 / (2.1 * 3.1) * special.hyp2f1(2.7, 3.3, 4.1, 0.2))


@pytest.mark.parametrize(("name", "x"), [(name, x) for name in KNOWN for x in KNOWN[name][1]])
def test_by_parameters_as_mpmath(name, x):
    with mp.workdps(40):
        for i in range(len(x) - 1):
            h = mp.mpf(10) ** -15

            def moved(s, i=i, h=h):
                return KNOWN[name][0](*(mp.mpf(v) + s * h * (j == i) for j, v in enumerate(x)))

            expected = float((moved(1) - moved(-1)) / (2 * h))
            assert cr.grad(getattr(special, name), i)(*x) == pytest.approx(expected, rel=2e-10)


def test_where_scipy_has_no_neighbour():
    """U′ = −3 U(4, −4, x), for which SciPy gives NaN; by mpmath"""
    assert cr.grad(special.hyperu, 2)(3.0, -5.0, 1e-6) == pytest.approx(-0.0017857125000014882, rel=1e-13)


def test_where_jax_is_wrong():
    """There −7.6e174 and −4.0e25"""
    assert cr.grad(special.hyp2f1)(1.5, 2.0, 2.5, -5.0) == pytest.approx(-0.14749880602624558, rel=1e-13)
    assert cr.grad(special.hyp1f1)(1.5, 2.5, -100.0) == pytest.approx(-0.006868959440283711, rel=1e-13)


def test_at_one_it_is_the_sum_of_gauss():
    """∂F/∂c = F (ψ(c) + ψ(c − a − b) − ψ(c − a) − ψ(c − b))"""
    a, b, c = 0.4, 0.7, 2.6
    psi = special.psi
    slope = psi(c) + psi(c - a - b) - psi(c - a) - psi(c - b)
    expected = special.hyp2f1(a, b, c, 1.0) * slope
    assert cr.grad(special.hyp2f1, 2)(a, b, c, 1.0) == pytest.approx(expected, rel=1e-13)


def test_where_the_function_is_infinite_there_is_no_derivative():
    assert np.isnan(cr.grad(special.hyp1f1)(1.0, -2.0, 0.5))
    assert np.isnan(cr.grad(special.hyp2f1, 2)(1.0, 2.0, -1.0, 0.5))


def test_what_no_series_reaches_is_refused_by_name():
    with pytest.raises(ChainRulesError, match=r"scipy.special.hyp0f1 by its parameters at"):
        cr.grad(special.hyp0f1)(1.3, -1e10)
    with pytest.raises(ChainRulesError, match=r"scipy.special.hyperu by its parameters at"):
        cr.grad(special.hyperu)(-13.3, 8.8, 0.005)


def test_no_points_and_integers():
    assert rrule_of(special.hyp1f1, np.zeros(0), 1.0, 2.0)[1](np.zeros(0))[0].shape == (0,)
    assert cr.grad(lambda b: special.hyp1f1(1, b, 2))(3.0) == pytest.approx(
        cr.grad(special.hyp1f1, 1)(1.0, 3.0, 2.0)
    )
