"""What of Python has no derivative, and bit operations, whose derivative is zero."""

import bisect
import operator

import pytest
from tests.rules.cases import rrule_of

from chainrules.core import apply_rrule
from chainrules.tangents import NoTangent, Zero


@pytest.mark.parametrize(
    ("f", "x"),
    [
        (operator.lt, (1.0, 2.0)),
        (len, ([1.0],)),
        (isinstance, (1.0, float)),
        (range, (3,)),
        (hash, (1.0,)),
        (bisect.bisect, ([1.0, 2.0], 1.5)),
        (dict.keys, ({"a": 1.0},)),
        (type, (1.0,)),
    ],
)
def test_no_tangent(f, x):
    y, pullback = rrule_of(f, *x)
    assert y == f(*x)
    assert pullback(Zero()) == (NoTangent(),) * len(x)


def test_bit_operations_of_numbers_alone():
    assert rrule_of(operator.and_, 6, 3)[1](1.0) == (Zero(), Zero())
    assert apply_rrule(operator.and_, {1.0}, {2.0}) is None
