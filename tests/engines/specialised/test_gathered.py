"""Lists of objects and of lists that a loop fills: specialised, right, and right where they are not."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from tests.engines.specialised.compared import differences, is_right

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after

X = np.array([0.5, 1.2, -0.3, 0.8, 0.9, -1.1])


@dataclass
class Body:
    pos: Any
    vel: Any
    mass: float = 1.0


def bodies(x):
    every = [Body(x[2 * i : 2 * i + 2], np.array([0.0, 0.1 * i]), 1.0 + x[i] ** 2) for i in range(3)]
    for _ in range(4):
        pulls = []
        for i, b in enumerate(every):
            a = np.zeros(2)
            for j, c in enumerate(every):
                if i != j:
                    d = c.pos - b.pos
                    a = a + c.mass * d / (np.sum(d * d) + 0.5) ** 1.5
            pulls.append(a)
        for b, a in zip(every, pulls, strict=True):
            b.vel = b.vel + 0.05 * a
            b.pos = b.pos + 0.05 * b.vel
    return sum(np.sum(b.pos**2) for b in every)


def appended_one_by_one(x):
    first = Body(x[0], x[1])
    every = []
    every.append(first)
    every.append(Body(x[2], x[3]))
    for b in every:
        b.pos = b.pos * b.vel
    return first.pos * every[1].pos + x[4]


def the_same_one_several_times(x):
    one = Body(x[0], 0.0)
    every = [one for _ in range(3)]
    for b in every:
        b.pos = b.pos * x[1] + x[2]
    return one.pos * every[2].pos


def names_of_several_loops(x):
    every = []
    for i in range(len(x)):
        b = Body(x[i], 0.0)
        every.append(b)
    for b in every:
        b.vel = 2.0 * b.pos
    for i, b in enumerate(every):
        b.pos = b.pos + i * b.vel
    return sum(b.pos * b.vel for b in every) * every[0].pos


def what_a_loop_leaves_behind(x):
    every = [Body(x[i], 1.0) for i in range(3)]
    for b in every:
        b.vel = b.vel * b.pos
    return b.vel * x[5] + every[0].vel


def alignment(x):
    n = len(x)
    table = [[0.0] * (n + 1) for _ in range(n + 1)]
    for i in range(1, n + 1):
        for j in range(1, n + 1):
            least = min(table[i - 1][j], table[i][j - 1], table[i - 1][j - 1])
            table[i][j] = least + (x[i - 1] - 0.5 * x[j - 1]) ** 2
    return table[n][n]


def product_of_lists(x):
    a = [[x[2 * i + j] for j in range(2)] for i in range(3)]
    b = [[sum(a[i][k] * a[j][k] for k in range(2)) for j in range(3)] for i in range(3)]
    return b[0][1] * b[2][2] + b[1][0]


def one_row_several_times(x):
    row = [x[0], x[1]]
    rows = [row for _ in range(3)]
    rows[0][1] = x[2] * x[3]
    rows[2][0] = rows[1][1] * x[4]
    return row[0] * row[1]


def parameters_by_name(x):
    layers = []
    for i in range(2):
        layers.append({"w": x[3 * i], "b": x[3 * i + 1]})
    y = x[2]
    for layer in layers:
        y = np.tanh(layer["w"] * y + layer["b"])
    return y


def layers(x):
    sizes = [1, 2, 1]
    k = 0
    weights = []
    for a, b in zip(sizes[:-1], sizes[1:], strict=True):  # noqa: RUF007  as people write it
        weights.append(x[k : k + a * b].reshape(b, a))
        k += a * b
    h = np.array([0.3])
    for w in weights:
        h = np.tanh(w @ h)
    return np.sum(h)


SPECIALISED = [
    layers,
    bodies, appended_one_by_one, the_same_one_several_times, names_of_several_loops, alignment,
    product_of_lists, one_row_several_times, parameters_by_name,
]  # fmt: skip


@pytest.mark.parametrize("f", SPECIALISED)
def test_right_and_specialised(f):
    assert is_right(f, X)


def a_row_in_the_place_of_another(x):
    rows = [[x[0], x[1]] for _ in range(2)]
    rows[1] = rows[0]
    rows[0][0] = x[2] ** 2
    return rows[1][0] * rows[1][1]


def one_that_grows_later(x):
    every = [Body(x[i], 0.0) for i in range(2)]
    every.append(Body(x[2], x[3]))
    every[0].pos = x[4] ** 2
    return sum(b.pos * (1.0 + b.vel) for b in every)


def filled_as_far_as_needed(x):
    every = []
    for i in range(6):
        if x[i] < 0:
            break
        every.append(Body(x[i] ** 2, 0.0))
    for b in every:
        b.vel = b.pos * x[3]
    return sum(b.vel for b in every)


def filled_where_positive(x):
    every = []
    for i in range(6):
        if x[i] > 0:
            every.append(Body(x[i] ** 2, 0.0))
    return sum(b.pos * b.pos for b in every)


def one_that_another_replaces(x):
    b = Body(x[0], x[1])
    every = [b]
    b = Body(x[2], x[3])
    every.append(b)
    b.pos = x[4] * x[5]
    return every[0].pos * every[1].pos


def by_an_index_that_is_computed(x):
    rows = [[x[0] * i, x[1]] for i in range(3)]
    k = int(np.argmax(x)) % 3
    rows[k][1] = x[2] * x[3]
    return rows[0][1] + rows[1][1] * rows[2][0] + rows[k][1]


def one_that_grows_as_it_is_gone_through(x):
    every = [x[0], x[1]]
    for v in every:
        if len(every) < 6:
            every += [v * x[2]]
    return sum(every)


def a_count_that_a_loop_changes(x):
    rows = [[x[0], x[1]] for _ in range(4)]
    total = 0.0
    for i in range(3):
        k = i + 1
        total = total + rows[k][0] * x[k]
        rows[k][1] = x[i] * x[k]
    more = [[x[j]] for j in range(k)]
    return total + more[2][0] * rows[1][1] + rows[3][1]


OTHERS = [
    a_count_that_a_loop_changes,
    one_that_grows_as_it_is_gone_through,
    what_a_loop_leaves_behind,
    a_row_in_the_place_of_another, one_that_grows_later, filled_as_far_as_needed, filled_where_positive,
    one_that_another_replaces, by_an_index_that_is_computed,
]  # fmt: skip


@pytest.mark.parametrize("f", OTHERS)
def test_right_whether_specialised_or_not(f):
    is_right(f, X)


@pytest.mark.parametrize("f", [alignment, names_of_several_loops])
def test_other_sizes_have_their_own_answers(f):
    with specialised_after(1):
        for size in (6, 6, 6, 4, 4, 6, 5, 3):
            x = X[:size] * 1.1
            np.testing.assert_allclose(cr.grad(f)(x), differences(f, x), rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("f", [bodies, alignment])
def test_second_derivatives(f):
    v = np.cos(np.arange(6.0))
    with specialised_after(1):
        for _ in range(4):
            found = cr.hvp(f, X, v)
    g = cr.grad(f)
    np.testing.assert_allclose(found, (g(X + 1e-6 * v) - g(X - 1e-6 * v)) / 2e-6, rtol=1e-5, atol=1e-6)
