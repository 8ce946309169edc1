"""Functions that change what they are given, called by a variable: methods kept for speed, and others."""

import heapq
from typing import Any

import numpy as np
import pytest
from tests.engines import rightly
from tests.engines.table import Table, check

import chainrules as cr
from chainrules.core.caches import invalidate

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


def left(u):
    u[0] = u[1] ** 2


def right(u):
    u[-1] = 2 * u[-2]


ENDS = {"left": left, "right": right}


def smoothed(u, boundary, steps=2):
    for _ in range(steps):
        boundary(u)
        u[1:-1] = 0.8 * u[1:-1] + 0.1 * (u[2:] + u[:-2])


def ended(x, boundary):
    u = np.concatenate([x, x])
    boundary(u)
    return u


@table(POINT, True)
@table(POINT, False)
def boundary_conditions(x, first):
    u = np.concatenate([x, x])
    kept = u

    def middle(v):
        v[2] *= x[0]

    for bc in (left, right, middle, lambda v: np.copyto(v[1:2], x[2])):
        bc(u)
    for bc in ENDS.values():
        bc(u)
    (left if first else right)(u)
    ENDS["right"](u=u)
    smoothed(u, left)
    return np.sum(kept**2) * np.sum(ended(x, boundary=left) ** 2)


class Fixed:
    def __init__(self, value):
        self.value = value

    def __call__(self, u):
        u[0] = self.value


class System:
    def __init__(self, k, terms):
        self.k, self.terms, self.calls = k, terms, 0

    def rhs(self, y, out):
        self.calls += 1
        out[:] = -self.k * y
        for term in self.terms:
            term(y, out)

    def solve(self, y, steps=3):
        rhs, out = self.rhs, np.zeros_like(y)
        for _ in range(steps):
            rhs(y, out)
            y = y + 0.1 * out
        return y


def cubic(y, out):
    out[0] += y[1] ** 3


def stepped(f, y):
    k = np.zeros_like(y)
    f(y, k)
    return y + 0.1 * k


@table(POINT)
def fields_and_methods(x):
    system = System(x[0], [cubic])
    y = stepped(system.rhs, system.solve(x * x))
    for bc in [Fixed(x[1] ** 2), Fixed(x[2])]:
        bc(y)
        x = x + y
    return np.sum(x * y) * system.calls


def drift(state):
    state["q"] += 0.1 * state["p"]


def kick(state):
    state["p"] -= 0.1 * np.sin(state["q"])


@table(POINT)
def parts_of_a_step(x):
    state = {"q": x.copy(), "p": x * 2}
    steps = [drift, kick]
    for _ in range(2):
        for step in steps:
            step(state)
    return np.sum(state["q"] ** 2)


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


@pytest.mark.parametrize("mode", [rightly.grad, lambda f: lambda x: rightly.jvp(f, (x,), (x,))])
@pytest.mark.parametrize("f", [read_by_a_kept_method, changed_by_a_kept_method])
def test_a_method_that_was_kept_before_its_object_changed(f, mode):
    mode(f)(POINT)


def test_what_comes_with_the_arguments_changes_them():
    plain = POINT.copy()
    left(plain)
    for by_name in (False, True):
        x = POINT.copy()
        gradient = cr.grad(ended_sum)(x, boundary=left) if by_name else cr.grad(ended_sum)(x, left)
        np.testing.assert_allclose(gradient, [0.0, 2 * POINT[1] + 4 * POINT[1] ** 3, 2 * POINT[2]])
        np.testing.assert_array_equal(x, plain)


def ended_sum(u, boundary):
    boundary(u)
    return np.sum(u**2)


def as_a_key(x):
    rows = [x * 1.0, x * 2.0]
    rows.append(sorted(rows, key=lambda u: left(u) or u[0])[0])
    return np.sum(rows[0] ** 2)


def in_a_map(x):
    rows = [x * 1.0, x * 2.0]
    list(map(left, rows))
    return np.sum(rows[0] ** 2)


@pytest.mark.parametrize("f", [as_a_key, in_a_map])
def test_functions_of_libraries_that_call_them_are_right_or_refused(f):
    rightly.or_refused(lambda: rightly.grad(f)(POINT))


class Filling:
    """Its `extend` changes what it is given, which says nothing of the lists' own."""

    def __init__(self, k):
        self.k = k

    def extend(self, out):
        out[0] = self.k


def test_methods_of_other_classes_say_nothing_of_what_runs_inside():
    def shared(x):
        Filling(x).extend([x])
        a = [[x]]
        b: list[list[float]] = []
        b += a
        b[0].append(x * x)
        return sum(a[0])

    invalidate()  # as a new rule does
    assert cr.grad(lambda filling: filling.k**2)(Filling(2.0)).k == 4.0
    assert cr.jvp(shared, (1.3,), (1.0,)) == (1.3 + 1.3**2, 1.0 + 2 * 1.3)


class Slotted:
    __slots__ = ("v",)

    def __init__(self, v: Any) -> None:
        self.v = v

    def __getattr__(self, name: str) -> Any:
        raise KeyError(name)


def scaled(slotted: Any, v: Any) -> Any:
    return slotted.v * v


def test_an_object_is_not_asked_for_what_its_class_has_not() -> None:
    assert cr.grad(lambda x: scaled(Slotted(2.0), x))(3.0) == 2.0
    assert cr.grad(lambda x: scaled(Slotted(x), x))(3.0) == 6.0
