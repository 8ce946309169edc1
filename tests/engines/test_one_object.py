"""One object under several names, in several places: a change is seen wherever Python shows it."""

import dataclasses

import numpy as np
import pytest
from tests.engines.table import Table

import chainrules as cr
from chainrules.testing import check_grads

table = Table()
X = np.array([1.3, 0.4, -0.7])


def stepped(a):
    a[0] = a[0] * 3.0
    return a * 2


@table(X)
def bound_to_the_value_of_what_changes_it(x):
    a = x * 1.0
    b = a
    for _ in range(2):
        a = stepped(a)
    return np.sum(a**2) + np.sum(b**3)


class Cell:
    def __init__(self, a, b=None):
        self.a = a
        self.b = b

    def grown(self, k):
        self.a = self.a * k
        return Cell(self.a * 2)


@table(X)
def methods_that_change_and_return(x):
    cell = Cell(Cell(x[0]))
    other = cell
    cell = cell.a.grown(x[1])
    return cell.a**2 * other.a.a


@table(X)
def walking_down(x):
    root: dict = {}
    node = root
    for i, v in enumerate(x):
        node = node.setdefault(i, {"v": v * v})
    return root[0]["v"] * root[0][1]["v"] * root[0][1][2]["v"]


@dataclasses.dataclass
class Filter:
    mean: np.ndarray
    total: float = 0.0
    history: list = dataclasses.field(default_factory=list)


@table(X)
def replaced_fields(x):
    s = Filter(x * 2)
    for i in range(3):
        if i == 1:
            s = dataclasses.replace(s, mean=s.mean * x[0])
        s.total += s.mean[i] ** 2
        s.history.append(s.mean.copy())
    return s.total + sum(h @ h for h in s.history)


def exponential(a):
    return np.exp(a)


def with_its_tail(x):
    w = np.exp(x)
    return w, w[1:]


def transposed(x):
    m = np.asfortranarray(np.outer(np.exp(x), x))
    return m, m.T


@table(X)
def several_targets(x):
    a = b = np.exp(x)
    a *= a[::-1]
    cell = Cell(None)
    cell.a = c = np.exp(x)
    c *= c[::-1]
    d, e = np.exp(x), np.exp(2 * x)
    d *= d[::-1]
    e *= d[::-1]
    return np.sum(a * b) + np.sum(cell.a * c) + np.sum(d * e)


@table(X)
def kept_by_its_own_pullback(x):
    a = x * 1.0
    a = exponential(a)
    a *= a[::-1]
    cell = Cell(Cell(np.exp(x)))
    cell.a.a *= cell.a.a[::-1]
    return np.sum(a) + np.sum(cell.a.a)


@table(X)
def results_that_share(x):
    a, b = with_its_tail(x)
    a *= a[::-1]
    rows = list(with_its_tail(x))
    rows[1][0] *= 3 * x[0]
    m, t = transposed(x)
    m[0, 1] *= m[2, 2]
    return np.sum(b) + np.sum(rows[0] ** 2) + np.sum(t[1] ** 2)


@table(X)
def augmented_items(x):
    row = np.exp(x)
    rows, named = [row], {"a": row, "b": row}
    rows[0] *= row[::-1]
    named["a"] *= x[0]
    twice = [np.exp(x)] * 2
    twice[0] *= twice[1][::-1]
    items = [x[0]]
    held = {"k": items}
    held["k"] += [x[1] ** 2]
    return np.sum(row) + np.sum(named["b"]) + np.sum(twice[1]) + items[1] ** 2


@table(X)
def augmented_fields(x):
    cell = Cell(np.exp(x))
    cell.b = cell.a
    cell.a *= cell.b[::-1]
    stepped(cell.b)
    return np.sum(cell.a * cell.b)


@table(X)
def views_in_a_list(x):
    m = np.outer(x, x)
    rows = list(m)
    rows[1][0] = x[2]
    for row in rows:
        stepped(row)
    return np.sum(m**2)


TWICE = {"bound_to_the_value_of_what_changes_it", "several_targets", "results_that_share", "augmented_items"}
"""Programs that are differentiated twice."""


@pytest.mark.parametrize(("f", "x"), table.rows)
def test_derivatives_agree_with_differences(f, x):
    check_grads(f, *x, order=2 if f.__name__ in TWICE else 1)


def test_a_view_of_nothing_is_copied():
    def f(x):
        part = np.zeros((0, 2))[:, 0]
        part += np.sum(x)
        kept = part
        kept *= 2.0
        return np.sum(part) + np.sum(x * x)

    check_grads(f, np.array([0.5, 2.0]))
    np.testing.assert_array_equal(
        cr.grad(lambda v: np.sum(filled(v)))(np.ones((2, 3))[:0, ::2]), np.zeros((0, 2))
    )


def filled(v):
    v[:] = 1.0
    return v * 2.0
