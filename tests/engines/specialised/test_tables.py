"""Dictionaries whose keys only a run knows, in specialised programs."""

from collections import defaultdict
from typing import Any

import numpy as np
import pytest

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after
from chainrules.engines.specialised.running.shown import text_of

from .compared import differences, hold_directions

X = np.random.default_rng(3).normal(size=12) * 0.5


def recurrence(x):
    memo: dict[int, Any] = {}
    for n in range(len(x)):
        memo[n] = x[n] if n < 2 else 0.5 * memo[n - 1] + 0.3 * memo[n - 2] * x[n]
    return memo[11]


def groups(x):
    g: defaultdict[int, Any] = defaultdict(float)
    h: defaultdict[str, Any] = defaultdict(lambda: 1.0)
    for i in range(len(x)):
        g[i % 3] += x[i] ** 2
        h["ab"[i % 2]] *= x[i]
    return g[0] * g[1] - g[2] + h["a"] + h["b"] + h["c"]


def shortest_path(x):
    dist: dict[int, Any] = {0: 0.0}
    for u, v in [(0, 1), (1, 2), (0, 2), (2, 3), (1, 3)]:
        d = dist[u] + x[u * 3 + v % 3] ** 2
        if v not in dist or d < dist[v]:
            dist[v] = d
    return dist[3]


def of_pairs(x):
    t: dict[Any, Any] = {}
    for i in range(4):
        for j in range(3):
            a = 0.0
            if (i - 1, j) in t:
                a = t[i - 1, j]
            t[i, j] = max(a, t.get((i, j - 1), 0.0)) + x[3 * i + j] ** 2
    return t[3, 2]


def postfix(x):
    values = {"a": x[0], "b": x[1], "c": x[2]}
    stack: list[Any] = []
    for t in ["a", "b", "*", "c", "+", "a", "*"]:
        if t == "*":
            stack.append(stack.pop() * stack.pop())
        elif t == "+":
            stack.append(stack.pop() + stack.pop())
        else:
            stack.append(values[t])
    return stack.pop()


def gone_through(x):
    c: dict[int, Any] = {}
    for i in range(12):
        c.setdefault(i // 4, 0.0)
        c[i // 4] += x[i] * x[i]
    s = 0.0
    for k, v in c.items():
        s += (k + 1) * v**2
    for k in c:
        s += c[k]
    return s * len(c) + sum(c.values()) + max(c.keys())


class Cache:
    def __init__(self):
        self.known = {}
        self.hits = 0

    def sine(self, k, x):
        if k in self.known:
            self.hits += 1
            return self.known[k]
        v = np.sin(x[k]) * x[k]
        self.known[k] = v
        return v


def of_an_object(x):
    c = Cache()
    s = 0.0
    for i in range(12):
        s += c.sine(i % 5, x) * (i + 1)
    return s * c.hits


def of_arrays(x):
    rows = {i: x[3 * i : 3 * i + 3] for i in range(4)}
    copy = rows.copy()
    copy[1] = copy[0] * 2.0
    return sum(rows[i] @ copy[j] for i, j in [(0, 1), (1, 2), (2, 3)])


PROGRAMS = [recurrence, groups, shortest_path, of_pairs, postfix, gone_through, of_an_object, of_arrays]


@pytest.mark.parametrize("f", PROGRAMS)
def test_gradients(f):
    with specialised_after(1, compared=True):
        for k in range(3):
            cr.grad(f)(X + 0.01 * k)
    with specialised_after(1):
        for _ in range(3):
            found = cr.grad(f)(X)
        assert text_of(f)
    np.testing.assert_allclose(found, differences(f, X), rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("f", PROGRAMS)
def test_directions(f):
    hold_directions(f, X)


def test_keys_may_be_others_in_each_run():
    def f(x):
        t: dict[int, Any] = {}
        for v in x:
            k = int(np.floor(v))
            t[k] = t.get(k, 0.0) + v * v
        return sum(t[k] * (k + 2) for k in t)

    with specialised_after(1):
        for given in ([0.5, 1.5], [0.5, 0.7], [1.2, -0.5], [3.5, 3.6]):
            x = np.array(given)
            np.testing.assert_allclose(cr.grad(f)(x), 2 * x * (np.floor(x) + 2))
        assert text_of(f)


def test_a_key_that_is_not_there_raises_as_ever():
    def f(x):
        t = {0: x[0], 1: x[1]}
        return t[int(x[2])] * 2.0

    with specialised_after(1):
        for _ in range(3):
            cr.grad(f)(np.array([1.0, 2.0, 0.5]))
        with pytest.raises(KeyError, match="5"):
            cr.grad(f)(np.array([1.0, 2.0, 5.5]))
