"""Assignments in expressions, and defaults of nested functions, that are differentiated."""

import numpy as np
import pytest
from tests.engines.table import Table

import chainrules as cr
from chainrules.testing import check_grads

table = Table()
X = np.array([1.3, 0.4, -0.7])


@table(X)
def after_other_operands(x):
    y = x[0]
    z = y * (y := x[1] ** 2) + y * (w := y * x[2]) * w
    return z + np.hypot(x[0], (n := x[1] * x[2])) + n**2


@table(X)
def in_branches(x):
    total = 0.0
    for v in x:
        if v > 0 and (w := v * v) > 0.5:
            total += w**2
        elif not (w := v + 1.0) > 3.0 or (w := 2.0) > 0:
            total += w * v
    return (a := x[0]) if x[1] > 5 else (a := x[2] ** 2) * a + total


@table(X)
def in_loops(x):
    total, i = 0.0, 0
    while i < 2 and (v := x[i]) * v > 0.1 and (w := v + total) > 0:
        total, i = total + v * w, i + 1
    rows = []
    rows.append((y := x[0] ** 2) * 2)
    named = {"a": (u := x[0]), "b": u * (u := x[1] ** 2), "c": u}
    return total * rows[0] * y * named["a"] * named["b"] * named["c"]


@table(X)
def in_comprehensions(x):
    total = 0.0
    running = [total := total + v * w for v in x if (w := v * v) > 0.2]
    named = {k: (z := x[0] * k) + z for k in (1, 2)}
    if any((hit := v) * v > 0.4 for v in x) and not all((miss := v) > 0.3 for v in x):
        total = total * hit**2 * miss
    return total * z + sum(running) * w + named[1] * named[2]


@table(X)
def defaults(x):
    def power(z, n=3, k=x[0], *, scale=x[1] * 2):
        return scale if n == 0 else z * k * power(z, n - 1)

    return power(x[1]) * power(x[2], 2, k=x[0], scale=3.0)


@table(X)
def defaults_of_lambdas(x):
    k = x[0]

    def g(z, k=k):
        return z * k**2

    def weighed(z, s=x[0] ** 2):
        return z * s

    k = x[1]
    kept = [lambda z, v=v: z * v**2 for v in x]
    return g(k) * sum(f(2.0) for f in kept) * sum(map(weighed, x))


@pytest.mark.parametrize(("f", "x"), table.rows)
def test_derivatives_agree_with_differences(f, x):
    check_grads(f, *x, order=1 if f.__name__ == "defaults_of_lambdas" else 2)


class Layer:
    def __init__(self, w):
        self.w = w


class Net:
    def __init__(self, theta):
        self.layers = []
        for i in range(2):
            self.layers.append(Layer(theta[i : i + 2]))


def network(x):
    return sum(np.sum(layer.w**2) * (i + 1) for i, layer in enumerate(Net(x).layers))


def test_views_of_an_argument_are_put_into_lists():
    check_grads(network, X, order=1)


def test_keywords_of_dict_are_given_once():
    def f(x):
        return dict(a=x[0], **{"a": x[1]})["a"]

    for call in (cr.grad(f), cr.jacobian(f, jac_mode="fwd")):
        with pytest.raises(TypeError, match="multiple values for keyword argument 'a'"):
            call(X)


def scaled(rows, k):
    rows[0] = rows[0] * k


def by_a_variable(change, rows):
    change(rows, 3.0)


def changed_by_a_function_in_a_variable(x):
    rows = [x * 1.0]
    by_a_variable(scaled, rows)
    return np.sum(rows[0] ** 2)


def test_what_a_function_in_a_variable_changes_is_seen_in_derivatives_of_derivatives():
    check_grads(changed_by_a_function_in_a_variable, X, order=2)
