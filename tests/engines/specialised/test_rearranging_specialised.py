"""Lists and arrays that are put in order, turned round or emptied in place."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from .compared import hold_directions, is_right

AT = np.array([0.7, 1.3, -0.4])


def an_array(x: Any) -> Any:
    a = x * np.array([3.0, -1.0, 2.0])
    b = a
    a.sort()
    return b[0] * a[1] + 2 * a[2] ** 2


def an_array_along_an_axis(x: Any) -> Any:
    a = np.outer(x, [1.0, -2.0, 3.0])
    a.sort(axis=0)
    return np.sum(a * np.arange(9.0).reshape(3, 3))


def a_list(x: Any) -> Any:
    values = list(x * x)
    values.sort()
    return values[0] * 3 + values[1] * values[2]


def by_a_key(x: Any) -> Any:
    values = [x[0], x[1] * 2, x[2]]
    same = values
    values.sort(key=lambda v: -v, reverse=True)
    same.append(x[0])
    return values[0] * same[1] + values[3]


def tuples_by_a_key(x: Any) -> Any:
    rows = [(x[0], 1.0), (x[1] * x[2], 2.0), (x[2], 3.0)]
    rows.sort(key=lambda row: row[0])
    return rows[0][0] * rows[1][1] + rows[2][0] ** 2


def a_list_that_a_loop_filled(x: Any) -> Any:
    values = []
    for i in range(5):
        values.append(x[i % 3] * (i + 1) * (-1) ** i)
    values.sort()
    t = 0.0
    for i, v in enumerate(values):
        t = t + v * (i + 1)
    return t


def turned_round(x: Any) -> Any:
    values = [x[0], x[1] * 2, x[2]]
    values.reverse()
    values.extend([x[0]])
    return values[0] * values[1] + values[3]


def emptied(x: Any) -> Any:
    values = [x[0], x[1] * 2, x[2]]
    s = sum(values)
    values.clear()
    values.append(s * s)
    return values[0] * len(values)


def put_in_order(values: Any) -> None:
    values.sort(reverse=True)


def by_a_function(x: Any) -> Any:
    values = [x[0], x[1] * 2, x[2]]
    put_in_order(values)
    return values[0] * values[1] - values[2]


class Rows:
    def __init__(self, x: Any) -> None:
        self.rows = [(x[0], 1.0), (x[1] * x[2], 2.0), (x[2], 3.0)]

    def sort(self) -> Any:
        self.rows.sort(key=lambda row: -row[0])
        return self


def a_method_of_ones_own(x: Any) -> Any:
    rows = Rows(x)
    rows.sort()
    rows.rows.append((x[0] ** 3, 2.0))
    return rows.rows[0][0] * rows.rows[1][0] * rows.rows[1][1] + rows.rows[3][0]


class Item:
    def __init__(self, v: Any) -> None:
        self.v = v


def an_object_that_changes_and_is_asked(x: Any) -> Any:
    item = Item(x[0])
    item.v = item.v * x[1]
    t = 3.0 if isinstance(item, Item) else 1.0
    item.v = item.v + x[2]
    return item.v**2 * t


PROGRAMS = [
    *(an_array, an_array_along_an_axis, a_list, by_a_key, tuples_by_a_key, a_list_that_a_loop_filled),
    *(turned_round, emptied, by_a_function, a_method_of_ones_own, an_object_that_changes_and_is_asked),
]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: str(f.__name__))
def test_it_is_right_and_specialised(f: Callable[[Any], Any]) -> None:
    assert is_right(f, AT)
    hold_directions(f, AT)


def objects_by_what_they_hold(x: Any) -> Any:
    items = [Item(v * v) for v in x]
    items.sort(key=lambda item: item.v)
    items[0].v = items[0].v * x[2]
    return items[0].v * 2 + items[1].v * 3 + items[2].v ** 2


def test_objects_that_change_once_they_are_in_order_are_right() -> None:
    is_right(objects_by_what_they_hold, AT)
    hold_directions(objects_by_what_they_hold, AT)
