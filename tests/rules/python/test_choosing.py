"""What itertools chooses among the items of containers, and `heapq` in sorted ones; copies."""

import copy
import heapq
import itertools
from collections import deque
from typing import Any

import numpy as np
import pytest
from tests.rules.cases import case, normal
from tests.rules.python.test_iteration import made

from chainrules.testing import check_grads, check_rule

NAMES = ("chain", "product", "pairwise", "permutations", "combinations", "combinations_with_replacement")
CHAIN, PRODUCT, PAIRWISE, PERMUTATIONS, COMBINATIONS, REPEATING = (made(getattr(itertools, n)) for n in NAMES)
ISLICE, COMPRESS, MERGE = made(itertools.islice), made(itertools.compress), made(heapq.merge)


def pairs(x):
    return itertools.combinations(x, 2)


CASES = [
    case(CHAIN, [1.0, 2.0], normal(2, 3), (), "ab"),
    case(PRODUCT, [1.0, 2.0], normal(2), deque([3.0])),
    case(PRODUCT, (1.0, 2.0), repeat=2),
    case(PAIRWISE, normal(4)),
    case(PERMUTATIONS, [1.0, 2.0, 3.0]),
    case(COMBINATIONS, normal(4), r=2),
    case(COMBINATIONS, (1.0,), r=2, why="none"),
    case(REPEATING, [1.0, 2.0], r=3),
    case(COMPRESS, normal(3), selectors=(1, 0, 1)),
    case(MERGE, [1.0, 3.0], (0.0, 2.0), np.array([1.5])),
    case(MERGE, [3.0, -1.0], (2.0,), key=abs, reverse=True),
    case(heapq.nlargest, 2, normal(5)),
    case(heapq.nsmallest, 3, [1.0, -2.0, 0.5, 3.0], key=abs),
    case(deque, [1.0, normal(2)]),
    case(deque, normal(4), maxlen=2, why="the last ones"),
    case(deque.copy, deque([1.0, 2.0], 3)),
    case(deque.copy, deque([normal(2).astype("f4")])),
    case(deque.copy, deque()),
    *(case(f, x) for f in (copy.copy, copy.deepcopy) for x in ([1.0, normal(2)], normal(2, 3), 1.5)),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


class Body:
    def __init__(self, place):
        self.place = place
        self.speed = 0.0


def bodies(x):
    every = [Body(v) for v in x]
    for a, b in itertools.combinations(every, 2):
        pull = (a.place - b.place) ** 3
        a.speed -= pull
        b.speed += pull
    return sum(b.speed**2 * (i + 1) for i, b in enumerate(every))


def mixed(x):
    named = dict(zip("abc", x, strict=True))
    counted = dict(zip(range(3), x, strict=True))
    flat = list(itertools.chain.from_iterable([[named["a"], counted[1]], (x[2] ** 2,)]))
    ahead, behind = itertools.tee(flat)
    next(ahead)
    steps = sum((a - b) ** 2 for a, b in zip(ahead, behind, strict=False))
    return steps * max([], default=x[0] ** 2) * min((v for v in flat if v > 9), default=x[1] * x[2])


def started(x):
    sums = list(itertools.accumulate(x, initial=x[0] * x[1]))
    return sums[-1] * sums[1] + max(v for v, _ in itertools.islice(itertools.product(x, "ab"), 3))


def by_scores(x):
    best = max(range(3), key=lambda i: x[i] ** 2)
    least = min(range(len(x)), key=x.__getitem__)
    order = sorted(range(3), key=lambda i: -x[i])
    named: Any = {"a": x[0], "b": x[1]}
    return x[best] * x[least] ** 2 * x[order[1]] ** 3 * named[max(named, key=named.get)]


@pytest.mark.parametrize(("f", "order"), [(bodies, 2), (mixed, 1), (started, 2), (by_scores, 1)])
def test_programs(f, order):
    check_grads(f, np.array([1.3, 0.4, -0.7]), order=order)
