"""Loops that change what `zip`, `map` and their kin read, where it cannot be followed: refused by name."""

# ruff: noqa: B023, C417  what these warn of is what is tested
import itertools

import numpy as np
import pytest
from tests.engines import rightly
from tests.engines.table import Table
from tests.engines.test_lazies_and_changes import Weighted

refused = Table()
X = np.array([1.3, 0.7, -0.4])


def over(m, a):
    s = 0.0
    for p, q in m:
        s = s * 2 + p * q
        a[2] = s
    return s


@refused(X)
def a_filter_rebound(x):
    w = x[0]
    s = 0.0
    for v in filter(lambda i: w * i > 0, [x[1], x[2], x[0]]):
        s = s + v * v
        w = -w
    return s


@refused(X)
def a_starmap_rebound(x):
    w = x[0]
    s = 0.0
    for v in itertools.starmap(lambda i, j: w * i * j, [(x[1], 1.0), (x[2], 2.0)]):
        s = s + v
        w = w + x[1]
    return s


@refused(X)
def an_accumulate_rebound(x):
    w = x[0]
    s = 0.0
    for v in itertools.accumulate([x[1], x[2], x[0]], lambda p, q: p + w * q):
        s = s + v
        w = w + x[1]
    return s


@refused(X)
def a_filter_of_a_map(x):
    w = x[0]
    s = 0.0
    for v in filter(lambda q: q > 0, map(lambda i: w * i, [x[1], x[2], x[0]])):
        s = s + v
        w = w + 1.0
    return s


@refused(X)
def a_map_by_two_names(x):
    w = x[0]
    s = 0.0
    g = map(lambda i: w * i, [x[1], x[2], x[0]])
    n = g
    for v in n:
        s = s + v
        w = w + x[1]
    return s


@refused(X)
def a_zip_by_two_names(x):
    a = [x[0], x[1], x[2]]
    s = 0.0
    g = zip(a, a, strict=False)
    n = g
    for v, w in n:
        s = s + v * w
        a[2] = s
    return s


@refused(X)
def a_filter_of_an_object(x):
    a = Weighted(x[0])
    s = 0.0
    for v in filter(a, [x[1], x[2], x[0]]):
        s = s + v
        a.w = 0.0
    return s


@refused(X)
def an_iter_of_a_function(x):
    w = x[0]
    s = 0.0
    c = [0]

    def g():
        c[0] += 1
        return w * c[0] if c[0] < 4 else None

    for v in iter(g, None):
        s = s + v
        w = w + x[1]
    return s


@refused(X)
def a_filter_with_a_counter(x):
    k = 0.0
    s = 0.0
    for v in filter(lambda i: i > k, [x[0], x[1], x[0] * x[1]]):
        s = s + v
        k += 1
    return s


@refused(X)
def a_chain(x):
    a = x * 1.0
    m = itertools.chain(a, a)
    s = 0.0
    for v in m:
        s = s * 2 + v
        a[2] = s
    return s


@refused(X)
def a_filter_of_none(x):
    a = [x[0], x[1], x[2]]
    m = filter(None, a)
    s = 0.0
    for p in m:
        s = s * 2 + p * p
        a[2] = s
    return s


@refused(X)
def one_of_two_zips(x):
    a = [x[0], x[1], x[2]]
    s = 0.0
    z = zip(a, x, strict=False) if x[0] > 0 else zip(x, a, strict=False)
    for p, q in z:
        s = s + p * q
        a[2] = s
    return s


@refused(X)
def a_name_in_a_test(x):
    a = [x[0], x[1], x[2]]
    s = 0.0
    if (z := zip(a, x, strict=False)) is not None:
        for p, q in z:
            s = s + p * q
            a[2] = s
    return s


@refused(X)
def a_generator_expression(x):
    a = [x[0], x[1], x[2]]
    s = 0.0
    g = (v * v for v in a)
    for v in g:
        s = s + v
        a[2] = s
    return s


@refused(X)
def a_loop_in_a_function(x):
    a = [x[0], x[1], x[2]]
    return over(zip(a, a, strict=False), a)


@pytest.mark.parametrize(("f", "x"), refused.rows)
def test_what_was_hard_to_follow_is_right_or_refused(f, x):
    for run in (lambda: rightly.grad(f)(*x), lambda: rightly.jvp(f, x, x)):
        rightly.or_refused(run)
