"""Struve's and Wright's functions and besselpoly by all arguments, against differences and mpmath."""

import numpy as np
import pytest
from scipy import special
from tests.rules.cases import case, held, uniform

import chainrules as cr
from chainrules.core import ChainRulesError
from chainrules.rules.scipy.special.derivatives import derivative
from chainrules.testing import check_rule

X = uniform(3, low=0.5, high=6.0)
V = np.array([0.0, 1.0, 2.5])
CASES = [
    *(case(f, V, X) for f in (special.struve, special.modstruve)),
    *(case(f, v, X) for f in (special.struve, special.modstruve) for v in (-0.3, -2.6)),
    case(special.struve, 2.3, 5 * X),
    *(case(f, held(2.0), -X) for f in (special.struve, special.modstruve)),
    *(case(f, 0.7, 1.3, X) for f in (special.wright_bessel, special.log_wright_bessel)),
    case(special.log_wright_bessel, 0.3, 1.3, np.array([50.0, 3000.0])),
    case(special.besselpoly, 0.4 * X, 1.2, V),
    case(special.besselpoly, 0.4 * X, 0.3, 0.5),
    *(case(derivative, 1.2, X, kind=kind, orders=(1, 1)) for kind in ("struve", "modstruve")),
    *(case(derivative, 0.7, 1.3, X, kind=f"{log}wright_bessel", orders=(1, 1, 1)) for log in ("", "log_")),
    case(derivative, 0.4 * X, 0.3, 0.5, kind="besselpoly", orders=(1, 1, 0)),
]
KNOWN = [  # by mpmath at 40 digits: order, argument, derivative of 𝐇 by the order; of 𝐋
    (0.0, 0.3, -0.36434672395243126, -0.37427913202713179),
    (1.5, 12.0, 2.2346079284731748, -2241.0802160428991),
    (7.3, 40.0, 26716.396915366771, -1396852340013289.0),
    (-3.2, 2.0, 1.3594480906644913, 0.65906217915955969),
    (-2.5, 7.0, 0.26885799068157269, 39.321467649054842),
    (30.0, 25.0, -0.75292419852301421, -345.32600789918182),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_at_zero_there_is_no_division():
    assert cr.grad(lambda x: special.struve(0.0, x))(0.0) == pytest.approx(2 / np.pi)
    assert cr.grad(lambda a: special.besselpoly(a, 1.0, 1.0))(0.0) == pytest.approx(1 / 3)


def test_second_derivatives():
    found = cr.grad(cr.grad(lambda x: special.struve(1.0, x)))(2.0)
    h = 1e-3
    expected = (special.struve(1, 2 + h) - 2 * special.struve(1, 2.0) + special.struve(1, 2 - h)) / h**2
    assert found == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize(("v", "x", "h", "ell"), KNOWN)
def test_by_order_as_mpmath(v, x, h, ell):
    assert cr.grad(special.struve)(v, x) == pytest.approx(h, rel=1e-11)
    assert cr.grad(special.modstruve)(v, x) == pytest.approx(ell, rel=1e-12)


def test_the_logarithm_of_a_function_that_overflows():
    """By the parameters, where φ itself is infinite: differences of SciPy's logarithm"""
    a, b, x, h = 0.4, 1.2, 1e5, 1e-5
    assert np.isinf(special.wright_bessel(a, b, x))
    expected = (special.log_wright_bessel(a + h, b, x) - special.log_wright_bessel(a - h, b, x)) / (2 * h)
    assert cr.grad(special.log_wright_bessel)(a, b, x) == pytest.approx(expected, rel=1e-7)


def test_where_the_function_has_no_derivative_by_the_order_it_is_refused():
    for f in (special.struve, special.modstruve):
        with pytest.raises(ChainRulesError, match=f"scipy.special.{f.__name__} by its order at"):
            cr.grad(f)(2.0, -1.0)
    with pytest.raises(ChainRulesError, match=r"scipy.special.besselpoly by its power or order at"):
        cr.grad(special.besselpoly, 1)(200.0, 1.0, 0.5)
    with pytest.raises(ChainRulesError, match="a sum of"):
        cr.grad(special.wright_bessel)(0.0, 1.0, 1e5)


def test_at_zero_the_order_has_no_effect():
    assert cr.grad(special.struve)(0.5, 0.0) == 0.0
    assert cr.grad(special.wright_bessel)(0.5, 1.5, 0.0) == 0.0
    assert cr.grad(special.wright_bessel, 1)(0.5, 0.0, 0.0) == 1.0
