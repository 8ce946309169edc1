"""What is gone through: classes with `__iter__`, `flat`, texts, counts without end, `reversed`, `prod`."""

import functools
import itertools
import math
import operator
from typing import Any

import numpy as np
import pytest
from tests.engines.specialised.compared import by_ordinary, hold_directions
from tests.engines.specialised.test_idioms_specialised import VECTOR, hold_specialised

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after


class Pair:
    def __init__(self, a: Any, b: Any) -> None:
        self.a, self.b = a, b

    def __iter__(self) -> Any:
        return iter((self.a, self.b))


class Yielding(Pair):
    def __iter__(self) -> Any:
        yield from (self.a, self.b * 2.0)


class Around:
    def __init__(self, inner: Any) -> None:
        self.inner = inner

    def __iter__(self) -> Any:
        return iter(self.inner)


def classes_that_are_gone_through(x):
    a, b = Pair(x[0], x[1])
    (c, d), e = Yielding(x[2], x[3]), a * b
    v, *rest = Around(Yielding(a, c))
    total = sum(u * u for u in Pair(a, d)) + sum([*Yielding(e, c), 1.0]) + max(Pair(a, b))
    pairs = [Pair(x[i], x[i + 1]) for i in range(3)]
    return total + np.hypot(*Pair(v, rest[0])) + sum(p * q for p, q in pairs) + np.prod(list(Around(x)))


def generators_taken_apart(x):
    def ends(y):
        yield y[0] * 2.0
        yield y[-1]

    first, last = ends(x)
    return first * last


def keys_taken_apart(x):
    d = {"a": x[0], "b": x[1]}
    first, last = d
    return d[first] * d[last] ** 2


def entries_in_their_order(x):
    table, total = np.outer(x, x), 0.0
    for i, v in enumerate(table.T.flat):
        total += i * v**2
    return total + sum(math.sin(v) for v in table.flat if v > 1.07) + max(table.flat)


def letters(x):
    steps, total = {"+": operator.add, "*": operator.mul}, 1.0
    for k in "+*+":
        total = steps[k](total, x[0])
    counts = dict.fromkeys("abc", 0.0)
    for i, k in enumerate("abca"):
        counts[k] = counts[k] + x[i] ** 2
    one = [x[1]]
    shared = dict.fromkeys(("p", "q"), one)
    shared["p"].append(x[2])
    return total * counts["a"] + counts["b"] * sum(shared["q"]) * len(dict.fromkeys(["u"]))


def counts_without_end(x):
    total, last = x[0], 0
    for i in itertools.count(1, 2):
        if i % 3 == 0:
            continue
        total = total * 0.9 + x[i % 4] * i
        if i > 12:
            last = i
            break
    for k in itertools.count():
        if x[k] > 1.0:
            return total * last + k * x[k]
    return total


def left_in_the_last_turn(x):
    total = x[0]
    for k, v in ((0, x[1]), (1, x[2])):
        if k > 0 and v > -9.0:
            total = total * v
            break
        total = total + v**2
    return total


def folded_from_the_end(x):
    horner = functools.reduce(lambda a, b: a * 1.3 + b, reversed(x))
    return (
        horner
        + math.prod(v + 1.0 for v in x) * math.prod([x[0], 2], start=3.0)
        + sum(reversed([*x[:2], 1.0]))
    )


def products_of_few(x):
    total = 0.0
    for k in range(4):
        total = total + math.prod(x[:k]) * math.prod(x[i] * 0.5 for i in range(k))
    return total + math.prod(x.shape) * x[0] + np.sum(math.prod([x, x[0] * x, x]))


def places_as_tuples(x):
    table, y = np.outer(x, x), np.zeros((4, 4))
    total: Any = 0.0
    for i in np.ndindex(table.shape):
        y[i] = np.sin(table[i]) * x[i[0]]
        if i == (3, 1):
            break
    for k in np.ndindex(2, 2):
        y[k] = y[k] ** 2 + x[k[1]]
    for place, v in np.ndenumerate(y):
        total = total + v * table[place]
        y[place] = total
    return (
        total + sum(table[i] ** 3 for i in np.ndindex(*table.shape)) + sum(x[i] for i in np.ndindex(len(x)))
    )


PROGRAMS = [
    places_as_tuples,
    products_of_few,
    classes_that_are_gone_through,
    generators_taken_apart,
    keys_taken_apart,
    entries_in_their_order,
    letters,
    counts_without_end,
    folded_from_the_end,
    left_in_the_last_turn,
]


@pytest.mark.parametrize("f", PROGRAMS)
def test_gone_through(f: Any) -> None:
    hold_specialised(f)


@pytest.mark.parametrize(
    "f", [classes_that_are_gone_through, places_as_tuples, entries_in_their_order, folded_from_the_end]
)
def test_their_directions(f: Any) -> None:
    hold_directions(f, VECTOR)


def entries_that_change_meanwhile(x):
    y, total = np.outer(x, x), 0.0
    for v in y.flat:
        total = total + v
        y[3, 3] = total
    return total


def an_item_of_flat(x):
    entries = np.outer(x, x).flat
    return entries[3] * x[0]


@pytest.mark.parametrize("f", [entries_that_change_meanwhile, an_item_of_flat])
def test_left_to_the_ordinary_program(f: Any) -> None:
    with specialised_after(1):
        for k in range(3):
            np.testing.assert_allclose(cr.grad(f)(VECTOR + k), by_ordinary(f, VECTOR + k), rtol=1e-12)


def by_a_tuple(x, place):
    y = np.outer(x, x)[place]
    return np.sum(y @ y)


def along(x, axes):
    y = np.sum(np.multiply.outer(np.outer(x, x), x), axes)
    return np.sum(y @ y)


def test_tuples_of_another_length_in_a_later_call() -> None:
    def planes(x, place):
        y = np.multiply.outer(np.outer(x, x), x)[place]
        return np.sum(y @ y)

    with specialised_after(1):
        for f, tuples in [(planes, [(0, 1), (1, 2), (1,), (2, 0)]), (along, [(0, 1), (0, 2), (1,), (2,)])]:
            for given in tuples:
                for _ in range(2):
                    expected = by_ordinary(f, VECTOR, given)
                    np.testing.assert_allclose(cr.grad(f)(VECTOR, given), expected, rtol=1e-12)
