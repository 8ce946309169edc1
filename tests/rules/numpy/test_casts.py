"""Casts against differences; casts to integers end activity."""

import numpy as np
import pytest
from tests.rules.cases import case, frule_of, rrule_of

from chainrules.core import apply_rrule
from chainrules.tangents import NoTangent, Zero
from chainrules.testing import check_rule, with_tangent

CASES = [
    *(
        case(f, x)
        for f in (float, np.float64, complex, np.complex128)
        for x in (0.7, with_tangent(3, 1.0), np.float32(0.5))
    ),
    case(float, np.array(0.7), why="0-d"),
    case(np.float32, np.float32(0.7)),
    case(np.float32, np.array([0.5, -2.0], "f4"), why="an array"),
    case(np.float64, np.array([0.7, 0.1], np.float32), why="an array"),
    case(complex, 1 + 2j),
    case(complex, 0.3, 0.4),
    case(complex, 0.3, np.float32(0.4)),
    *(case(f, 0.7) for f in (np.longdouble, np.complex64, np.clongdouble)),
    case(int, 2.7),
    *(case(f, 2.7) for f in (np.int8, np.int16, np.int32, np.int64)),
    *(case(f, 2.7) for f in (np.uint8, np.uint16, np.uint32, np.uint64)),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_a_cotangent_comes_back_in_the_precision_of_the_argument():
    x_bar = rrule_of(np.float64, np.float32(0.5))[1](1.0)[0]
    assert type(x_bar) is np.float32


def test_integers_and_truth_values():
    assert rrule_of(int, 2.7)[1](1.0) == (Zero(),)
    assert frule_of(int, (2.7,), (1.0,)) == (2, Zero())
    assert rrule_of(bool, 2.7)[1](1.0) == (NoTangent(),)


def test_text_has_no_rule():
    assert apply_rrule(float, "2.5") is None
    assert apply_rrule(str, 2.5) is None
    assert apply_rrule(repr, 2.5) is None
    assert apply_rrule(format, 2.5) is None
