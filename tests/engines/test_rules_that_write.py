"""Rules that write into an argument, at second order: NumPy's, those with `out=`, and a user's."""

from typing import Any

import numpy as np
import pytest
from tests.engines.table import Table

import chainrules as cr
from chainrules.tangents import ZERO
from chainrules.testing import check_grads

table = Table()
X = np.array([1.3, 0.7, -0.4])


@table(X)
def added_and_put(x):
    a = x * x
    np.add.at(a, [0, 1, 0], x**3)
    np.subtract.at(a, [2, 2], x[:2])
    np.put(a, [1], [x[1] ** 2 * a[0]])
    a.put([2], a[0] * x[2])
    return np.sum(a**2)


@table(X)
def copied_and_masked(x):
    a, m = x * x, np.outer(x, x)
    np.copyto(a, x[::-1] ** 3, where=x > 0)
    np.putmask(a, a > 1.0, a * x)
    np.place(a, a < 0.2, x[:1] * x[1])
    np.fill_diagonal(m, a)
    np.put_along_axis(m, np.array([[0], [1], [0]]), (a * x)[:, None], 1)
    return np.sum(m**2 @ x) + np.sum(a)


@table(X)
def filled_and_sorted(x):
    a, b, c = x * 1.0, x**3, x * x
    a.fill(x[0] * x[1])
    b.sort()
    c.partition(1)
    return np.sum(a * b * c * x)


@table(X)
def outputs_of_ufuncs(x):
    a = x * 2.0
    np.multiply(a, x, out=a)
    b = np.sin(a, a)
    np.exp(x, out=b, where=x > 0)
    return np.sum(a * b * x)


@table(X)
def outputs_that_are_views(x):
    m = np.zeros((2, 3))
    np.multiply(x, x, out=m[0])
    row = m[1]
    np.add(row, m[0] * x, out=row)
    return np.sum(m[0] * m[1])


@table(X)
def outputs_of_functions(x):
    a, m = np.empty(3), np.empty((3, 3))
    np.cumsum(x * x, out=a)
    np.matmul(np.outer(a, x), np.outer(x, a), out=m)
    np.sum(m, axis=0, out=a)
    (a * x).cumprod(out=m[1])
    return np.sum(m * a)


@table(X)
def buffers_of_a_loop(x):
    a, t = np.ones(3), np.empty(3)
    for _ in range(2):
        np.multiply(a, x, out=t)
        np.add(t, a, out=a)
    return np.sum(a)


def sine_into(out, x):
    out[:] = np.sin(x)
    return out[0] * 2.0


@cr.frule(sine_into, mutates=(0,))
def sine_into_frule(tangents: Any, out: np.ndarray, x: np.ndarray):
    y = sine_into(out, x)
    moved = np.cos(x) * tangents[1]
    return y, moved[0] * 2.0, {0: moved}


@cr.rrule(sine_into, mutates=(0,))
def sine_into_rrule(out: np.ndarray, x: np.ndarray):
    y = sine_into(out, x)
    first = np.eye(len(x))[0]

    def sine_into_pullback(y_bar, states):
        x_bar = np.zeros(len(x))
        if y_bar is not ZERO:
            x_bar = x_bar + 2.0 * y_bar * first
        if states[0] is not ZERO:
            x_bar = x_bar + states[0]
        return ZERO, np.cos(x) * x_bar

    return y, sine_into_pullback


@table(X)
def a_rule_of_ones_own(x):
    out = x * x
    y = sine_into(out, x)
    z = sine_into(x=out * y, out=out)
    return np.sum(out**2) + y * z


@table(X)
def what_a_container_holds(x):
    held = {"a": x * x, "b": [x * 1.0]}
    sine_into(held["a"], x)
    sine_into(held["b"][0], held["a"])
    return np.sum(held["a"] * held["b"][0])


def swapped(*arrays):
    arrays[0][0] = arrays[1][1] ** 2
    arrays[1][1] = arrays[0][2]


@table(X)
def starred_parameters_that_change(x):
    a, b = x * 3.0, x * x
    swapped(a, b)
    return np.sum(a * b)


@pytest.mark.parametrize(("f", "x"), table.rows)
def test_second_order(f, x):
    check_grads(f, *x, order=2)


@pytest.mark.parametrize("order", ["ddd", "drg", "rdg", "rrd"])
def test_third_order(order):
    def f(t):
        out = np.empty(2)
        np.multiply(np.array([t, 2.0]), t * t, out=out)
        np.add.at(out, [0, 0], t)
        return out[0] * out[1]

    def nth(f, order):
        for letter in reversed(order):
            f = cr.derivative(f) if letter == "d" else cr.grad(f)
        return f

    # (t³ + 2t) · 2t² = 2t⁵ + 4t³
    assert nth(f, order)(0.7) == pytest.approx(120 * 0.7**2 + 24)
