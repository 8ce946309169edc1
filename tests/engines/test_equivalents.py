"""Functions of Python's library that do what a line of Python does."""

import collections
import dataclasses
import functools
import operator
from typing import Any, NamedTuple

import numpy as np
import pytest
from tests.engines.table import Table, check

import chainrules as cr

table = Table()


class Point:
    def __init__(self, v):
        self.v = v
        self.inner = self.v * 3.0

    def scaled(self, k, by=1.0):
        return self.v * k * by


@table(2.0)
def getters(x):
    a, b = operator.itemgetter(0, 2)([x, x * x, 3 * x])
    c = operator.itemgetter("k")({"k": x})
    d, e = operator.attrgetter("v", "inner")(Point(x))
    return a * b * c + d * e


@table(2.0)
def getters_as_functions(x):
    pairs, points = [(0, x), (1, x * x)], [Point(x), Point(x * x)]
    first = sorted(pairs, key=operator.itemgetter(1))[0][1]
    s = sum(map(operator.itemgetter(1), pairs)) * sum(map(operator.attrgetter("v"), points))
    return s * first + sum(map(operator.methodcaller("scaled", x, by=x), points))


@table(2.0)
def operators(x):
    y = operator.iadd(x, x * x) * operator.call(lambda v: v * x, x)
    return y + sum(operator.concat([x], [x * x, 2.0])) + operator.methodcaller("scaled", x)(Point(x))


@table(2.0)
def operators_that_store(x):
    a: Any = np.zeros(3)
    items, kept = [0.0, x], [x, 2.0]
    operator.setitem(items, 0, a)
    operator.setitem(a, 1, x * x)
    other = kept
    operator.delitem(kept, 0)
    operator.iconcat(kept, [items])
    a[2] = x
    return items[0][1] * len(other) * other[1][0][2]


@table(2.0)
def operators_in_place(x):
    a = np.ones(2)
    b, t, n = a, (x,), 1
    operator.iadd(a, x)
    c = operator.imul(a, x)
    d = [x]
    d = operator.iadd(d, [x * x])
    u, m = operator.iadd(t, (x * x,)), operator.iadd(n, 1)
    return b[0] * c[1] * u[1] * (len(t) + m) + sum(d)


@table(2.0)
def defaults_of_getattr(x):
    return getattr(Point(x), "v", 3.0) * getattr(Point(x), "absent", x * x)


@dataclasses.dataclass(frozen=True)
class Model:
    a: float
    b: float = 2.0
    made: float = dataclasses.field(default=1.0, init=False)


class Pair(NamedTuple):
    a: float
    b: float


Other = collections.namedtuple("Other", "u v")


@table(2.0)
def replacements(x):
    m = dataclasses.replace(Model(x), b=x * x)
    p = Pair(x, x)._replace(b=x * x * x)
    o = Other(x, 1.0)._replace(u=3.0 * x)
    return m.a * m.b * m.made + p.a * p.b + o.u * o.v


@table(2.0)
def keys_that_vary(x):
    def key(k, v):
        return k * v

    ordered = sorted([3 * x, 1.0, x], key=functools.partial(key, x))
    return ordered[0] * ordered[2] * x + max([x, -5.0], key=Point(x).scaled)


@pytest.mark.parametrize(("f", "x"), table.rows)
def test_they_agree_with_differences(f, x):
    check(f, x)


def test_a_rule_of_a_getter_is_the_one_that_answers():
    get = operator.itemgetter(0)

    @cr.rrule(get)
    def first_rrule(x: list):
        def first_pullback(y_bar):
            return (cr.Composite[list](10.0 * y_bar, cr.Zero()),)

        return get(x), first_pullback

    assert cr.grad(lambda x: get([x, 1.0]))(2.0) == 10.0
