"""Sums of objects, and slices of lists of objects: specialised, and right."""

import math

import numpy as np
import pytest

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after

from .compared import hold_directions, is_right

X = np.array([0.5, 1.2, -0.3, 0.8, 0.9, -1.1])


class Value:
    def __init__(self, data):
        self.data = data

    def __add__(self, other):
        return Value(self.data + (other.data if isinstance(other, Value) else other))

    __radd__ = __add__

    def __mul__(self, other):
        return Value(self.data * (other.data if isinstance(other, Value) else other))

    __rmul__ = __mul__

    def __sub__(self, other):
        return self + (-1.0) * other

    def tanh(self):
        return Value(math.tanh(self.data))


def values(x):
    return [Value(v) for v in x]


def from_zero(x):
    return sum(v * v for v in [Value(v) for v in x]).data


def with_a_start(x):
    ws = [Value(v) for v in x]
    return sum([v * v for v in ws], ws[0]).data + sum(v**2 for v in x)


def by_name(x):
    ws = [Value(v) for v in x]
    return sum((v * v for v in ws[1:]), start=ws[0]).data


def pairs_of_slices(x):
    ws = [Value(v) for v in x]
    total = ws[4]
    for a, b in zip(ws[:2], ws[2:4], strict=True):
        total = total + a * b
    return total.data * ws[-1].data


def neighbours(x):
    ws = [Value(v) for v in x]
    total = 0.0
    for a, b in zip(ws[1:], ws[:-1], strict=True):
        total += a.data * b.data
    return total


def network(x):
    ws = [Value(v) for v in x]
    loss = Value(0.0)
    for inputs, y in zip([[0.5, -1.0], [1.5, 2.0]], [1.0, -1.0], strict=True):
        hidden = []
        for k in range(2):
            hidden.append((ws[k] * inputs[0] + ws[k + 1] * inputs[1]).tanh())
        out = sum((h * w for h, w in zip(hidden, ws[3:5], strict=True)), ws[5])
        d = out - y
        loss = loss + d * d
    return loss.data


ALL = [from_zero, with_a_start, by_name, pairs_of_slices, neighbours, network]


@pytest.mark.parametrize("f", ALL)
def test_gradients(f):
    assert is_right(f, X)


@pytest.mark.parametrize("f", ALL)
def test_directions(f):
    hold_directions(f, X)


def test_a_generator_whose_items_are_changed_meanwhile():
    class Cell:
        def __init__(self, v):
            self.v = v

    def f(x):
        cells, total = [Cell(v) for v in x], 0.0
        for v in (c.v for c in cells):
            total = total * cells[-1].v + v
            cells[-1].v = total
        return total

    is_right(f, X)


def test_a_sum_of_no_objects_is_zero():
    def f(x, n):
        return (sum([Value(v) for v in x[:n]], Value(1.0)) * x[0]).data

    with specialised_after(1):
        for n in (3, 3, 3, 0, 3):
            found = cr.grad(f)(X, n)
            found = found[0] if isinstance(found, tuple) else found
            expected = [(f(X + e, n) - f(X - e, n)) / 2e-6 for e in 1e-6 * np.eye(6)]
            np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-8)
