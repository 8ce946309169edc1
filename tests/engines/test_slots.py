"""Operators that are called by the names of their methods, as a lambda stores: `a.__setitem__(i, v)`."""

import numpy as np
import pytest
from tests.engines.table import Table, check

import chainrules as cr

table = Table()
x = np.array([1.5, 2.0, -0.5])


@table(x)
def stored_in_a_lambda(x):
    held = {"a": x.copy(), "l": [1.0, 2.0]}
    commands = [
        lambda h: h["a"].__setitem__(0, h["a"][1] * 3.0),
        lambda h: h["l"].__setitem__(1, h["a"][0]),
    ]
    for command in commands:
        command(held)
    return held["a"].sum() * held["l"][1]


@table(x)
def entries_by_map(x):
    return sum(map(x.__getitem__, [0, 2])) * x[max(range(3), key=x.__getitem__)]


@table(x)
def arithmetic(x):
    whole = x.__add__(x).sum() * x[0].__add__(2) + np.sum(np.ndarray.__mul__(x, x))
    return whole + x.__rsub__(1.0).__neg__().__abs__().sum() + x.__matmul__(x)


@table(x)
def arithmetic_of_numbers(x):
    a, b = float(x[0]), float(x[1])
    return float.__mul__(a, 2.0) * b.__pow__(2) * b.__rtruediv__(3) + (3.0).__rsub__(b)


@table(x)
def in_place(x):
    y = x.copy()
    y.__iadd__(x * x)
    return y.sum() * y[0]


@table(x)
def without_derivative(x):
    declined = float(x[0]).__add__(x) is NotImplemented
    return x[0] * x.__len__() + x[1] * x.__lt__(1.0).sum() + x[0].__lt__(9) + declined


@pytest.mark.parametrize(("f", "x"), table.rows)
def test_they_do_what_the_operators_do(f, x):
    check(f, x)


def test_they_do_so_at_later_calls():
    for _ in range(5):
        gradient = cr.grad(stored_in_a_lambda)(x)
    np.testing.assert_allclose(gradient, [0.0, 3.0 * (6.0 + 2.0 - 0.5) + 6.0 * 4.0, 6.0])
