"""Smoothing by a pair of complex poles: lines and images, by the poles and by the smoothing."""

import numpy as np
import pytest
from scipy import signal
from tests.rules.cases import case, held, normal, of_one_form

import chainrules as cr
from chainrules.testing import check_rule

X, LONG = normal(60), normal(2, 50, seed=1)
CASES = [
    case(signal.symiirorder2, X, 0.5, 0.7),
    case(signal.symiirorder2, of_one_form(LONG), 0.4, -1.3, precision=1e-3),
    case(signal.spline_filter, of_one_form(normal(40, 45))),
    case(signal.spline_filter, of_one_form(normal(30, 32)), held(0.0)),
    case(signal.spline_filter, of_one_form(normal(40, 45)), 0.3),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_the_filter_is_its_own_transpose_far_from_the_ends():
    """The response to an impulse is symmetric, and so is the cotangent of an entry."""
    gradient = cr.grad(lambda x: signal.symiirorder2(x, 0.4, 0.7)[30])(X)
    impulse = np.zeros(60)
    impulse[30] = 1.0
    np.testing.assert_allclose(gradient, signal.symiirorder2(impulse, 0.4, 0.7), atol=1e-9)


@pytest.mark.parametrize(("x", "omega"), [(X, 0.0), (X[:2], 0.7)])
def test_real_poles_and_short_lines_are_refused(x, omega):
    with pytest.raises((cr.UnsupportedArgument, ValueError)):
        cr.vjp(lambda r: signal.symiirorder2(x, r, omega), 0.5)


def test_smoothing_without_a_filter_is_refused():
    with pytest.raises(cr.UnsupportedArgument, match="lmbda"):
        cr.vjp(lambda x: signal.spline_filter(x, 0.001), normal(30, 30))
