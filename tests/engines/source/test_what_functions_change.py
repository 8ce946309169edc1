"""Which parameters a function may change, also by functions inside, comprehensions and methods it takes."""

import functools
import math
from collections.abc import Callable
from types import FunctionType
from typing import Any

import pytest

from chainrules.engines.source.analysis.writers import writes


class Notes:
    def __init__(self, kept: list[Any]) -> None:
        self.kept = kept

    def __call__(self, v: Any) -> None:
        self.kept = [*self.kept, v]
        self.kept[0] = v

    def note(self, v: Any) -> None:
        self.kept.append(v)


def a_comprehension(rows: Any) -> Any:
    return [row.sort() for row in rows]


def a_generator(rows: Any) -> Any:
    return sum(row.pop() for row in rows)


def an_entry_of_a_comprehension(d: Any) -> None:
    made = {k: v for k, v in d.items() if k}
    made["a"][0] = 1


def a_new_list(x: Any, w: Any) -> Any:
    return [v * w for v in x]


def an_assignment_in_a_loop(d: Any) -> None:
    while (row := d[0]) is not None:
        row[0] = 1.0


def an_assignment_in_a_comprehension(d: Any) -> Any:
    return [row for row in d if (same := row) and same.append(1.0)]


def a_name_of_its_own(rows: Any, n: Any) -> None:
    def inside() -> int:
        rows.append(n)
        return len([rows for rows in range(3) if rows])

    inside()


def a_function_made(x: Any) -> Callable[[], None]:
    def inside() -> None:
        x.append(1.0)

    return inside


def a_function_that_was_made(x: Any) -> None:
    inside = a_function_made(x)
    inside()


def a_lambda(x: Any) -> None:
    f = lambda: [row.clear() for row in x]  # noqa: E731
    f()


def a_method(notes: Notes, x: Any) -> None:
    note = notes.note
    for v in x:
        note(v)


def an_object_that_is_called(kept: Any) -> None:
    notes = Notes(kept)
    notes(1.0)


def a_variable_bound_anew(x: Any) -> Any:
    n: Any = 0

    def inside() -> None:
        nonlocal n
        n = x

    inside()
    n[0] = 1.0
    return n


def a_sum_bound_anew(x: Any) -> float:
    total = 0.0

    def inside(v: float) -> None:
        nonlocal total
        total = total + v

    for v in x:
        inside(v)
    return total


def a_generator_inside(rows: Any) -> Any:
    def changed(every: Any) -> Any:
        for row in every:
            row[0] = 1.0
            yield row

    return list(changed(rows))


class Counting:
    def __init__(self) -> None:
        self.n = 0

    @property
    def counted(self) -> int:
        self.n += 1
        return self.n


def a_property(o: Counting) -> int:
    return o.counted


def a_property_of_each(every: Any) -> Any:
    return list(map(lambda o: o.counted, every))  # noqa: C417


def a_lambda_that_is_mapped(rows: Any) -> Any:
    return list(map(lambda row: row.append(1.0), rows))  # noqa: C417


def a_function_that_is_mapped(rows: Any) -> Any:
    def changed(row: Any) -> Any:
        row[0] = 1.0
        return row

    return list(map(changed, rows))


def a_fold(rows: Any) -> Any:
    return functools.reduce(lambda total, row: total + row.pop(), rows, 0.0)


def a_sum_that_is_mapped(x: Any) -> Any:
    return sum(map(math.sin, x))


CHANGING = [
    (a_comprehension, {0}),
    (a_generator, {0}),
    (an_entry_of_a_comprehension, {0}),
    (a_new_list, set()),
    (an_assignment_in_a_loop, {0}),
    (an_assignment_in_a_comprehension, {0}),
    (a_function_made, {0}),
    (a_function_that_was_made, {0}),
    (a_lambda, {0}),
    (an_object_that_is_called, {0}),
    (a_variable_bound_anew, {0}),
    (a_sum_bound_anew, set()),
    (a_generator_inside, {0}),
    (a_property, {0}),
    (a_property_of_each, {0}),
    (a_lambda_that_is_mapped, {0}),
    (a_function_that_is_mapped, {0}),
    (a_fold, {0}),
    (a_sum_that_is_mapped, set()),
]


@pytest.mark.parametrize(("f", "places"), CHANGING, ids=lambda v: getattr(v, "__name__", ""))
def test_places(f: FunctionType, places: set[int]) -> None:
    assert writes(f) == places


@pytest.mark.parametrize("f", [a_method, a_name_of_its_own], ids=lambda f: f.__name__)
def test_at_least(f: FunctionType) -> None:
    assert 0 in writes(f)
