"""Subscripts of containers against differences."""

import operator
from collections import OrderedDict
from typing import NamedTuple

import numpy as np
import pytest
from scipy import stats
from tests.rules.cases import case, constant, frule_of, normal, rrule_of

import chainrules as cr
from chainrules.tangents import Composite, ItemTangent, NoTangent, NotImplementedTangent, Zero
from chainrules.testing import check_rule


class Pair(NamedTuple):
    first: float
    second: float


CASES = [
    *(case(operator.getitem, (1.0, normal(2), 3.0), constant(i)) for i in (0, 1, -1, np.int64(2))),
    case(operator.getitem, [1.0, 2.0], constant(True)),
    case(operator.getitem, Pair(1.0, 2.0), constant(1)),
    *(
        case(operator.getitem, x, slice(*s))
        for x in ([1.0, 2.0, 3.0, 4.0], (1.0, normal(2), 3.0, 4.0))
        for s in ((None,), (1, 3), (None, None, -1), (3, None, -2))
    ),
    case(operator.getitem, Pair(1.0, 2.0), slice(1, None)),
    case(operator.getitem, {"w": normal(2), "b": 1.0}, "w"),
    case(operator.getitem, OrderedDict(w=1.0, b=2.0), "b"),
    case(operator.getitem, {0: 1.0, 1: 2.0}, constant(1), why="a number as key"),
    case(dict.get, {"w": 1.0}, "w"),
    case(dict.get, {"w": 1.0}, "w", 3.0),
    case(dict.get, {"w": 1.0}, "b", 3.0, why="the default"),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_an_item_has_a_light_cotangent():
    x_bar, index_bar = rrule_of(operator.getitem, [1.0] * 1000, -1)[1](2.0)
    assert type(x_bar) is ItemTangent
    assert (x_bar.index, x_bar.value, index_bar) == (999, 2.0, NoTangent())


def test_a_slice_of_nothing():
    y, pullback = rrule_of(operator.getitem, [1.0, 2.0], slice(0, 0))
    assert y == []
    assert pullback(Composite[list]()) == (Composite[list](Zero(), Zero()), NoTangent())


def test_text_and_ranges():
    assert rrule_of(operator.getitem, "abc", 1)[1](Zero()) == (Zero(), Zero())
    assert rrule_of(operator.getitem, range(5), 1)[1](1.0) == (NoTangent(), NoTangent())


def test_parts_of_a_composite():
    t = Composite[tuple](1.0, 2.0)
    y, pullback = rrule_of(operator.getitem, t, 1)
    assert y == 2.0
    assert pullback(5.0)[0] == Composite[tuple](Zero(), 5.0)
    assert frule_of(operator.getitem, (t, 1), (Composite[tuple](3.0, 4.0), NoTangent())) == (2.0, 4.0)
    y, pullback = rrule_of(operator.getitem, Composite[dict]({"w": 1.0}), "w")
    assert pullback(5.0)[0] == Composite[dict]({"w": 5.0})


def test_a_missing_derivative_stays_at_its_place():
    why = NotImplementedTangent("the degree is whole")
    assert rrule_of(operator.getitem, (3, 0.5), 0)[1](why)[0] == Composite[tuple](why, Zero())

    def density(counted):
        return stats.binom.pmf(3, counted[0], counted[1])

    found = cr.grad(lambda p: density((8, p)))(0.3)
    assert found == pytest.approx(cr.grad(lambda p: stats.binom.pmf(3, 8, p))(0.3), rel=1e-14)
    with pytest.raises(cr.NoRuleError, match="whole number"):
        cr.grad(lambda n: density((n, 0.3)))(8.0)
