"""A result that its own pullback keeps may be changed in place afterwards, wherever it went in between."""

import numpy as np
import pytest
from tests.engines.table import Table

from chainrules.testing import check_grads

table = Table()
X = np.array([1.0, 2.0, 1.5])


@table(X)
def an_item(x):
    c = np.exp(x)
    c[0] = 2.0
    return np.sum(c * x)


@table(X)
def the_whole(x):
    c = np.tanh(x)
    c += 1
    return np.sum(c * c)


def exponentials(x):
    return np.exp(x)


@table(X)
def what_a_function_returned(x):
    c = exponentials(x)
    c[1] *= 3
    return np.sum(c * x)


def itself(v):
    return v


@table(X)
def what_a_function_gave_back(x):
    a = np.exp(x)
    b = itself(a)
    b[0] = 4.0
    return np.sum(a * x)


@table(X)
def what_a_list_holds(x):
    rows = [np.exp(x), np.sqrt(x)]
    rows[0][1] = 7.0
    rows[1] *= 2
    return np.sum(rows[0] * rows[1])


class Holder:
    def __init__(self, u):
        self.u = np.exp(u)
        self.more = []

    def put(self, v):
        self.more.append(v)


@table(X)
def what_an_object_holds(x):
    holder = Holder(x)
    holder.u[0] = 3.0
    holder.put(np.exp(holder.u * 0.1))
    holder.more[0][1] = 5.0
    return np.sum(holder.u * holder.more[0])


@table(X)
def what_was_given_to_an_object(x):
    y = np.sqrt(x)
    holder = Holder(x)
    holder.put(y)
    holder.more[0][0] *= 2
    return np.sum(holder.more[0] * holder.u)


@table(np.array([[2.0, 0.3], [0.1, 1.5]]))
def an_inverse(a):
    c = np.linalg.inv(a)
    c[0] = 2.0
    return np.sum(c * a)


@pytest.mark.parametrize(("f", "x"), table.rows)
def test_two_orders_agree_with_differences(f, x):
    check_grads(f, *x, order=2)


def a_sorted_result(x):
    c = np.exp(x)
    c.sort()
    return np.sum(c * np.arange(3.0))


def called_with_what_it_got(f, **words):
    def called(*x):
        return f(*x, **words)

    return called


def test_a_view_as_numbers_of_another_kind():
    as_reals = called_with_what_it_got(np.ndarray.view, dtype=float)
    check_grads(as_reals, np.array([0.3 + 0.2j, 0.5 - 0.1j]), order=2)


def test_a_method_that_changes_it():
    check_grads(a_sorted_result, X, order=2)
