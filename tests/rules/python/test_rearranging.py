"""Sorts, heaps and the methods of a deque, against differences; heaps against `heapq` itself."""

import copy
import heapq
import types
from collections import deque
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.rules.cases import case, constant, normal

from chainrules.rules.python import rearranging
from chainrules.testing import check_grads, check_rule

QUEUE = deque([1.0, 2.0, 3.0])
SHORT = deque([1.0, 2.0], 2)
HEAP = [-1.0, 0.5, 2.0, 3.0, 0.75]
CASES = [
    case(list.sort, [3.0, 1.0, 2.0]),
    case(list.sort, [3.0, -1.0, 2.0], key=abs, reverse=True),
    case(list.sort, []),
    case(deque.append, QUEUE, 4.0),
    case(deque.append, SHORT, normal(2), why="the first is dropped"),
    case(deque.appendleft, QUEUE, 4.0),
    case(deque.appendleft, SHORT, 4.0, why="the last is dropped"),
    case(deque.pop, QUEUE),
    case(deque.popleft, QUEUE),
    case(deque.extend, QUEUE, [4.0, normal(2)]),
    case(deque.extend, SHORT, (4.0, 5.0, 6.0), why="all are dropped, and one of the new ones"),
    case(deque.extendleft, QUEUE, deque([4.0, 5.0])),
    case(deque.rotate, QUEUE),
    case(deque.rotate, QUEUE, constant(-2)),
    case(deque.reverse, QUEUE),
    case(deque.remove, deque([1.0, 2, 3.0]), 2),
    case(deque.clear, QUEUE),
    case(heapq.heapify, [3.0, -1.0, 2.0, 0.5]),
    case(heapq.heappop, HEAP),
    case(heapq.heappop, [1.0]),
    case(heapq.heappush, HEAP, -2.0),
    case(heapq.heappush, [], 1.0),
    case(heapq.heapreplace, HEAP, 1.0),
    case(heapq.heappushpop, HEAP, 1.0),
    case(heapq.heappushpop, HEAP, -2.0, why="it comes back"),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


OPERATIONS: dict[Any, Any] = {
    heapq.heapify: rearranging._made,
    heapq.heappop: rearranging._popped,
    heapq.heappush: rearranging._pushed,
    heapq.heapreplace: rearranging._replaced,
    heapq.heappushpop: rearranging._pushed_and_popped,
}


class Item:
    """Items compare by their numbers and stay apart, so that ties show."""

    def __init__(self, number):
        self.number = number

    def __lt__(self, other):
        return self.number < other.number


@given(st.sampled_from(list(OPERATIONS)), st.lists(st.integers(0, 4), min_size=1), st.integers(0, 4))
def test_places_are_those_of_heapq(f, numbers, number):
    heap = [Item(n) for n in numbers]
    more: tuple[Item, ...] = ()
    if f is not heapq.heapify:
        heapq.heapify(heap)
        more = () if f is heapq.heappop else (Item(number),)
    order, taken = OPERATIONS[f](heap, *more)
    before = [*heap, *more]
    value = f(heap, *more)
    assert heap == [before[i] for i in order]
    assert taken is None or before[taken] is value


def window(x):
    last: deque = deque(maxlen=2)
    total = 0.0
    for v in x:
        last.append(v)
        total += sum(last) * last[0]
    last += [x[0] ** 2]
    last[0] = last[1] * 3.0
    return total * last[0]


def waiting(x):
    queue, total = deque([x[0]]), 0.0
    while queue:
        v = queue.popleft()
        total += v**2
        if v > 0.2:
            queue.append(v * 0.5 * x[1])
    return total


def events(x):
    heap, total = [(x[0] ** 2, 0)], 0.0
    while heap:
        at, i = heapq.heappop(heap)
        total += at * (i + 1)
        if i < 2:
            heapq.heappush(heap, (at + x[i + 1] ** 2, i + 1))
    rows = [(v, i) for i, v in enumerate(x)]
    rows.sort(key=lambda row: -row[0])
    return total + rows[0][0] ** 3


class Node:
    def __init__(self, value, items):
        self.value = value
        self.items = items


def copies(x):
    node = Node(x[0] * 2, [x[1], x[2] ** 2])
    shallow, deep = copy.copy(node), copy.deepcopy(node)
    shallow.value = shallow.value**2
    shallow.items.append(x[2])
    deep.items[0] *= x[0]
    return node.value * shallow.value * node.items[2] * deep.items[0] * len(deep.items)


def held_by_a_heap(x):
    row: list[float] = [1.0]
    node: Any = Node(x[0], [])
    heap = [(x[0], row)]
    heapq.heapify(heap)
    heapq.heappush(heap, (x[2], row))
    row[0] = x[1]
    names = types.SimpleNamespace(kept=x[0] ** 2)
    setattr(node, "items", row)  # noqa: B010  # what is tried
    row.append(x[2])
    for name, v in zip(("value", "other"), x, strict=False):
        setattr(node, name, v * names.kept)
    _, first = heapq.heappop(heap)
    return first[0] * heap[0][1][0] * node.items[1] * node.value * node.other


@pytest.mark.parametrize("f", [held_by_a_heap, window, waiting, events, copies])
def test_programs(f):
    check_grads(f, np.array([1.3, 0.9, 0.7]), order=2)
