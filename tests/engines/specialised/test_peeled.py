"""Values of one kind at first and of another later: the first turn of a loop has a text of its own."""

from typing import Any

import numpy as np
import pytest
from tests.engines.specialised.compared import is_right
from tests.engines.specialised.test_gathered import X

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after
from chainrules.engines.specialised.running.shown import text_of


def a_sum_that_begins_with_zero(x):
    total = 0
    for i in range(4):
        total = total + x * i
    return np.sum(total**2)


def added_in_place(x):
    total = 0.0
    for k in (1.0, 2.0, 3.0):
        total += k * x * x
    return np.sum(total**3)


def nothing_at_first(x):
    h: Any = None
    for i in range(4):
        h = np.tanh(x) if h is None else np.tanh(x * i + 0.5 * h)
    return np.sum(h)


def items_and_their_count(x):
    parts, y = [x[:3], x[3:], x[1:4]], 0
    for i, v in enumerate(parts):
        y = v + 0.5 * y * i
    return np.sum(y**2)


class Adam:
    def __init__(self):
        self.m, self.v, self.t = 0, 0, 0

    def step(self, w, g):
        self.t += 1
        self.m = 0.9 * self.m + 0.1 * g
        self.v = 0.99 * self.v + 0.01 * g * g
        return w - 0.1 * self.m / (1 - 0.9**self.t) / (np.sqrt(self.v / (1 - 0.99**self.t)) + 1e-3)


def an_optimiser(x):
    optimiser, w = Adam(), np.zeros(len(x))
    for _ in range(6):
        w = optimiser.step(w, 2.0 * (w - x) + 0.1 * w**3)
    return np.sum(w**2)


def letters_and_numbers(x):
    total, weights = 0, {"a": 1.0, "b": x[1], "c": 3.0}
    for i in range(3):
        total = total + x * i
    s = np.sum(total**2)
    for k in "acb":
        s = s * 0.5 + x[0] * weights[k]
    for n in (2, 0, 1):
        s = s * 0.5 + (x[0], x[1], x[2])[n]
    for k, v in zip("ab", x, strict=False):
        s = s * 0.5 + v * weights[k]
    return s


@pytest.mark.parametrize(
    "f",
    [
        letters_and_numbers,
        a_sum_that_begins_with_zero,
        added_in_place,
        nothing_at_first,
        items_and_their_count,
        an_optimiser,
    ],
)
def test_right_and_specialised(f):
    is_right(f, X, rtol=1e-5)
    with specialised_after(1):
        for _ in range(3):
            cr.grad(f)(X)
        assert text_of(f)


def a_loop_with_no_turn(x, count):
    total = 0
    for i in range(count):
        total = total + x * (i + 1)
    return np.sum(x * total)


def one_that_is_left(x):
    total = 0
    for i in range(6):
        if x[i] < 0:
            break
        total = total + x * x[i]
    return np.sum(total**2)


def one_inside_another(x):
    y = x
    for _ in range(2):
        total = 0
        for k in range(3):
            total = total + np.sin(y) * k
        y = total
    return np.sum(y)


def backwards(x):
    total = 0
    for i in reversed(range(4)):
        total = total + x * i
    for v in reversed([x, 2.0 * x]):
        total = total * v
    return np.sum(total)


def a_field_that_two_branches_set(x):
    optimiser = Adam()
    if x[0] > 0:
        optimiser.m = x
    else:
        optimiser.m = 2.0 * x
    optimiser.v = optimiser.m * x[1]
    return np.sum(optimiser.v)


def test_a_loop_with_no_turn():
    with specialised_after(1):
        for count in (3, 3, 3, 0, 1, 3, 0):
            found = cr.grad(a_loop_with_no_turn)(X, count)
            np.testing.assert_allclose(found, count * (count + 1) * X, rtol=1e-12)


@pytest.mark.parametrize(
    "f", [one_that_is_left, one_inside_another, backwards, a_field_that_two_branches_set]
)
def test_right_whether_specialised_or_not(f):
    is_right(f, X)


def test_second_derivatives():
    v = np.cos(np.arange(6.0))
    with specialised_after(1):
        for _ in range(4):
            found = cr.hvp(an_optimiser, X, v)
    g = cr.grad(an_optimiser)
    np.testing.assert_allclose(found, (g(X + 1e-6 * v) - g(X - 1e-6 * v)) / 2e-6, rtol=1e-4, atol=1e-5)
