"""Shallow copies: a new list or dict holds the very items, so that a change of an item is seen in both."""

import numpy as np
import pytest
from tests.engines.table import Table

from chainrules.testing import check_grads

table = Table()


@table(1.3)
def copy_of_a_dict(x):
    a = {"k": [x]}
    b = a.copy()
    b["k"].append(x * x)
    return sum(a["k"])


@table(1.3)
def copy_of_a_list(x):
    a = [np.array([x, x])]
    b = a.copy()
    b[0][0] = x * x
    return sum(a[0])


@table(1.3)
def unpacked(x):
    a, c = {"k": [x]}, [[x]]
    b, d = {**a}, [*c]
    b["k"].append(x * x)
    d[0].append(x**3)
    return sum(a["k"]) * sum(c[0])


@table(1.3)
def keywords(x):
    a = {"k": [x]}
    b = dict(a, more=x)
    b["k"].append(x * x)
    return sum(a["k"]) * b["more"]


@table(1.3)
def joined(x):
    none: list[list[float]] = []
    a, more = [[x]], [[2.0]]
    b = a + none
    c = more + b
    c[1].append(x * x)
    return sum(a[0])


@table(1.3)
def repeated(x):
    a = [[x]]
    b = a * 2
    b[0].append(x * x)
    return sum(a[0]) + sum(b[1])


@table(1.3)
def merged(x):
    a, c = {"k": [x]}, {"j": [2.0]}
    b = c | a
    b["k"].append(x * x)
    return sum(a["k"])


@table(1.3)
def extended(x):
    a, b, c = [[x]], [], [[2 * x]]
    b += a
    c.extend(b)
    c[1].append(x * x)
    return sum(a[0])


@table(1.3)
def updated(x):
    a, b = {"k": [x]}, {}
    b.update(a)
    b["k"].append(x * x)
    return sum(a["k"])


@table(1.3)
def a_copy_of_an_array_is_one(x):
    u = np.array([x, x * x, 1.0])
    v = u.copy()
    v[0] = u[1]
    u[1] = v[0] * x
    w = v.copy()
    w *= 2
    return u @ v + w.sum()


@pytest.mark.parametrize(("f", "x"), table.rows)
def test_both_modes_agree_with_differences(f, x):
    check_grads(f, *x, order=1)
