"""Functions that change what they are given, called by a variable: methods kept for speed, and others."""

import heapq

import numpy as np
import pytest
from tests.engines.table import Table, check

import chainrules as cr

table = Table()
POINT = np.array([0.5, -1.2, 0.8])


@table(POINT)
def methods_kept_for_speed(x):
    rows = [1.0]
    for start in (0, 1):
        rows = [x[start] * v for v in rows]
        append, pop = rows.append, rows.pop
        for v in x:
            append(v * v)
        total = pop() * rows[0]
    return total * sum(rows)


@table(POINT)
def kept_in_a_nested_function_and_a_comprehension(x):
    groups: dict[int, list[float]] = {}
    seen: list[float] = []
    push, add = groups.setdefault, seen.append

    def note(i, v):
        push(i % 2, []).append(v * v)
        add(v)

    for i, v in enumerate(x):
        note(i, v)
    [add(v * 2) for v in x]
    return sum(groups[0]) * sum(groups[1]) + sum(seen) ** 2


@table(POINT)
def functions_of_libraries(x):
    push, copyto, at = heapq.heappush, np.copyto, np.add.at
    u = np.zeros(3)
    heap: list[float] = []
    for v in x:
        push(heap, v * v)
    copyto(u, x * x)
    at(u, [0, 1, 1], x)
    return heap[0] * np.sum(u**3)


def applied(g, x):
    total = 0.0
    for v in x:
        total = total + g(v)
    return total


@table(POINT)
def multiplied_where_it_is_handed_on(x):
    scale, turned, calls = [x[0]], x[1], 0

    def g(v):
        nonlocal turned, calls
        scale[0] = scale[0] * 3
        turned = -turned
        calls += 1
        return v * v * calls

    return applied(g, x) + scale[0] * turned


@pytest.mark.parametrize(("f", "x"), table.rows)
def test_what_they_change_agrees_with_differences(f, x):
    check(f, x)


def read_by_a_kept_method(x):
    d: dict[str, float] = {}
    get = d.get
    d["a"] = x[0] ** 2
    return sum(map(get, ["a", "a"]))


def changed_by_a_kept_method(x):
    stack: list[float] = []
    kept = (stack.pop,)
    for v in x:
        stack.append(v * v)
    return kept[0]() * stack[0]


@pytest.mark.parametrize("mode", [cr.grad, lambda f: lambda x: cr.jvp(f, (x,), (x,))])
@pytest.mark.parametrize("f", [read_by_a_kept_method, changed_by_a_kept_method])
def test_a_method_that_was_kept_before_its_object_changed_is_refused(f, mode):
    with pytest.raises(cr.AliasedMutationError, match="after a method of it"):
        mode(f)(POINT)
