"""Right at first order and wrong at second: the rules themselves differentiated."""

import numpy as np
import pytest

from chainrules.core import frule, non_differentiable, rrule
from chainrules.tangents import NO_TANGENT, ZERO
from chainrules.testing import check_rule, checking

X = np.array([0.5, -1.2, 2.0])


def held(x):
    return x * 1.0


non_differentiable(held, why="what hides a dependence from differentiation, as a slip would")


def test_a_rule_that_hides_what_it_depends_on():
    def square(x):
        return x**2

    @rrule(square)
    def square_rrule(x: np.ndarray):
        return x**2, lambda g: g * (x + held(x))

    @frule(square)
    def square_frule(tangents, x: np.ndarray):
        return x**2, 2 * x * tangents[0]

    check_rule(square, X)
    with checking(order=2), pytest.raises(AssertionError, match=r"after .*(against differences|adjoint)"):
        check_rule(square, X)


@pytest.mark.parametrize("mode", ["forward", "reverse"])
def test_a_rule_whose_value_hides_what_it_depends_on(mode):
    def square(x):
        return x**2

    right, hidden = (lambda x: x**2), (lambda x: held(x**2))
    pulled, pushed = (right, hidden) if mode == "forward" else (hidden, right)

    @rrule(square)
    def square_rrule(x: np.ndarray):
        return pulled(x), lambda g: 2 * g * x

    @frule(square)
    def square_frule(tangents, x: np.ndarray):
        return pushed(x), 2 * x * tangents[0]

    check_rule(square, X)
    short = {"forward": "fwd", "reverse": "rev"}[mode]
    with (
        checking(order=2),
        pytest.raises(AssertionError, match=rf"after {short}.*(against differences|adjoint)"),
    ):
        check_rule(square, X)


@pytest.mark.parametrize(
    ("f", "x", "kwargs"), [(np.sin, (X,), {}), (np.multiply, (X, 0.5), {}), (np.sum, (X,), {"axis": 0})]
)
def test_rules_of_the_catalogue_at_second_order(f, x, kwargs):
    with checking(order=2):
        check_rule(f, *x, **kwargs)


def test_a_rule_that_writes_and_hides_what_it_depends_on():
    def square_into(out, x):
        out[...] = x**2

    @rrule(square_into, mutates=(0,))
    def square_into_rrule(out: np.ndarray, x: np.ndarray):
        square_into(out, x)
        return None, lambda g, states: (ZERO, states[0] * (x + held(x)))

    @frule(square_into, mutates=(0,))
    def square_into_frule(tangents, out: np.ndarray, x: np.ndarray):
        square_into(out, x)
        return None, NO_TANGENT, {0: 2 * x * tangents[1]}

    check_rule(square_into, np.zeros(3), X)
    with checking(order=2), pytest.raises(AssertionError, match=r"after .*(against differences|adjoint)"):
        check_rule(square_into, np.zeros(3), X)
