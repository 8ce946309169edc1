"""Stores: what a function changes in place is differentiated, and what a pullback kept is as it was."""

import numpy as np
import pytest
from tests.engines.table import Table, check

import chainrules as cr

table = Table()
X = np.array([1.0, 2.0, 3.0])


@table(X)
def filled_before_it_is_used(x):
    w = np.zeros(3)
    w[0], w[1] = 1.0, 2.0
    w += 1.0
    w.sort()
    return np.sum(w * x)


@table(X)
def slices_of_lists(x):
    m = [x[0] * x[1], x[1], x[2], x[0]]
    m[1:3] = [m[0] * x[0], m[1] * m[1], x[2]]
    m[::2] = (m[1] * x[0], x[2], x[0])
    m[:0] = [x[0]]
    m[2:3] = [2.0, 3.0]
    return m[0] * m[1] * m[2] * m[3] * m[4] * m[5] * m[6]


@table(X)
def new_in_each_round(x):
    s = 0.0
    for i in range(3):
        w = np.zeros(3)
        w[i] = 2.0
        s = s + np.sum(w * x * x)
    return s


@table(X)
def changed_under_another_name_after_the_first_is_bound_anew(x):
    b = x * 1.0
    c = b
    s = np.sum(b * b)
    b = b * 2.0
    c[0] = x[0] * x[1]
    for i in range(2):
        s = s + np.sum(c * c * b)
        b = c
        c = c * x
        b[i] = x[2]
    return s + c[0] + b[1]


@table(X)
def changed_in_a_copy(x):
    w = np.ones(3)
    s = np.sum(w * x)
    w = w.copy()
    w[0] = 5.0
    v = 2 * w
    v[1] = 7.0
    return s + np.sum(w * x) + np.sum(v * x)


@table(X)
def counters_and_containers(x):
    i, t, s, seen = 0, 0.0, 0.0, []
    counts = {"n": 0}
    while i < 3:
        s = s + x[i] * t
        t += 0.5
        i += 1
        counts["n"] += 1
        seen.append(i)
    return s * counts["n"] * len(seen)


class Holder:
    def __init__(self):
        self.buffer = np.ones(3)


@table(X)
def stored_after_use(x):
    w = np.ones(3)
    y = x * w
    w[0] = 100.0
    return np.sum(y)


@table(X)
def augmented_after_use(x):
    w = np.ones(3)
    y = x * w
    w *= 0.5
    return np.sum(y)


@table(X)
def refilled_in_a_loop(x):
    w, s = np.zeros(3), 0.0
    for i in range(3):
        w[:] = i
        s = s + np.sum(w * x)
    return s


@table(X)
def through_a_view(x):
    w = np.ones(3)
    head = w[:2]
    y = x[:2] * head
    w[0] = 100.0
    return np.sum(y)


@table(X)
def through_a_container(x):
    rows = [np.ones(3)]
    y = x * rows[0]
    rows[0][1] = 5.0
    return np.sum(y)


@table(X)
def through_an_attribute(x):
    holder = Holder()
    y = x * holder.buffer
    holder.buffer += 1.0
    return np.sum(y)


@table(X)
def through_a_closure(x):
    w = np.ones(3)

    def g(v):
        return v * w

    y = g(x)
    w[0] = 5.0
    return np.sum(y)


@table(X)
def by_a_method(x):
    w = np.ones(3)
    y = x * w
    w.fill(2.0)
    return np.sum(y)


@table(X)
def by_a_function(x):
    w = np.ones(3)
    y = x * w
    np.copyto(w, 2.0)
    return np.sum(y)


@table(X)
def as_an_output(x):
    w = np.ones(3)
    y = x * w
    np.multiply(w, 3.0, out=w)
    return np.sum(y)


@table(X)
def a_varying_value_augmented(x):
    y = x * 2.0
    y += 1.0
    return np.sum(y)


@table(X)
def a_varying_value_augmented_when_it_is_no_longer_used(x):
    y = x * 2.0
    z = y * y
    y += 1.0
    return np.sum(z)


@table(X)
def a_list_that_varies_augmented(x):
    t = [x]
    t += [x]
    return np.sum(t[0])


class Halving:
    """Computes its items, and stores another value than it is given."""

    def __init__(self, rows):
        self.rows = rows

    @property
    def first(self):
        return self.rows[0][0] * 2.0

    def __getitem__(self, i):
        return self.rows[i]

    def __setitem__(self, i, row):
        self.rows[i] = [v * 0.5 for v in row]


class Kept:
    def __init__(self, v, w):
        self.v = v
        v += w
        self.w = v


@table(X)
def inside_items_that_are_computed(x):
    o = Halving([[x[0], 1.0], [x[1]]])
    o[0][1] = x[2] * x[0]
    o[1].append(x[2])
    made = Kept(o[0][0], o.first)
    o[1] = [x[0], made.w]
    return sum(o[0]) * sum(o[1]) + made.v


@pytest.mark.parametrize(("f", "x"), table.rows)
def test_both_modes_agree_with_differences(f, x):
    check(f, x)


def test_the_callers_arrays_are_not_changed():
    x, w = X.copy(), np.ones(3)
    _, pullback = cr.vjp(lambda x: np.sum(x * w) + x[0], x)
    (first,) = pullback(1.0)
    (second,) = pullback(2.0)
    np.testing.assert_array_equal(cr.materialize(first, like=x), [2.0, 1.0, 1.0])
    np.testing.assert_array_equal(cr.materialize(second, like=x), [4.0, 2.0, 2.0])
    np.testing.assert_array_equal(x, X)
    np.testing.assert_array_equal(w, np.ones(3))


STATE = {"value": 1.0}


def remember(value):
    STATE["value"] = value
    return value


class Accumulator:
    def __init__(self):
        self.total = 0.0

    def push(self, value):
        self.total = self.total + value
        return self.total


def kept_by_a_function(x):
    _ = remember(x)
    return STATE["value"] * 2


def kept_by_a_closure(x):
    kept = [0.0]

    def put(value):
        kept[0] = value
        return value

    unused = put(x)  # noqa: F841  # what it keeps is used
    return kept[0] * 2


def kept_by_a_method(x):
    total = Accumulator()
    _ = total.push(x)
    return total.total * 2


@pytest.mark.parametrize("mode", [cr.grad, cr.derivative])
def test_a_value_that_is_put_outside(mode):
    mode(kept_by_a_function)(3.0)


@pytest.mark.parametrize("mode", [cr.grad, cr.derivative])
@pytest.mark.parametrize("f", [kept_by_a_method, kept_by_a_closure])
def test_a_method_or_a_closure_keeps_a_value(mode, f):
    assert mode(f)(3.0) == 2.0
