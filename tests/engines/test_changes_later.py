"""What was computed with keeps its value, whatever calls it, although its arrays change afterwards."""

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from tests.engines.table import Table, check

table = Table()
X = np.array([1.3, 0.7, -0.4])


class Vector:
    def __init__(self, data):
        self.data = data

    def __add__(self, other):
        return Vector(self.data * other.data)

    def __neg__(self):
        return Vector(self.data * self.data)

    def __matmul__(self, other):
        return np.sum(self.data * other.data)

    def __getitem__(self, i):
        return self.data[i] * self.data[0]

    def __call__(self, z):
        return np.sum(self.data * z)

    @property
    def square(self):
        return np.sum(self.data * self.data)


class Summed:
    def __init__(self, data):
        self.total = np.sum(data * data)


@dataclass
class Posted:
    data: np.ndarray
    total: float = 0.0

    def __post_init__(self):
        self.total = np.sum(self.data * self.data)


def product(a, b):
    return np.sum(a * b)


def squared(q):
    return np.sum(q * q)


@table(X)
def by_operators(x):
    a, b = Vector(x * 1.0), Vector(x * 2.0)
    s = np.sum((a + b).data) + np.sum((-a).data) + a @ a + a[1]
    a.data[0] = 5.0
    a.data *= 3.0
    return s


@table(X)
def by_a_property(x):
    a = Vector(x * 1.0)
    s = a.square if a.data[0] > 0 else 0.0
    a.data *= s
    return s + a.square


@table(X)
def by_calling_the_object(x):
    a = Vector(x * 1.0)
    s = a(x)
    a.data *= 3.0
    return s


@table(X)
def by_constructors(x):
    d = x * 1.0
    s = Summed(d).total + Posted(d).total
    d *= 3.0
    return s + np.sum(d)


@table(X)
def by_functions_of_functions(x):
    d = x * 1.0
    s = sum(map(squared, [d, x]))
    s += functools.reduce(lambda p, q: p + np.sum(q * q), [d, x], 0.0)
    s += sum(np.sum(q * q) for q in [d, x])
    d *= 3.0
    return s


@table(X)
def by_stars(x):
    d = x * 1.0
    s = product(**{"a": d, "b": x}) + product(*[d, x])
    d *= 3.0
    return s


class Weighted:
    def __init__(self, weights, summed):
        self.weights = weights
        self.summed = summed


@table(X)
def by_functions_in_fields(x):
    a = x * x
    w = Weighted(x, lambda z: np.sum(z * x[0] * a))
    s = w.summed(w.weights)
    w.weights = x * 0.0
    return s + np.sum(w.weights)


@table(X)
def by_functions_that_may_give_views(x):
    a = x * 1.0
    p: Any = [a, x]
    axes: Any = [0, 1]
    s = np.einsum("i,i->", a, a) + np.einsum(a, [0], a, [0]) + np.einsum("i,i->", *p)
    s += np.sum(np.nan_to_num(a) ** 2) + np.sum(np.flip(np.outer(a, a * a), axes)[0])
    a[:] = 0.3
    axes.pop()
    d = np.outer(x, x)
    np.einsum(*("ii->i", d))[0] = s
    return np.sum(d * d)


@table(X)
def at_indices(x):
    k, m, among = [0, 1], np.array([True, False, True]), {"k": np.array([0, 2])}
    a = x * 1.0
    a[k] = x[1:] ** 2
    a[m] *= np.sin(x[m])
    a[among["k"],] **= 2
    k[0] = 2
    m[:] = among["k"][:] = 1
    return np.sum(a * a)


class Grid:
    def __init__(self, n):
        self.n = n
        self.u = np.zeros((n, n))

    def neighbours(self, i, j):
        for k, m in ((i, j + 1), (i + 1, j), (i, j - 1), (i - 1, j)):
            if 0 <= k < self.n and 0 <= m < self.n:
                yield self.u[k, m]

    def relax(self, source):
        for i in range(self.n):
            for j in range(self.n):
                self.u[i, j] = 0.25 * (sum(self.neighbours(i, j), source) + max(self.neighbours(i, j)))


@table(X)
def taken_at_once_before_what_it_reads_changes(x):
    grid = Grid(3)
    grid.u[1, 1] = x[0]
    for _ in range(2):
        grid.relax(x[1] * x[1])
    return np.sum(grid.u)


@pytest.mark.parametrize(("f", "x"), table.rows)
def test_programs_agree_with_differences(f, x):
    check(f, x)
