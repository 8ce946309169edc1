"""Layouts: values taken apart and put together, tangents written and read."""

from collections import namedtuple
from dataclasses import dataclass

import pytest

from chainrules import Composite, NotDifferentiableError, Zero
from chainrules.engines.leaves import Layout

Pair = namedtuple("Pair", "first second")


@dataclass
class Holder:
    x: object
    name: str


def of(value):
    return Layout.of(value, lambda v: isinstance(v, float))


VALUE = ((1.0, [2.0, 3]), Pair(4.0, "s"), Holder(5.0, "n"), {"k": 6.0}, None, {"none": "here"})


def test_filled_and_parts():
    layout, leaves = of(VALUE)
    assert leaves == [1.0, 2.0, 4.0, 5.0, 6.0]
    assert layout.filled(leaves) == VALUE
    assert layout.filled(leaves)[-1] is VALUE[-1]
    assert Layout.joined(layout.parts) == layout
    assert VALUE[2] == Holder(5.0, "n")


def test_entries_are_those_of_the_tangent():
    layout, leaves = of(VALUE)
    assert layout.entries(layout.tangent(leaves)) == leaves
    given = Composite[tuple](Zero(), Composite[Pair](), Composite[Holder](x=7.0), Zero(), Zero(), Zero())
    assert layout.entries(given) == [Zero(), Zero(), Zero(), 7.0, Zero()]


def test_only_some_leaves_move():
    layout, _ = of(VALUE)
    moving = layout.of_tangents([False, True, False, True, False])
    t = moving.filled([8.0, 9.0])
    assert (t[0][0], t[0][1][0], t[1].first, t[2].x) == (Zero(), 8.0, Zero(), 9.0)
    assert moving.entries(t) == [8.0, 9.0]


def test_a_flat_layout_is_a_tuple():
    layout, _ = of((1.0, "axis", 2.0))
    assert layout.is_flat and not layout.is_plain
    assert layout.filled([3.0, 4.0]) == (3.0, "axis", 4.0)
    assert [part.filled([]) for part in of(("axis", None))[0].parts] == ["axis", None]


def test_a_function_that_captured_a_leaf_is_refused():
    def capturing(a):
        return lambda: a

    with pytest.raises(NotDifferentiableError, match="captured an array of another engine"):
        of((capturing(1.0),))
    of((capturing("nothing"), len))
