"""`zip` that is gone through at once, and loops over the places of an array, in specialised programs."""

import numpy as np
import pytest
from tests.engines.specialised.compared import hold_directions, is_right

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after
from chainrules.engines.specialised.running.shown import text_of
from chainrules.testing import check_grads

X = np.array([0.7, 1.3, -0.4])


def columns(x):
    points = [(x[0], x[1]), (x[1] ** 2, x[2]), (x[2], 2.0)]
    xs, ys = zip(*points, strict=False)
    return sum(xs) * ys[0] + ys[1] * ys[2]


def of_uneven_rows(x):
    rows = [[x[0], x[1], x[2]], [x[1], x[2]]]
    return sum(np.prod(c) for c in zip(*rows))  # noqa: B905


def mapped_columns(x):
    made = []
    for i in range(4):
        made.append((x[i % 3] * i, np.sin(x[i % 3])))
    a, b = map(np.array, zip(*made))  # noqa: B905
    return a @ b


def pairs_as_tuples(x):
    total = 0.0
    for p in zip(x, x[::2]):  # noqa: B905
        total += p[0] * p[1] ** 2
    for i, p in enumerate(zip(x, x[::-1])):  # noqa: B905
        total += i * p[0] * p[1]
    together = list(zip(x, x**2))  # noqa: B905
    return total + together[0][1] * together[2][0]


def places(x):
    A, total = np.outer(x, x), 0.0
    for i, j in np.ndindex(A.shape):
        total += A[i, j] * (i - j) ** 2
    for (i, j), v in np.ndenumerate(A):
        total += v * v * i * j + v
    return total


def places_that_are_written_to(x):
    A = np.outer(x, x)
    for i, j in np.ndindex(A.shape):
        if i > j:
            A[i, j] += A[j, i] ** 2
    B = np.zeros((2, 3))
    for i, j in np.ndindex(2, 3):
        B[i, j] = x[j] * (i + 1)
    return np.sum(A * np.arange(9.0).reshape(3, 3)) + np.sum(B**2)


PROGRAMS = [columns, of_uneven_rows, mapped_columns, pairs_as_tuples, places, places_that_are_written_to]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_programs(f):
    assert is_right(f, X)
    hold_directions(f, X)


def test_places_of_what_a_loop_writes_to():
    check_grads(places_that_are_written_to, X, order=2)


def changes_a_later_pair(x):
    items, total = [x[0], x[1], x[2]], 0.0
    for p in zip(items, items, strict=False):
        items[1] = p[0] * 2
        total += p[0] * p[1]
    return total


def doubled(t):
    return t * 2


def changes_what_is_mapped(x):
    items, total = [x[0], x[1], x[2]], 0.0
    for v in map(doubled, items):
        items[2] = v
        total += v
    return total


def changes_what_is_filtered(x):
    y, total = x * 1.0, 0.0
    for v in (2 * t for t in y if t > -9):
        y[2] = v
        total += v * v
    return total


CHANGING = [changes_a_later_pair, changes_what_is_mapped, changes_what_is_filtered]


@pytest.mark.parametrize("f", CHANGING, ids=lambda f: f.__name__)
def test_items_are_taken_when_their_turn_comes(f):
    with specialised_after(1):
        for _ in range(3):
            cr.grad(f)(X)
    assert not text_of(f)
    check_grads(f, X)
