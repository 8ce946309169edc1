"""Containers rebuilt, whatever methods their classes have."""

import collections
from collections import OrderedDict, defaultdict, deque
from typing import Any

from chainrules.tangents.refilled import base_of, refilled

Counter: Any = collections.Counter


class Counted(list[Any]):
    __slots__ = ("note",)

    def extend(self, values: Any) -> None:
        raise RuntimeError("nobody asked for this")


def test_items_are_replaced_and_all_else_is_kept() -> None:
    like: Any = Counted()
    like.note = "kept"
    made = refilled(like, [1.0, 2.0])
    assert (made, type(made), made.note) == ([1.0, 2.0], Counted, "kept")
    assert refilled(Counter(a=1.0), {"a": 2.0}) == Counter({"a": 2.0})
    assert refilled(deque([1.0], maxlen=1), [2.0]).maxlen == 1
    assert refilled(defaultdict(list, a=[1.0]), {"a": 2.0})["b"] == []
    assert list(refilled(OrderedDict(b=1.0, a=2.0), {"a": 3.0, "b": 4.0})) == ["a", "b"]


def test_the_class_that_keeps_the_items() -> None:
    assert [*map(base_of, (Counted, Counter, OrderedDict))] == [list, dict, OrderedDict]
