"""Names that inner scopes take for themselves, where a nested function changes what has that name outside."""

import numpy as np
import pytest

import chainrules as cr
from chainrules.testing import check_grads

X = np.array([0.3, 0.7, 1.1])


def an_inner_one_of_the_same_name(x):
    a = x * 1.0

    def store(v):
        a[0] = v

    def apart(a, v):
        def store(v):
            a[2] = v * a[0]

        store(v)
        return a[2]

    store(x[1])
    return apart(x * 2.0, x[2]) * a[0]


def hidden_by_a_variable(x):
    n = [x[0]]

    def change(v):
        n[0] = n[0] * v + 1.0

    def f(v):
        n = [v, v]
        change(v)
        return n[0]

    return f(x[1]) + n[0]


def hidden_by_a_comprehension(x):
    n = [x[0]]

    def change(v):
        n[0] = n[0] * v[0] + 1.0

    [change(n) for n in ([x[1]], [x[2]])]
    return n[0]


def two_of_one_name(x):
    def put(a, v):
        a[0] = v
        return v

    a = x * 1.0
    s = put(a, x[2])

    def put(v, a):  # type: ignore[no-redef]  # on purpose
        a[1] = v * a[0]

    def fill(a, v):
        np.put(a, [2], v)

    put(s * x[1], a)
    fill(a, s)
    return np.sum(a * a) * s


@pytest.mark.parametrize(
    "f", [two_of_one_name, an_inner_one_of_the_same_name, hidden_by_a_variable, hidden_by_a_comprehension]
)
def test_the_variable_outside_is_changed(f):
    check_grads(f, X, order=1)


def test_an_argument_that_a_nested_function_changes_is_the_callers():
    def f(x):
        c = x

        def store(v):
            c[1] = v * x[0]

        store(x[2])
        return x[1] * x[2]

    x = np.array([2.0, 3.0, 5.0])
    assert cr.grad(f)(x).tolist() == [25.0, 0.0, 20.0]
    assert x.tolist() == [2.0, 10.0, 5.0]
    x = np.array([2.0, 3.0, 5.0])
    assert cr.jvp(f, (x,), (np.ones(3),)) == (50.0, 45.0)
    assert x.tolist() == [2.0, 10.0, 5.0]
