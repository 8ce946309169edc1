"""Fractions and decimals, against differences that are exact."""

import operator
from decimal import Decimal
from fractions import Fraction

import pytest
from tests.rules.cases import case, constant

import chainrules as cr
from chainrules.core import NoRuleError
from chainrules.testing import check_rule, checking

F, D = Fraction(3, 2), Decimal("0.5")
ARITHMETIC = (operator.add, operator.sub, operator.mul, operator.truediv)
CASES = [
    *(case(f, x, y) for f in ARITHMETIC for x, y in ((F, F / 3), (D, D * 3), (F, 2.5), (2.5, F), (2, D))),
    *(case(operator.pow, x, constant(n)) for x in (F, D) for n in (3, -1, 0)),
    *(case(f, x) for f in (operator.neg, operator.pos, operator.abs, abs, float) for x in (F, -D)),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize(
    ("f", "args"),
    [
        (float, (F,)),
        (operator.add, (2, D)),
        (operator.sub, (2.5, F)),
        (operator.truediv, (2.5, F)),
        (operator.pow, (F, 3)),
    ],
)
def test_second_order(f, args):
    with checking(order=2):
        check_rule(f, *args)


@pytest.mark.parametrize("kind", [Fraction, Decimal])
def test_a_polynomial_has_its_exact_derivative(kind):
    def f(x):
        return (x * x + 3 * x - 1) / (x - 1) ** 2

    x, unit = kind(3), kind(1)
    y, dy = cr.jvp(f, (x,), (unit,))
    slope = (9 * 4 - 2 * 2 * 17) / kind(16)
    assert (y, dy) == (kind(17) / 4, slope)
    assert cr.vjp(f, x)[1](unit) == (slope,)


def test_methods_of_a_fraction_are_not_looked_into():
    with pytest.raises(NoRuleError):
        cr.jvp(lambda x: x.limit_denominator(10), (F,), (Fraction(1),))
