"""Loops over `zip`, `map` and their kin that change what those read: as Python does, or refused by name."""

# ruff: noqa: B007, B020, B023, C417, SIM113  what these warn of is what is tested
import collections
import itertools
from typing import Any

import numpy as np
import pytest
from tests.engines.table import Table, check

import chainrules as cr
from chainrules.testing import check_grads

table = Table()
X = np.array([1.3, 0.7, -0.4])


class Weighted:
    def __init__(self, w):
        self.w = w

    def times(self, i):
        return self.w * i

    def __call__(self, i):
        return self.w * i


def change(a, s):
    a[2] = s


@table(X)
def a_zip_of_an_array(x):
    a = x * 1.0
    m = zip(a, x, strict=False)
    s = 0.0
    for p, q in m:
        s = s + p * q
        a[2] = s
    return s


@table(X)
def a_zip_of_a_list(x):
    a = [x[0], x[1], x[2]]
    m = zip(a, [x[1], x[2], x[0]], strict=False)
    s = 0.0
    for p, q in m:
        s = s + p * q
        a[2] = s * s
    return s


@table(X)
def a_map_whose_function_is_rebound(x):
    w = x[0]
    s = 0.0
    for v in map(lambda i: w * i, [x[1], x[2], x[0]]):
        s = s + v
        w = w + x[1]
    return s


@table(X)
def a_map_of_a_def(x):
    w = x[0]

    def g(i):
        return w * i

    s = 0.0
    for v in map(g, [x[1], x[2], x[0]]):
        s = s + v
        w = w * 2.0
    return s


@table(X)
def a_map_that_captures_a_list(x):
    w = [x[0]]
    s = 0.0
    for v in map(lambda i: w[0] * i, [x[1], x[2], x[0]]):
        s = s + v
        w[0] = w[0] + x[1]
    return s


@table(X)
def a_named_map(x):
    w = x[0]
    s = 0.0
    g = map(lambda i: w * i, [x[1], x[2], x[0]])
    for v in g:
        s = s + v
        w = w + x[1]
    return s


@table(X)
def a_named_enumerate(x):
    a = [x[0], x[1], x[2]]
    m = enumerate(a)
    s = 0.0
    for i, v in m:
        s = s + (i + 1) * v
        a[2] = s
    return s


@table(X)
def a_named_reversed(x):
    a = [x[0], x[1], x[2]]
    m = reversed(a)
    s = 0.0
    for v in m:
        s = s * 2 + v
        a[0] = s
    return s


@table(X)
def keys_gone_over_twice(x):
    d = {"a": x[0], "b": x[1]}
    ks = d.keys()
    s = 0.0
    for i in range(2):
        for k in ks:
            s = s + d[k] * x[2]
        d["c"] = s
    return s + d["c"]


@table(X)
def changed_by_a_function(x):
    a = x * 1.0
    m = zip(a, a, strict=False)
    s = 0.0
    for p, q in m:
        s = s * 2 + p * q
        change(a, s)
    return s


@table(X)
def left_by_break(x):
    w = x[0]
    s = 0.0
    for v in map(lambda i: w * i, [x[1], x[2], x[0]]):
        s = s + v
        if s > 0:
            w = 2.0 * s
            break
    return s * w


@table(X)
def an_enumerated_map(x):
    w = x[0]
    s = 0.0
    for k, v in enumerate(map(lambda i: w * i, [x[1], x[2], x[0]])):
        s = s + v * (k + 1)
        w = w + x[1]
    return s


@table(X)
def a_zipped_map(x):
    w = x[0]
    s = 0.0
    for k, v in zip(map(lambda i: w * i, [x[1], x[2], x[0]]), x, strict=True):
        s = s + v * k
        w = w + x[1]
    return s


@table(X)
def a_map_of_a_method(x):
    a = Weighted(x[0])
    s = 0.0
    for v in map(a.times, [x[1], x[2], x[0]]):
        s = s + v
        a.w = a.w + x[1]
    return s


@table(X)
def a_map_of_an_object(x):
    a = Weighted(x[0])
    s = 0.0
    for v in map(a, [x[1], x[2], x[0]]):
        s = s + v
        a.w = a.w + x[1]
    return s


