"""Loops over what their body changes, under the same name or another: each item is seen as it is by then."""

import numpy as np
import pytest
from tests.engines import rightly
from tests.engines.table import Table, check

table = Table()
X = np.array([1.3, 0.7, -0.4])


class Cell:
    def __init__(self, v):
        self.v = v


@table(X)
def pairs_of_objects(x):
    cells = [Cell(v) for v in x]
    for i, a in enumerate(cells):
        for b in cells[i + 1 :]:
            a.v += b.v * a.v
            b.v -= 0.3 * a.v
    return cells[0].v * cells[1].v * cells[2].v


class Bodies:
    def __init__(self, bodies):
        self.bodies = list(bodies)

    def __iter__(self):
        """The bodies."""
        return iter(self.bodies)


@table(X)
def objects_that_an_object_goes_over(x):
    system = Bodies([Cell(v) for v in x])
    for a in system:
        a.v = a.v * x[0]
    for a, b in zip(system, reversed(system.bodies), strict=True):
        a.v = a.v + b.v
    for i, a in enumerate(system):
        a.v = a.v**2 * i
    return sum(a.v for a in system)


@table(X)
def one_of_them_in_each_round(x):
    cells = {"all": [Cell(v) for v in x]}
    for a in cells["all"][:]:
        cells["all"][1].v *= 1.5 * a.v
        a.v *= a.v
    return cells["all"][0].v * cells["all"][1].v * cells["all"][2].v


@table(X)
def objects_that_begin_to_vary(x):
    cells = [Cell(1.0), Cell(2.0), Cell(3.0)]
    s = 0.0
    for a in cells:
        cells[1].v = x[0] * x[1]
        s += a.v
    return s


@table(X)
def neighbours(x):
    arrays = [np.array([v]) for v in x]
    for a, b in zip(arrays, arrays[::-1], strict=True):
        b -= 0.3 * a
        a += b * a
    return np.sum(arrays[0] * arrays[1] * arrays[2])


@table(X)
def from_the_end(x):
    arrays = [np.array([v]) for v in x]
    for a in reversed(arrays):
        a += arrays[1] * a
    return np.sum(arrays[0] * arrays[1] * arrays[2])


@table(X)
def in_other_orders(x):
    arrays = [np.array([v]) for v in x]
    for a in sorted(arrays, key=lambda a: a[0]):
        a *= a
        arrays[0] += a
    top = max(arrays, key=lambda a: a[0])
    top *= x[0]
    for a in filter(lambda a: a[0] > 0, arrays):
        a *= x[1]
    for _, a in {str(i): a for i, a in enumerate(arrays)}.items():
        a *= 2 * a
    return np.sum(arrays[0] * arrays[1] * arrays[2])


@table(X)
def rows_and_columns(x):
    A = np.outer(x, x)
    s = 0.0
    for row, column in zip(A, A.T, strict=True):
        row *= column
        A[1] *= row
        s += column @ x
    return s + np.sum(A)


@table(X)
def the_entry_of_a_list_by_another_name(x):
    arrays = [x * 1.0, x * 2.0]
    b = arrays[1]
    b *= x
    row = arrays[0]
    row += b
    return np.sum(arrays[0] * arrays[1])


@table(X)
def numbers_of_the_array_that_changes(x):
    a = x * 1.0
    for i, v in enumerate(a):
        if i < 2:
            a[i + 1] += v * v
    for v in a:
        a[2] *= v
    return np.sum(a * x)


@table(X)
def a_list_that_grows(x):
    waiting = [(x[0], 1)]
    s = 0.0
    for v, n in waiting:
        s += v
        if n < 5:
            waiting.append((v * x[1], n + 1))
            waiting.append((v * x[2], n + 2))
    return s


@table(X)
def a_dict_whose_entries_are_replaced(x):
    d = {"a": x[0], "b": x[1], "n": x[2]}
    s = 0.0
    for _, v in d.items():
        d["n"] += v * v
        s += v
    for v in d.values():
        d["n"] = d["n"] * v
    return s + d["n"]


@table(X)
def two_lists_at_once(x):
    r = [x[0], x[1], x[2]]
    q = [x[2], x[1], x[0]]
    s = 0.0
    for i, (u, v) in enumerate(zip(r, q, strict=True)):
        q[-1] *= u
        r[2 - i] += v
        s += u * v
    else:
        s = s + q[-1]
    return s


@table(X)
def a_part_by_its_own_name_seen_by_what_was_put_in(x):
    a, b = x * 1.0, x * 2.0
    rows = [a, b]
    row = rows[0]
    row += x * 0.1
    for other, factor in zip(rows, x, strict=False):
        other[1] += factor * x[0]
    return np.sum(a * x) + np.sum(b)


@table(X)
def a_part_by_a_second_name_seen_by_what_was_put_in(x):
    a, b = x * 1.0, x * 2.0
    rows = [a, b]
    first, last = rows[0], rows[1]
    first, last = last, first
    same = last
    same[1] = x[0] * x[1]
    one, other = rows
    other[0] *= x[2]
    return np.sum(a * x) + np.sum(b * first) + np.sum(one)


def test_an_iterator_over_arrays_that_the_body_changes():
    def f(x):
        arrays = iter([x * 2.0, x * 1.0])
        s = 0.0
        for a in arrays:
            a *= x
            s += np.sum(a)
        return s

    rightly.grad(f)(X)


@pytest.mark.parametrize(("f", "x"), table.rows)
def test_loops_agree_with_differences(f, x):
    check(f, x)
