"""Loops over all rows at once, and calls that go over items, where the items change meanwhile."""

import itertools

import numpy as np
import pytest
from tests.engines import rightly

from chainrules.testing import check_grads

X = np.array([0.7, 1.3, -0.4])


def rows_of(x):
    return [[x[0], x[1]], [x[2], 2.0]]


def columns(x):
    rows, total = rows_of(x), 0.0
    for a, b in zip(*rows, strict=True):
        rows[0][1] = a * 3
        total += a * b
    return total


def counted_columns(x):
    rows, total = rows_of(x), 0.0
    for i, c in enumerate(zip(*rows, strict=False)):
        rows[0][1] = c[0] * 3
        total += c[0] * c[1] * (i + 1)
    return total


def columns_of_an_array(x):
    A, total = np.outer(x, x), 0.0
    for c in zip(*A, strict=True):
        A[0, 1] = c[0] * 3
        total += c[0] * c[1]
    return total


def columns_of_a_display(x):
    rows, total = rows_of(x), 0.0
    for c in zip(*[rows[0], rows[1]], strict=True):
        rows[1][1] = c[0] * 3
        total += c[0] * c[1]
    return total


def columns_of_a_dictionary(x):
    d, total = {"a": [x[0], x[1]], "b": [x[2], 1.0]}, 0.0
    for c in zip(*d.values(), strict=True):
        d["b"][1] = c[0] * 3
        total += c[0] * c[1]
    return total


def columns_named_before(x):
    rows, total = rows_of(x), 0.0
    z = zip(*rows, strict=True)
    for c in z:
        rows[0][1] = c[0] * 3
        total += c[0] * c[1]
    return total


def mapped_over_rows(x):
    rows, total = rows_of(x), 0.0
    for v in map(lambda a, b: a * b, *rows):
        rows[0][1] = v * 3
        total += v
    return total


def mapped_by_a_function_that_changes_rows(x):
    rows = rows_of(x)

    def step(a, b):
        rows[0][1] = a * 3
        return a * b

    return sum(map(step, *rows)) + rows[0][1]


def mapped_by_a_function_that_changes_the_list(x):
    items = [x[0], x[1], x[2]]

    def step(p):
        items[1] = p * 3
        return p * p

    return sum(map(step, items)) + items[1]


def mapped_by_a_function_that_changes_the_array(x):
    y = x * 1.0

    def step(p):
        y[1] = p * 3
        return p * p

    return sum(map(step, y)) + sum(map(step, y.copy())) + y[1]


def mapped_over_places(x):
    y = x * 1.0

    def step(i):
        y[i] = y[i] * y[i - 1]
        return y[i]

    return sum(map(step, range(3))) + y[1]


def rows_beside_others(x):
    rows, total, factors = rows_of(x), 0.0, [2.0, 3.0]
    for a, b, c in zip(factors, *rows, strict=True):
        total += a * b * c
    for b, c, a in zip(*rows, factors, strict=True):
        total += a * b * c
    for v in map(*[max, *rows]):
        factors[1] = v
        total += v
    rows[0][1] = total
    return rows[0][1] * rows[1][0]


RIGHT = [
    rows_beside_others,
    *(columns, counted_columns, columns_of_an_array, columns_of_a_display, columns_of_a_dictionary),
    *(columns_named_before, mapped_over_rows, mapped_by_a_function_that_changes_rows),
    *(mapped_by_a_function_that_changes_the_list, mapped_by_a_function_that_changes_the_array),
    mapped_over_places,
]


@pytest.mark.parametrize("f", RIGHT, ids=lambda f: f.__name__)
def test_each_item_is_what_it_is_when_its_turn_comes(f):
    check_grads(f, X, order=2)


def flattened(x):
    rows, total = rows_of(x), 0.0
    for v in itertools.chain.from_iterable(rows):
        rows[1][1] = v * 3
        total += v * v
    return total


def of_the_longest(x):
    rows, total = rows_of(x), 0.0
    for c in itertools.zip_longest(*rows):
        rows[0][1] = c[0] * 3
        total += c[0] * c[1]
    return total


def in_a_generator_expression(x):
    rows = rows_of(x)

    def step(c):
        rows[0][1] = c[0] * 3
        return c[0] * c[1]

    return sum(step(c) for c in zip(*rows, strict=True))


def rows_beside_a_list(x):
    rows, total, factors = rows_of(x), 0.0, [2.0, 3.0]
    for a, b, c in zip(factors, *rows, strict=True):
        rows[0][1] = a * b
        total += a * b * c
    return total


def mapped_over_columns(x):
    rows = rows_of(x)

    def step(c):
        rows[0][1] = c[0] * 3
        return c[0] * c[1]

    return sum(map(step, zip(*rows, strict=True)))


REFUSED = [flattened, of_the_longest, in_a_generator_expression, rows_beside_a_list, mapped_over_columns]


@pytest.mark.parametrize("f", REFUSED, ids=lambda f: f.__name__)
def test_what_is_hard_to_tell_is_right_or_refused(f):
    rightly.or_refused(lambda: rightly.grad(f)(X))
    rightly.or_refused(lambda: rightly.jvp(f, (X,), (X,)))


def test_what_a_function_notes_elsewhere_is_no_matter():
    def f(x):
        items, notes = [x[0], x[1]], []

        def step(c):
            notes.append(c[0] * 3)
            return c[0] * c[1]

        return sum(map(step, zip(items, [x[2], 2.0], strict=True))) + notes[1]

    check_grads(f, X, order=2)