@table(X)
def a_method_of_what_is_rebound(x):
    a = Weighted(x[0])
    s = 0.0
    for v in map(a.times, [x[1], x[2], x[0]]):
        s = s + v
        a = Weighted(x[1])
    return s


@table(X)
def a_captured_object_that_is_rebound(x):
    a = Weighted(x[0])
    s = 0.0
    for v in map(lambda i: a.times(i), [x[1], x[2], x[0]]):
        s = s + v
        a = Weighted(x[1])
    return s


@table(X)
def rows_of_a_matrix(x):
    m = np.outer(x, x)
    s = 0.0
    z = zip(m, x, strict=False)
    for r, q in z:
        s = s + r.sum() * q
        m[2] = m[2] * s
    return s


@table(X)
def the_row_at_hand(x):
    m = np.outer(x, x)
    s = 0.0
    z = enumerate(m)
    for i, r in z:
        s = s + r.sum()
        m[i] = r * s
    return s + m.sum()


@table(X)
def stores_behind(x):
    a = [x[0], x[1], x[2]]
    s = 0.0
    z = zip(a, x, strict=False)
    for i, (p, q) in enumerate(z):
        s = s + p * q
        a[i] = s
    return s + sum(a)


@table(X)
def stores_behind_in_an_array(x):
    a = x * 1.0
    s = 0.0
    z = enumerate(a)
    for i, p in z:
        s = s + p * p
        a[i] = s
    return s + np.sum(a)


@table(X)
def inside_another_loop(x):
    a = [x[0], x[1]]
    s = 0.0
    k = 0
    while k < 3:
        z = zip(a, x, strict=False)
        for p, q in z:
            s = s + p * q
        a[k % 2] = s
        k += 1
    return s


@table(X)
def the_target_of_the_loop(x):
    w = x[0]
    s = 0.0
    for w in map(lambda i: w * i, [x[1], x[2], x[0]]):
        s = s + w
    return s


@table(X)
def a_counter(x):
    k = 0
    s = 0.0
    for i in map(lambda i: i + k, range(3)):
        s = s + x[i % 3] * (i + 1)
        k += 1
    return s


@table(X)
def an_annotated_name(x):
    a = [x[0], x[1], x[2]]
    s = 0.0
    z: Any = zip(a, x, strict=False)
    for p, q in z:
        s = s + p * q
        a[2] = s
    return s


@table(X)
def a_zip_of_values(x):
    d = {"a": x[0], "b": x[1]}
    s = 0.0
    m = zip(d.values(), x, strict=False)
    for k, v in m:
        s = s + v * k
        d["b"] = s
    return s


@table(X)
def a_deque(x):
    a = collections.deque([x[0], x[1], x[2]])
    s = 0.0
    g = enumerate(a)
    for i, v in g:
        s = s + v
        a[2] = s
    return s


@table(X)
def a_takewhile(x):
    w = 0.0
    s = 0.0
    for v in itertools.takewhile(lambda v: v > w, [x[0], x[1], x[0]]):
        s = s * 2 + v
        w = 1.0
    return s


@table(X)
def items_of_a_dict(x):
    d = {"a": x[0], "b": x[1]}
    s = 0.0
    m = d.items()
    for k, v in m:
        s = s + v
        d["b"] = s
    return s


@pytest.mark.parametrize(("f", "x"), table.rows)
def test_they_agree_with_differences(f, x):
    check(f, x)


@pytest.mark.parametrize(
    "f", [a_zip_of_an_array, a_zip_of_a_list, a_named_map, a_map_of_a_def, stores_behind, rows_of_a_matrix]
)
def test_their_second_derivatives_agree_with_differences(f):
    check_grads(f, X, order=2)


def test_a_dict_that_grows_raises_what_python_does():
    def grows(x):
        d = {"a": x[0], "b": x[1]}
        keys = d.keys()
        s = 0.0
        for k in keys:
            for j in keys:
                s = s + d[k] * d[j]
            d["c"] = s
        return s

    for run in (lambda: grows(X), lambda: cr.grad(grows)(X), lambda: cr.jvp(grows, (X,), (X,))):
        with pytest.raises(RuntimeError, match="changed size"):
            run()
