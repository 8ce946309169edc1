"""Calls that are given an object and a part of it, where either may be changed by a method of that name."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import chainrules as cr
from chainrules.testing import check_grads

AT = np.array([0.2, 0.5, 0.1])


class Cells:
    def __init__(self, a: Any, held: Any) -> None:
        self.a = a
        self.held = held

    def put(self, z: Any) -> Any:
        self.held[2] = z * 0.67
        return z

    def put_own(self) -> Any:
        return self.put(self.held[1])


class Elsewhere:
    """Its method of the same name changes what it is given."""

    def put(self, z: Any) -> Any:
        z[0] = 1.0
        return z


class Below(Cells):
    def put(self, z: Any) -> Any:
        return z * 0.5 + super().put(self.held[1])


class Listing:
    def __init__(self, a: Any, items: Any) -> None:
        self.a = a
        self.items = items
        self.items.append(self.a * 0.3)


class Longer(Listing):
    def __init__(self, a: Any, items: Any) -> None:
        super().__init__(a * 0.5, items)
        self.b = self.a * 2


def ended(cells: Any, x: Any, t: Any) -> Any:
    return t + cells.held[2] * cells.held[1] + cells.a * x[1]


def a_part_of_an_array_in_a_field(x: Any) -> Any:
    cells = Cells(x[0], x * 1.0)
    return ended(cells, x, cells.put_own())


def a_part_by_its_caller(x: Any) -> Any:
    cells = Cells(x[0], x * 1.0)
    return ended(cells, x, cells.put(cells.held[1]))


def a_part_of_a_list(x: Any) -> Any:
    cells = Cells(x[0], [x[0], x[1] * 2, x[2]])
    return ended(cells, x, cells.put(cells.held[1]))


def a_part_for_the_class_above(x: Any) -> Any:
    cells = Below(x[0], x * 1.0)
    return ended(cells, x, cells.put(x[2]))


def a_row_and_the_whole(x: Any) -> Any:
    def both(rows: Any, row: Any) -> Any:
        rows[0, 1] = row[0] * 2
        row[1] = rows[0, 1] * x[2]
        return rows[1, 0]

    class_ = Cells(x[0], np.outer(x, x))
    t = both(class_.held, class_.held[1])
    return t + np.sum(class_.held**2 * np.arange(9.0).reshape(3, 3))


def what_the_class_above_puts_into_an_argument(x: Any) -> Any:
    items = [x[2]]
    longer, plain = Longer(x[0], items), Listing(x[1], items)
    return items[1] * items[2] + longer.b * plain.items[0]


PROGRAMS = [
    *(a_part_of_an_array_in_a_field, a_part_by_its_caller, a_part_of_a_list, a_part_for_the_class_above),
    *(a_row_and_the_whole, what_the_class_above_puts_into_an_argument),
]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: str(f.__name__))
def test_both_modes_and_orders_agree_with_differences(f: Callable[[Any], Any]) -> None:
    check_grads(f, AT)


def test_a_class_of_that_name_changes_what_it_is_given() -> None:
    np.testing.assert_allclose(cr.grad(lambda x: np.sum(Elsewhere().put(x * 1.0) ** 2))(AT), [0.0, 1.0, 0.2])


class Resetting:
    def __init__(self, a: Any, held: Any) -> None:
        self.a = a
        self.held = held

    def reset(self, first: Any, second: Any) -> Any:
        self.a = self.held[1] - self.held[0]
        self.held = self.held * 2.0
        second = self.held[2]
        return first * 1.12 - np.tanh(self.a + second)


class Writing:
    """Its method of the same name changes what it is given."""

    def reset(self, first: Any, second: Any) -> Any:
        first[0] = second[0]
        return second[1]


def a_field_that_the_call_sets(x: Any) -> Any:
    made = Resetting(x[0], x * 1.0)
    t = made.reset(made.a, made.a)
    return t + made.a * x[1] + made.held[2] * made.held[0]


def an_array_in_a_field_that_the_call_sets(x: Any) -> Any:
    made = Resetting(x[0], x * 1.0)
    t = made.reset(made.held[0], made.held)
    return t + made.a * x[1] + made.held[2] * made.held[0]


@pytest.mark.parametrize(
    "f", [a_field_that_the_call_sets, an_array_in_a_field_that_the_call_sets], ids=lambda f: str(f.__name__)
)
def test_what_the_call_puts_into_a_field_stays_there(f: Callable[[Any], Any]) -> None:
    check_grads(f, AT)
