"""Values with the derivatives of programs: refused where these compute other values."""

import collections

import numpy as np
import pytest
from scipy import stats

import chainrules as cr
from chainrules import NoRuleError, NotDifferentiableError
from chainrules.rules.scipy.stats.agreement import agreed, as_result
from chainrules.testing import check_grads, exempt

CASES: list = []
EXEMPT = [exempt(as_result, why="its fields and their derivatives come from two places: checked here")]
Pair = collections.namedtuple("Pair", ("first", "second"))


def test_the_value_is_the_first_the_derivative_the_seconds():
    assert cr.value_and_grad(lambda x: agreed(1.0, x, "one"))(1.0 + 1e-9) == (1.0, 1.0)


@pytest.mark.parametrize("wrong", [1.1, np.nan, np.ones(2)])
def test_another_value_is_refused(wrong):
    with pytest.raises(NotDifferentiableError, match="the derivative of one: SciPy's value"):
        agreed(1.0, wrong, "one")


@pytest.mark.parametrize(("made", "names"), [(Pair(2.0, 3.0), Pair._fields), ((2.0, 3.0), ("0", "1"))])
def test_fields(made, names):
    def f(x):
        y = as_result(made, names, 2.0 * x, x**2)
        return y[0] * 5.0 + y[1]

    assert cr.grad(f)(3.0) == 16.0
    assert cr.jvp(f, (3.0,), (1.0,))[1] == 16.0


def test_a_field_without_a_derivative_says_so():
    for f in (lambda s: stats.wishart(3.0, s).log_det_scale, lambda s: stats.wishart(3.0, s).C[0, 0]):
        with pytest.raises(NoRuleError, match="has no derivative here"):
            cr.grad(f)(1.0)


def test_second_order():
    check_grads(lambda s: stats.wishart(3.0, s).scale[0, 0] ** 3, 1.3, order=2)
