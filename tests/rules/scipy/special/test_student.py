"""Student's distribution and its inverses against differences, for few and many degrees of freedom."""

import numpy as np
import pytest
from scipy import special
from tests.rules.cases import case, held, normal, rrule_of, uniform

import chainrules as cr
from chainrules.rules.scipy.special.student import (
    log_density_by_freedom,
    student_by_freedom,
    twice_by_freedom,
)
from chainrules.testing import check_rule, exempt

V, T = np.array([0.7, 3.0, 150.0]), normal(2, 3)
CASES = [
    case(special.stdtr, V, T),
    case(special.stdtr, 3.0, 0.0),
    case(special.stdtridf, np.array([0.8, 0.85]), 1.2),
    case(special.stdtrit, V, uniform(3)),
    case(student_by_freedom, V, T),
    case(log_density_by_freedom, held(V), T),
]
EXEMPT = [exempt(twice_by_freedom, why="its own derivatives are refused, which a test below says")]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_at_zero_the_degrees_do_not_matter_but_the_density_depends_on_them():
    assert rrule_of(special.stdtr, 3.0, 0.0)[1](1.0)[0] == 0.0
    mixed = cr.derivative(lambda t: cr.derivative(lambda v: special.stdtr(v, t))(3.0))(0.0)
    h = 1e-4
    density = cr.derivative(lambda t: special.stdtr(3.0 + h, t))(0.0) - cr.derivative(
        lambda t: special.stdtr(3.0 - h, t)
    )(0.0)
    assert mixed == pytest.approx(density / (2 * h), rel=1e-6)


def test_a_third_derivative_by_the_degrees_is_refused():
    with pytest.raises(cr.NoRuleError, match="third derivative"):
        cr.derivative(cr.derivative(cr.derivative(lambda v: special.stdtr(v, 1.0))))(3.0)
    assert np.isfinite(twice_by_freedom(3.0, 1.0)) and np.isfinite(log_density_by_freedom(3.0, 1.0))
