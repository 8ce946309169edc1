"""Spheroidal functions by argument, characteristic values by c, against differences and mean values."""

import numpy as np
import pytest
from scipy import special
from tests.rules.cases import case, constant, held

import chainrules as cr
from chainrules.testing import check_grads, check_rule

ORDERS = held(1), held(np.array([[1], [2], [4]]))
C = np.array([0.0, 1.5, 4.0])
DOUBLE = held(np.float64(1.5))  # SciPy's loops for single precision do not end
AT = {"ang1": np.array([-0.3, 0.6]), "rad1": np.array([1.4, 2.1]), "rad2": np.array([2.5, 4.0])}
WAVES = [(kind, which) for kind in ("pro", "obl") for which in AT]


def value(kind):
    return float(getattr(special, f"{kind}_cv")(1, 2, 1.5))


CASES = [
    *(case(f, *ORDERS, C) for f in (special.pro_cv, special.obl_cv)),
    *(case(f, constant(1), constant(4), 1.5) for f in (special.pro_cv_seq, special.obl_cv_seq)),
    *(case(getattr(special, f"{k}_{w}"), held(1), held(2), DOUBLE, AT[w]) for k, w in WAVES),
    *(
        case(getattr(special, f"{k}_{w}_cv"), held(1), held(2), DOUBLE, held(value(k)), AT[w])
        for k, w in WAVES
    ),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_second_order():
    check_grads(lambda c: special.pro_cv(1, 2, c), 1.3, order=2)
    check_grads(lambda c: special.obl_cv(0, 2, c), 1.3, order=2)
    check_grads(lambda x: special.pro_ang1(1, 2, 1.3, x)[1], 0.4, order=2)


@pytest.mark.parametrize(("kind", "sign"), [("pro", 1), ("obl", -1)])
def test_the_slope_of_a_characteristic_value_is_a_mean(kind, sign):
    x, w = np.polynomial.legendre.leggauss(60)
    wave = getattr(special, f"{kind}_ang1")(1, 3, 2.5, x)[0]
    mean = sign * 2 * 2.5 * np.sum(w * x**2 * wave**2) / np.sum(w * wave**2)
    assert cr.grad(getattr(special, f"{kind}_cv"), argnums=2)(1, 3, 2.5) == pytest.approx(mean, rel=1e-9)


def test_wrong_values_of_scipy_are_refused():
    with pytest.raises(cr.NotDifferentiableError, match="Wronskian"):
        cr.grad(lambda x: special.obl_rad2(1, 2, 1.5, x)[0])(0.4)


def test_by_c_the_functions_are_refused():
    with pytest.raises(cr.NoRuleError, match="by c"):
        cr.grad(lambda c: special.pro_ang1(1, 2, c, 0.3)[0])(1.0)
