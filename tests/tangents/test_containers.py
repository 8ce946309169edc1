"""Tangents with parts: what counts as one, which belong together, and what is rebuilt."""

from collections import OrderedDict, deque
from typing import NamedTuple

import pytest
from scipy import stats
from scipy.sparse import dok_array

from chainrules import Composite, MismatchedPrimalError, ShapeMismatch, Zero
from chainrules.tangents.containers import agree, entries, has_entries, matched, rebuilt


class Pair(NamedTuple):
    x: float
    y: float


def test_what_has_parts() -> None:
    assert all(map(has_entries, [(), [1.0], {}, Composite[Pair](x=1.0), deque([1.0])]))
    assert not any(map(has_entries, [1.0, "ab", {1.0}, dok_array((2, 2))]))


def test_parts_by_place_key_and_name() -> None:
    assert entries((1.0, 2.0)) == {0: 1.0, 1: 2.0}
    assert entries(Composite[dict]({"a": 1.0})) == {"a": 1.0}
    assert entries(Composite[Pair](x=1.0))[0] == 1.0


@pytest.mark.parametrize(
    ("a", "b", "together"),
    [
        (Composite[tuple](1.0), (1.0,), True),
        (Composite[list](1.0), (1.0,), True),
        ({"a": 1.0}, Composite[dict]({"b": 1.0}), True),
        (Composite[tuple](1.0), Composite[list](1.0), False),
        (Composite[Pair](x=1.0), Composite[tuple](1.0, 2.0), False),
        ((1.0,), {"a": 1.0}, False),
        ((1.0,), 1.0, False),
    ],
)
def test_what_can_belong_to_one_primal(a, b, together: bool) -> None:
    assert agree(a, b) is agree(b, a) is together
    if not together:
        with pytest.raises(MismatchedPrimalError, match=type(a).__name__.replace("[", r"\[")):
            list(matched(a, b))


def test_pairs_of_parts() -> None:
    assert list(matched({"a": 1.0}, {"b": 2.0})) == [(1.0, Zero()), (Zero(), 2.0)]
    with pytest.raises(ShapeMismatch, match="1 and 2 items"):
        list(matched((1.0,), [1.0, 2.0]))


def test_a_container_is_rebuilt_of_its_own_type() -> None:
    assert rebuilt(Pair(1.0, 2.0), [3.0, 4.0]) == Pair(3.0, 4.0)
    found = stats.ttest_1samp([1.0, 2.0, 4.0], 0.5)  # a tuple that has fields beside its items
    again = rebuilt(found, [3.0, 4.0])
    assert (again.statistic, again.pvalue, again.df) == (3.0, 4.0, found.df)
    bounded = rebuilt(deque([1.0], maxlen=2), [5.0])
    assert (type(bounded), list(bounded), bounded.maxlen) == (deque, [5.0], 2)
    ordered = rebuilt(OrderedDict(a=1.0), {"b": 2.0})
    assert type(ordered) is OrderedDict
    assert list(ordered) == ["b"]
