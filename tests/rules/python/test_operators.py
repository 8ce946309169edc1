"""Concatenation and repetition of tuples and lists."""

import operator

import numpy as np
import pytest
from tests.rules.cases import case, constant, normal, rrule_of

from chainrules.core import apply_rrule
from chainrules.tangents import Composite, NoTangent, Zero
from chainrules.testing import check_grads, check_rule

CASES = [
    case(operator.add, (1.0, 2.0), (3.0,)),
    case(operator.add, (), (3.0,), why="empty"),
    case(operator.add, (normal(2), 1.0), ("name", 2.0), why="of several types"),
    case(operator.iadd, (1.0,), (2.0, 3.0)),
    case(operator.add, [1.0, 2.0], [3.0, normal(2)]),
    case(operator.mul, (1.0, normal(2)), constant(3)),
    case(operator.mul, [1.0, 2.0], constant(2)),
    case(operator.mul, constant(2), (1.0, 2.0)),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_second_order_of_items_that_differ_in_shape():
    def f(a, b):
        t = (a * a, b * b * a) * 3
        return t[0] * t[3] * 2.0 + t[1] * t[5] * 5.0 + t[2] * t[4] * a

    check_grads(f, 1.3, np.array([0.7, 1.0]))


def test_no_copy_at_all_leaves_zeros():
    y, pullback = rrule_of(operator.mul, [1.0, 2.0], 0)
    assert y == []
    assert pullback(Composite[list]()) == (Composite[list](Zero(), Zero()), NoTangent())


def test_a_list_that_is_written_into_is_left_to_the_engine():
    assert apply_rrule(operator.iadd, [1.0], [2.0]) is None


def test_text_is_not_formatted_on_an_active_path():
    assert apply_rrule(operator.mod, "%f", 2.0) is None


def test_an_array_of_two_beside_a_list_is_no_concatenation():
    y, _ = rrule_of(operator.add, np.array([1.0, 2.0]), [3.0, 4.0])
    np.testing.assert_array_equal(y, [4.0, 6.0])
