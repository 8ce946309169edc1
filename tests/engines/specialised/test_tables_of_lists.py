"""Dictionaries of lists, and loops over dictionaries that change their entries: specialised, and right."""

from collections import defaultdict, deque
from typing import Any

import numpy as np
import pytest

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after

from .compared import differences, hold_directions, is_right

X = np.array([0.5, 1.2, 0.3, 0.8, 0.9, 0.1])


def grouped(x):
    groups: dict[Any, Any] = {}
    for i, v in enumerate(x):
        groups.setdefault(i % 3, []).append(v)
    means = {k: sum(vs) / len(vs) for k, vs in groups.items()}
    return sum((v - means[i % 3]) ** 2 * i for i, v in enumerate(x))


def with_defaults(x):
    groups: Any = defaultdict(list)
    for i, v in enumerate(x):
        groups[i % 4].append(v * i)
    return sum(max(vs) * (k + 1) for k, vs in groups.items())


def made_where_they_are_missing(x):
    groups: dict[Any, Any] = {}
    for i, v in enumerate(x):
        k = i % 3
        if k not in groups:
            groups[k] = []
        groups[k].append(v)
    total = 0.0
    for k in sorted(groups):
        total += sum(groups[k]) ** 2
    return total


def over_a_graph(x):
    graph, value, queue = {0: [1, 2], 1: [3], 2: [3, 4], 3: [5], 4: [5], 5: []}, {0: x[0]}, deque([0])
    while queue:
        u = queue.popleft()
        for v in graph[u]:
            if v not in value:
                queue.append(v)
            value[v] = value.get(v, 0.0) + value[u] * x[v]
    return value[5]


def entries_that_change_before_their_turn(x):
    d, total = {i: x[i] for i in range(3)}, 0.0
    for k, v in d.items():
        d[(k + 1) % 3] = d[(k + 1) % 3] + v
        total += v * (k + 1)
    return total


def every_entry_is_set(x):
    d, total = {}, 0.0
    for i in range(4):
        d[i] = x[i]
    for k, v in d.items():
        d[k] = v * v
    for v in d.values():
        d[3] = d[3] * x[5]
        total = total * 0.5 + v
    return total + sum(d.values())


def copied_before(x):
    d, total = {i: x[i] for i in range(3)}, 0.0
    for v in list(d.values()):
        d[0] = d[0] * v
        total += v
    return total + d[0] + sum(k * v for k, v in sorted(d.items()))


ALL = [
    *(grouped, with_defaults, made_where_they_are_missing, over_a_graph),
    *(entries_that_change_before_their_turn, every_entry_is_set, copied_before),
]


@pytest.mark.parametrize("f", ALL)
def test_gradients(f):
    assert is_right(f, X)


@pytest.mark.parametrize("f", ALL)
def test_directions(f):
    hold_directions(f, X)


def test_lists_that_grow_in_a_loop_over_them():
    def f(x):
        d = {i: [x[i]] for i in range(3)}
        for k, vs in d.items():
            vs.append(x[3] * k)
            d[2].append(vs[0])
        return sum(sum(vs) * (k + 1) for k, vs in d.items())

    is_right(f, X)


def test_a_dictionary_that_grows_in_a_loop_over_it_raises_as_ever():
    def f(x, more):
        d, total = {1: x[0], 2: x[1]}, 0.0
        for k, v in d.items():
            total += v * k
            if more:
                d[k + 5] = v
        return total

    with specialised_after(1):
        for _ in range(4):
            np.testing.assert_allclose(cr.grad(f, argnums=0)(X, False)[:2], [1.0, 2.0])
        with pytest.raises(RuntimeError, match="changed size"):
            cr.grad(f, argnums=0)(X, True)
    assert len(differences(lambda x: f(x, False), X)) == len(X)
