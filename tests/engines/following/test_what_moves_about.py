"""What the source engine refuses the following engine differentiates, by itself where nothing has run yet."""

import contextlib
import heapq
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from tests.engines import test_generators as generators

import chainrules as cr
from chainrules.testing import check_grads

X = np.array([1.3, 0.7])


@contextlib.contextmanager
def noting(notes: list[Any], x: Any) -> Iterator[Any]:
    notes.append(x * x)
    yield notes
    notes.append(notes[0] * x)


def a_manager_that_appends(x):
    notes: list[Any] = []
    with noting(notes, x[0]) as same:
        same.append(x[1])
    return notes[0] * notes[1] + notes[2]


def a_generator_that_shares_a_list(x):
    values = [x[0]]

    def last():
        for _ in range(3):
            yield values[-1]

    total = 0.0
    for v in last():
        values.append(v * x[1])
        total = total + v * v
    return total


def a_queue_of_what_varies(x):
    queue: list[Any] = []
    for i in range(6):
        heapq.heappush(queue, (np.sin(x[0] * i), i))
    total = 0.0
    while queue:
        v, i = heapq.heappop(queue)
        total = total + v * i * x[1]
        if i > 3:
            heapq.heappush(queue, (v * 0.5 + 3.0, i - 4))
    return total


def a_set(x):
    return sum({v * v for v in x})


def a_global_variable(x):
    global TOTAL
    TOTAL = x[0] * x[1]
    return TOTAL * x[0]


def a_field_of_a_class(x):
    Seen.last = x[0] * x[1]
    return Seen.last * x[1]


def a_target_of_a_loop(x):
    a, total = [0.0], 0.0
    for a[0] in x:
        total = total + a[0] ** 2
    return total


def a_class_inside(x):
    class Scaled:
        def __init__(self, v: Any) -> None:
            self.v = v * x[0]

        @property
        def w(self) -> Any:
            return self.v * x[1]

    return Scaled(x[1]).w * Scaled(x[0]).v


def what_an_exception_carries(x):
    try:
        raise ValueError(x[0] * x[1])
    except ValueError as error:
        return error.args[0] * x[0]


TOTAL = 0.0
PROGRAMS = [
    a_set,
    a_global_variable,
    a_field_of_a_class,
    a_target_of_a_loop,
    a_class_inside,
    what_an_exception_carries,
    a_manager_that_appends,
    a_generator_that_shares_a_list,
    a_queue_of_what_varies,
    generators.kept_by_the_generator,
    generators.changed_items,
    generators.given_for_writing,
    generators.asked_after_a_change,
    generators.iterated_while_it_changes,
]


class Seen:
    last = 0.0


@pytest.mark.parametrize("f", PROGRAMS)
def test_what_moves_values_about_is_no_operation(f: Any) -> None:
    check_grads(f, X, order=2)


def test_effects_are_had_once(capsys: pytest.CaptureFixture[str]) -> None:
    def f(x):
        sys.stdout.write("run;")
        return a_generator_that_shares_a_list(x)

    cr.grad(f)(X)
    assert capsys.readouterr().out == "run;"

    def g(x):
        sys.stdout.write("run;")
        return sum({v * v for v in x})

    cr.grad(g)(X)
    assert capsys.readouterr().out == "run;"


def test_a_linked_list():
    class Node:
        def __init__(self, v: Any, after: Any) -> None:
            self.v, self.after = v, after

    def total(x):
        node = None
        for i in range(5):
            node = Node(x * i + 1.0, node)
        y = 0.0
        while node is not None:
            y, node = y + node.v**3, node.after
        return y

    expected = sum(3.0 * i * (1.5 * i + 1.0) ** 2 for i in range(5))
    assert cr.grad(total)(1.5) == pytest.approx(expected, rel=1e-12)
