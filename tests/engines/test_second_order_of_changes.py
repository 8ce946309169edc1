"""Second and third derivatives of programs that hand on functions that change what they captured."""

import functools
import itertools

import numpy as np
import pytest
from tests.engines.table import Table

import chainrules as cr
from chainrules.testing import check_grads

table = Table()
X = np.array([0.3, 0.7, 1.1])


def thrice(f, v):
    return f(v) + f(v * v) * f(v)


@table(X)
def logged_and_counted(x):
    rows, best, calls = [], 0.0, 0

    def objective(v):
        nonlocal best, calls
        calls += 1
        best = best + v * x[0]
        rows.append(v * x[2])
        return v * v

    return thrice(objective, x[1]) * rows[0] * rows[-1] * best * calls


@table(X)
def captured_arrays_and_dicts(x):
    t, d = x * x, {"s": x[1]}

    def scale(v):
        t[0] = t[0] * v
        d["s"] = d["s"] * v + t[0]
        return t[1] * d["s"]

    return thrice(scale, x[2]) * np.sum(t) + scale(d["s"])


class Steps:
    def __init__(self, rate):
        self.product = rate

    def add(self, v):
        self.product = self.product * v
        return v * v

    def __call__(self, v):
        self.product = self.product + v * v
        return v * self.product


@table(X)
def methods_and_objects(x):
    a, b = Steps(x[0]), Steps(x[1])
    return thrice(a.add, x[2]) * a.product + thrice(b, x[0]) * b.product + b(x[2])


def logging_to(rows):
    def log(v):
        rows.append(v * v)
        return v

    return log


@table(X)
def made_elsewhere_and_run_by_the_library(x):
    rows: list[float] = []
    log = logging_to(rows)
    s = functools.reduce(lambda c, v: c + log(v) * c, x, 0.3)
    return s * rows[0] * sum(map(log, x)) * sorted(x, key=log)[0] * rows[-1]


class Log:
    """A class in sight with methods by the names of a list's, which change what they are given."""

    def __init__(self):
        self.rows = []

    def extend(self, more):
        more[0] = more[0] * 2.0
        self.rows = [*self.rows, more]


@table(X)
def methods_of_lists_beside_methods_of_their_names(x):
    rows, log = [x[0]], Log()
    rows.extend(x * x)
    rows.extend(v * v for v in x)
    log.extend(rows)
    return rows[0] * rows[1] * rows[-1] + log.rows[0][2]


@table(X)
def extends_by_another_name(x):
    rows = [x[0], x[1] * x[0]]
    held = [rows]
    held[0].extend([x[1], x[2] * x[0]])
    return sum(k * v * v for k, v in enumerate(rows, 1)) * held[0][2]


@pytest.mark.parametrize(("f", "x"), table.rows)
def test_second_derivatives_agree_with_differences(f, x):
    check_grads(f, *x, order=2)


def test_three_times_in_any_mode():
    def along(t):
        return captured_arrays_and_dicts(X + t * X[::-1])

    h = 1e-4
    twice = cr.grad(cr.grad(along))
    expected = (twice(0.3 + h) - twice(0.3 - h)) / (2.0 * h)
    for a, b in itertools.product((cr.derivative, cr.grad), repeat=2):
        assert a(b(cr.grad(along)))(0.3) == pytest.approx(expected)


def step(u):
    u[0] = u[0] * u[1]
    return u[2] * u[0]


def at_rest(z, x):
    v, steps, rows = (z if z[0] > 100.0 else x), Steps(x[0]), []

    def log(w):
        rows.append(w * w)
        return w

    u = v * 1.0
    return thrice(steps.add, v[1]) * steps.product * step(u) * thrice(log, u[0]) * rows[1] * z[0]


def test_changes_where_nothing_moves_in_the_inner_derivative():
    def f(x):
        return cr.jvp(lambda z: at_rest(z, x), (X,), (X[::-1],))[1]

    slopes = [(f(X + h) - f(X - h)) / 2e-6 for h in 1e-6 * np.eye(3)]
    np.testing.assert_allclose(cr.grad(f)(X), slopes, rtol=1e-5)
    np.testing.assert_allclose([cr.jvp(f, (X,), (e,))[1] for e in np.eye(3)], slopes, rtol=1e-5)


def pair(z, x):
    s = Steps(x[0])
    s.add(x[1])
    return np.array([z * z * x[0], z * s.product])


def test_a_pushforward_of_what_seems_to_change_what_it_captured():
    def f(x):
        y, dy = cr.jvp(lambda z: pair(z, x), (x[2],), (1.0,))
        return np.sum(y * dy)

    slopes = [(f(X + h) - f(X - h)) / 2e-6 for h in 1e-6 * np.eye(3)]
    np.testing.assert_allclose(cr.grad(f)(X), slopes, rtol=1e-6)
    np.testing.assert_allclose([cr.jvp(f, (X,), (e,))[1] for e in np.eye(3)], slopes, rtol=1e-6)
