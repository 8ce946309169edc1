"""Mathieu's characteristic values, functions and coefficients, against differences and mean values."""

import numpy as np
import pytest
from scipy import special
from tests.rules.cases import case, constant, held

import chainrules as cr
from chainrules.testing import check_grads, check_rule

Q = np.array([-1.3, 0.0, 0.7, 20.0])
X = np.array([0.4, 1.1])
RADIAL = ("mathieu_modcem1", "mathieu_modcem2", "mathieu_modsem1", "mathieu_modsem2")
FUNCTIONS = [special.mathieu_cem, special.mathieu_sem, *(getattr(special, name) for name in RADIAL)]
CASES = [
    *(case(f, held(m), Q) for f in (special.mathieu_a, special.mathieu_b) for m in (1, 2, 3, 6)),
    *(case(f, held(2), held(1.3), X) for f in FUNCTIONS),
    *(
        case(f, constant(m), 1.3)
        for f in (special.mathieu_even_coef, special.mathieu_odd_coef)
        for m in (2, 3)
    ),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_second_order():
    check_grads(lambda q: special.mathieu_a(2, q), 1.3, order=2)
    check_grads(lambda x: special.mathieu_cem(2, 1.3, x)[0], 40.0, order=2)
    check_grads(lambda q: special.mathieu_odd_coef(2, q)[1], 1.4)


@pytest.mark.parametrize("q", [0.3, 50.0])
def test_the_slope_of_a_characteristic_value_is_a_mean(q):
    degrees = np.linspace(0, 360, 512, endpoint=False)
    waves = special.mathieu_cem(3, q, degrees)[0]
    mean = np.sum(waves**2 * 2 * np.cos(2 * np.radians(degrees))) / np.sum(waves**2)
    assert cr.grad(special.mathieu_a, argnums=1)(3, q) == pytest.approx(mean, rel=1e-9)


def test_by_q_the_functions_are_refused():
    with pytest.raises(cr.NoRuleError, match="by q"):
        cr.grad(lambda q: special.mathieu_cem(2, q, 30.0)[0])(1.0)
    assert np.isnan(cr.grad(special.mathieu_a, argnums=1)(2, np.nan))
