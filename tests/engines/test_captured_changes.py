"""Nested functions that change what they captured: `nonlocal`, stores, decorators with derivatives."""

import functools

import numpy as np
import pytest
from tests.engines.table import Table, check

import chainrules as cr
from chainrules.testing import check_grads

table = Table()


@table(2.0)
def appended(x):
    out = []

    def add(v):
        out.append(v * x)

    add(x)
    for i in range(3):
        add(x * i)
    return sum(out)


@table(2.0)
def rebound(x):
    total = x

    def step(v):
        nonlocal total
        total = total * x + v
        return total

    a = [step(x * i) for i in range(3)]
    return total * step(2.0) + sum(a)


@table(2.0)
def rebound_from_deeper(x):
    t = x

    def outer():
        def inner():
            nonlocal t
            t = t * x

        inner()
        inner()

    outer()
    return t


@table(2.0)
def counted(x):
    calls = 0

    def f(v):
        nonlocal calls
        calls += 1
        return v * calls

    return f(x) + f(x * x)


@table(2.0)
def remembered(x):
    memo: dict[int, float] = {}

    def fib(n):
        if n in memo:
            return memo[n]
        r = x if n < 2 else fib(n - 1) + fib(n - 2) * x
        memo[n] = r
        return r

    return fib(6)


@table(2.0)
def visited(x):
    found = []

    def walk(n):
        found.append(x**n)
        if n:
            walk(n - 1)

    walk(3)
    return sum(found) * found[0]


@table(np.array([0.5, -1.2, 2.0]))
def filled(x):
    a = np.zeros(3)

    def put(i, v):
        a[i] = v

    def scale(b, k):
        b *= k

    for i in range(3):
        put(i, x[i] * x[0])
    scale(a, x[1])
    scale(a[1:], 2.0)
    return np.sum(a * a)


@table(2.0)
def state_in_an_object(x):
    class State:
        v: float

    state = State()
    state.v = x

    def grow():
        state.v = state.v * x

    grow()
    grow()
    return state.v


def doubled(f):
    @functools.wraps(f)
    def wrapper(*args, **kwargs):
        return 2.0 * f(*args, **kwargs)

    return wrapper


def scaled(k):
    return lambda f: lambda v: f(v) * k


@table(2.0)
def decorated(x):
    @doubled
    def f(v):
        return v * x

    @scaled(x)
    @scaled(x * x)
    def g(v):
        return v * v

    return f(x) + g(x)


@pytest.mark.parametrize(("f", "x"), table.rows)
def test_what_a_nested_function_changes_agrees_with_differences(f, x):
    check(f, x)


@pytest.mark.parametrize("f", [visited, counted, remembered])
def test_second_derivatives_agree_with_differences(f):
    h = 1e-4
    expected = (cr.grad(f)(2.0 + h) - cr.grad(f)(2.0 - h)) / (2 * h)
    assert np.isclose(cr.grad(cr.grad(f))(2.0), expected, rtol=1e-6)
    assert np.isclose(cr.derivative(cr.grad(f))(2.0), expected, rtol=1e-6)


class Remembering:
    """Computes each entry once."""

    def __init__(self, scale):
        self.scale = scale
        self.known = {}

    def entry(self, a, b):
        if (a, b) not in self.known:
            self.known[a, b] = self.scale * np.exp(-((a - b) ** 2))
        return self.known[a, b]


def in_a_comprehension(scale):
    table = Remembering(scale)
    rows = np.array([[table.entry(a, b) for b in (0.0, 0.5)] for a in (0.0, 0.5)])
    return np.sum(rows**2) + len(table.known)


def in_a_nested_function(scale):
    table = Remembering(scale)

    def diagonal(a):
        return table.entry(a, a) + table.entry(a, 0.0)

    return diagonal(0.5) * diagonal(0.5)


@pytest.mark.parametrize("f", [in_a_comprehension, in_a_nested_function])
def test_a_method_that_remembers_is_called_where_its_object_is_captured(f):
    check_grads(f, 1.3, order=1)
