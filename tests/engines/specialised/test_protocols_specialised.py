"""Objects of classes that are containers, in specialised programs."""

import numpy as np
import pytest

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after

from .compared import is_right

X = np.random.default_rng(3).normal(size=12) * 0.5


class Vector:
    def __init__(self, items):
        self.items = items

    def __getitem__(self, i):
        return self.items[i]

    def __setitem__(self, i, v):
        self.items[i] = v

    def __len__(self):
        return len(self.items)

    def __iter__(self):
        yield from self.items

    def __contains__(self, i):
        return 0 <= i < len(self.items)

    def __add__(self, other):
        return Vector([a + b for a, b in zip(self.items, other.items, strict=True)])


class Matrix:
    def __init__(self, entries, columns):
        self.entries, self.columns = entries, columns

    def __getitem__(self, place):
        i, j = place
        return self.entries[i * self.columns + j]


class Parameters:
    def __init__(self):
        self.entries = {}

    def __setitem__(self, name, v):
        self.entries[name] = v

    def __getitem__(self, name):
        return self.entries[name]


def items(x):
    v = Vector([x[0], x[1], x[2]])
    v[1] = v[0] * v[2]
    v[-1] += v[0]
    s = 0.0
    for i in range(len(v)):
        s += v[i] ** 2
    return s


def gone_through(x):
    v = Vector([x[0], x[1], x[2]]) + Vector([x[3], x[4], x[5]])
    return sum(t * t for t in v)


def membership(x):
    v = Vector([x[0], x[1], x[2]])
    return v[2] ** 2 if 2 in v and 5 not in v else v[0]


def pairs(x):
    m = Matrix(x, 3)
    s = 0.0
    for i in range(3):
        for j in range(3):
            s += m[i, j] * m[j, i] * (i + 1)
    return s


def names(x):
    p = Parameters()
    p["w"] = x[:6]
    p["b"] = x[6:]
    return np.sum(p["w"] * p["b"])


@pytest.mark.parametrize("f", [items, gone_through, membership, pairs, names])
def test_gradients(f):
    assert is_right(f, X)


def test_an_index_that_is_a_slice():
    class Scaled:
        def __init__(self, v):
            self.v = v

        def __getitem__(self, i):
            return self.v[i] * 2.0

    def f(x):
        return Scaled(x)[0:2][1] * x[0]

    with specialised_after(1):
        for _ in range(3):
            np.testing.assert_allclose(cr.grad(f)(np.array([3.0, 4.0])), [8.0, 6.0])
