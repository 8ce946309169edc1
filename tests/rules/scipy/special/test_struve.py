"""Struve's and Wright's functions and besselpoly by their argument, against differences."""

import numpy as np
import pytest
from scipy import special
from tests.rules.cases import case, held, uniform

import chainrules as cr
from chainrules.core import ChainRulesError
from chainrules.testing import check_rule

X = uniform(3, low=0.5, high=6.0)
V = held(np.array([0.0, 1.0, 2.5]))
CASES = [
    *(case(f, V, X) for f in (special.struve, special.modstruve)),
    *(case(f, held(-0.3), X) for f in (special.struve, special.modstruve)),
    *(case(f, held(2.0), -X) for f in (special.struve, special.modstruve)),
    *(case(f, held(0.7), held(1.3), X) for f in (special.wright_bessel, special.log_wright_bessel)),
    case(special.besselpoly, 0.4 * X, held(1.2), V),
    case(special.besselpoly, 0.4 * X, held(0.3), held(0.5)),
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


@pytest.mark.parametrize("f", [special.struve, special.modstruve])
def test_the_order_is_refused_by_name(f):
    with pytest.raises(ChainRulesError, match=f"scipy.special.{f.__name__} by its order"):
        cr.grad(f)(1.5, 2.0)
