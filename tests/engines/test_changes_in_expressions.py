"""Calls that change what they are given, within expressions, in tests, and in what has no derivative."""

from typing import Any

import numpy as np
import pytest
from tests.engines.table import Table, check

from chainrules.testing import check_grads

table = Table()
X = np.array([1.3, 0.7, -0.4])


def shifted(z, k):
    old = z[0]
    z[0] = old * 0.5 + k
    return old * k


class Tank:
    def __init__(self, w):
        self.w = w * w
        self.parts = np.array([w, w * 2])

    def taken(self, k):
        self.w = self.w * 0.5
        return self.w * k


@table(X)
def names_read_after(x):
    a = x.copy()
    b, c = a, a[:2]
    b = b * (shifted(a, x[2]) + np.sum(c)) + c[0]
    return np.sum(b) * shifted(a, b[1]) + a[0]


@table(X)
def views_read_before(x):
    a, z = x * 1.0, np.ones(3)
    first = np.sum(a[:2] * shifted(a, x[2])) + np.sum(z[1:] * 2.0 * shifted(z[1:], x[1])) * z[1]
    r, s = a[1:], shifted(a[1:], x[0])
    return first * np.sum(r) * s


@table(X)
def lists_and_objects(x):
    q, o = [x[0] * 2, x[1], x[2]], Tank(x[0])
    r, held = q, lambda: o.w * x[1]
    total = q.pop() + sum(v * w for v in r for w in q) + o.taken(x[1]) * held()
    q.append(q.pop(0) * sum(r))
    o.parts[0] += shifted(o.parts, o.taken(x[2]))
    return total + sum([q.pop(), *r]) * o.parts @ o.parts


@table(X)
def changing_tests(x):
    a, r, o = x * 1.0, [x[0], x[1], x[2], 2.0 * x[0]], Tank(x[1])
    if shifted(a, x[1]) > -9.0 and o.taken(x[0]) < 9.0:
        r.append(a[0])
    elif r.pop() > 9.0:
        return 0.0
    while 0.0 < r.pop() < 9.0 or a[0] > 9.0:
        a[1] = a[1] * 2.0
    else:
        a[2] = a[2] * o.w
    assert o.taken(1.0) >= 0.0
    n = len([r.pop()]) + (not shifted(a, 2.0)) + (0 if r.pop(0) > 9.0 else 1)
    for _ in range(int(shifted(a, 1.0) * 0.0) + 2):
        o.w *= 1.5
    return np.sum(a) * o.w * n


@table(X)
def names_without_a_value_yet(x):
    a, s = x * 1.0, 0.0
    for k in range(3):
        a[0] = a[0] * 2.0
        if k:
            s = s + v[0]  # noqa: F821  bound below
        v: Any = a  # noqa: F841  the same
    a[1] = s
    return s * np.sum(a)


@table(X)
def a_recursive_function_defined_in_a_loop(x):
    o, s = Tank(x[1]), 1.0
    o.w = o.w * x[0]
    for _ in range(2):

        def deeper(v, n):
            return v if n == 0 else deeper(v * 0.5 + o.w, n - 1) * x[0]

        s = deeper(s, 2)
    return s


@table(X)
def entries_read_before(x):
    d = {"k": x[2], "m": 0.4}
    d = {**d, "k": max(x[0], d.setdefault("z", x[1]))}
    e = dict(k=x[0], **d, n=d.pop("k") * len(d)) if "z" in d else {**d, **{"n": d.pop("m") * x[1]}, **d}
    return sum(v * (i + 1) for i, v in enumerate([*d.values(), *e.values()])) * len(e)


class Level:
    def __init__(self, w):
        self.w = w

    def halved(self, k):
        self.w = self.w * 0.5
        return self.w * k


@table(X)
def in_the_places_of_stores(x):
    level, a, b = Level(x[1]), x * 1.0, [x[0], x[1], x[2]]
    a[x * level.halved(1.0) > 0.3] = b[int(level.halved(1.0) > 0)] = level.w
    (a[int(level.halved(2.0) < 0)], (s, *b[: len(b[:2])])) = level.w, (x[0], level.w * x[2], x[1])
    del b[int(level.halved(1.0) > 0)]
    order, c = [0, 1, 2], np.zeros(3)
    while order:
        c[order.pop()] = a[order[-1] if order else 2]
    return np.sum(c * x) * level.w + s * sum(b)


@pytest.mark.parametrize(("f", "x"), table.rows)
def test_changes_within_expressions(f, x):
    check(f, x)


def test_they_nest():
    check_grads(names_read_after, X, order=2)
    check_grads(changing_tests, X, order=2)
