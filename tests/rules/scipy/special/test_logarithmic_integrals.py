"""Exponential integrals, the dilogarithm and Owen's function against differences."""

import numpy as np
import pytest
from scipy import special
from tests.rules.cases import case, complex_normal, held, normal, rrule_of, uniform

import chainrules as cr
from chainrules.rules.scipy.special.logarithmic_integrals import log1p_ratio
from chainrules.testing import check_rule

X = uniform(2, 3)
CASES = [
    *(case(f, X) for f in (special.exp1, special.expi, special.spence)),
    *(case(f, complex_normal(3)) for f in (special.exp1, special.expi, special.spence)),
    case(special.expi, np.array([-0.5, -3.0])),
    case(special.expn, held(np.array([0, 1, 4])), X),
    case(special.spence, np.array([1.0, 1.0 + 1e-9, 0.7, 5.0])),
    case(special.owens_t, normal(2, 3), normal(3)),
    case(log1p_ratio, np.array([0.0, -0.5, 2.0]), held(2)),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_the_dilogarithm_at_one_and_zero():
    assert cr.derivative(special.spence)(1.0) == -1.0
    assert cr.derivative(cr.derivative(special.spence))(1.0) == 0.5
    assert rrule_of(special.spence, 0.0)[1](1.0) == (-np.inf,)
    assert rrule_of(special.spence, 0.0)[1](0.0) == (0.0,)


def test_the_order_is_a_whole_number():
    with pytest.raises(cr.NoRuleError, match="whole number"):
        cr.grad(lambda n: special.expn(n, 0.5))(2.0)
