"""Items and attributes that are got by functions, means of Python's own, and tuples as texts."""

import functools
import itertools
import operator
import statistics
from operator import itemgetter

import numpy as np
import pytest

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after

from .compared import differences, hold_directions, is_right

X = np.random.default_rng(12).normal(size=6)


class Point:
    def __init__(self, x, y):
        self.x, self.y, self.inner = x, y, None


def by_items(x):
    pairs = [(x[i], x[i + 1], i) for i in range(5)]
    low = min(pairs, key=itemgetter(1))
    order = sorted(pairs, key=operator.itemgetter(0), reverse=True)
    return low[0] * order[0][1] + sum(map(itemgetter(1), pairs[1:3])) + itemgetter(2)(x) ** 2


def by_attributes(x):
    points = [Point(x[i], x[i + 1] ** 2) for i in range(4)]
    high = max(points, key=operator.attrgetter("x"))
    points[0].inner = high
    return getattr(high, "y") * operator.attrgetter("inner.x")(points[0]) + getattr(np, "sin")(x[0])  # noqa: B009


def means(x):
    values = [v * w for v, w in itertools.pairwise(x)]
    return statistics.fmean(values) * statistics.mean(values[:3]) + statistics.stdev(values) * x[0]


def what_there_is(x):
    softplus = np.softplus if hasattr(np, "softplus") else np.tanh
    y = softplus(x) if hasattr(x, "shape") else x
    return np.sum(y) * (1.0 if hasattr(x[0], "no_such_thing") else x[1])


@pytest.mark.parametrize("f", [by_items, by_attributes, means, what_there_is])
def test_idioms_of_getting(f):
    assert is_right(f, X)
    hold_directions(f, X)


def tuples_as_texts(x):
    t = (3,)
    known = {"3": x[0], "(3,)": x[1] * 5.0}
    return known[f"{t}"] * x[2] + known[str(t)]


def test_tuples_as_texts():
    with specialised_after(1, compared=True):
        for k in range(3):
            x = X + k
            np.testing.assert_allclose(
                cr.grad(tuples_as_texts)(x), differences(tuples_as_texts, x), rtol=1e-6
            )


def scaled(f):
    @functools.wraps(f)
    def wrapped(*args, **words):
        return f(*args, **words) * wrapped.scale  # type: ignore[attr-defined]

    wrapped.scale = 2.0  # type: ignore[attr-defined]
    return wrapped


@scaled
def squares(x, power=2):
    return np.sum(x**power)


def by_attributes_of_functions(x):
    return squares(x) + squares(x, power=3) * squares.scale


def test_attributes_of_functions():
    assert is_right(by_attributes_of_functions, X)
    hold_directions(by_attributes_of_functions, X)
    for scale in (3.0, np.float64(4.0), 5, 2.0):
        squares.scale = scale
        for _ in range(2):
            found = cr.grad(by_attributes_of_functions)(X)
            np.testing.assert_allclose(found, differences(by_attributes_of_functions, X), rtol=1e-6)


class Told:
    def __init__(self, x):
        self.x = x
        self.asked = []

    def __getattr__(self, name):
        self.asked.append(name)
        return 2.0


def test_objects_that_find_attributes_by_a_method():
    def f(x):
        told = Told(x)
        y = x * 3.0 if hasattr(told, "anything") else x
        return np.sum(y) * len(told.asked)

    for _ in range(5):
        np.testing.assert_allclose(cr.grad(f)(X), differences(f, X), rtol=1e-6)
