"""Changes in place, each program against differences in both modes; aliases see them as in Python."""

from dataclasses import dataclass, field

import numpy as np
import pytest
from tests.engines.table import Table, check

import chainrules as cr
from chainrules.testing import check_grads

table = Table()
X = np.array([1.0, 2.0, 3.5])


@table(X)
def appended(x):
    r = []
    for i in range(3):
        r.append(x[i] * x[i])
    return r[0] * r[2] + r[1]


@table(X)
def a_table_of_lists(x):
    d = [[0.0] * 3 for _ in range(3)]
    d[0][0] = x[0]
    for i in range(1, 3):
        for j in range(1, 3):
            d[i][j] = d[i - 1][j - 1] * x[i] + d[i][j - 1]
    return d[2][2] + d[1][1]


@table(X)
def one_array_stepped(x):
    u = x.copy()
    for _ in range(4):
        u[1:-1] += 0.1 * (u[2:] - 2 * u[1:-1] + u[:-2]) * u[1:-1]
    return np.sum(u**2)


class Account:
    def __init__(self, start):
        self.total = start
        self.seen = []

    def push(self, v):
        self.total = self.total + v * v
        self.seen.append(v)

    def double(self):
        self.total *= 2.0


@table(X)
def an_object_with_state(x):
    a = Account(x[0])
    for i in range(3):
        a.push(x[i])
        a.double()
    return a.total * a.seen[1]


class Interest(Account):
    def __init__(self, start, rate):
        super().__init__(start * rate)
        self.rate = rate

    def push(self, v):
        super().push(v * self.rate)


@table(X)
def a_subclass(x):
    a = Interest(x[0], x[1])
    a.push(x[2])
    return a.total * a.seen[0]


@dataclass
class Grid:
    u: np.ndarray
    t: float = 0.0
    log: list = field(default_factory=list)

    def __post_init__(self):
        self.scale = self.u[0] * 2.0

    def step(self, dt):
        self.u[1:] += dt * self.u[:-1] * self.scale
        self.t += dt
        self.log.append(self.u[-1])


@table(X)
def an_array_in_an_object(x):
    g = Grid(x.copy())
    for _ in range(3):
        g.step(0.1 * x[1])
    return np.sum(g.u) * g.t + g.log[1]


@table(X)
def two_names_and_a_view(x):
    a = x.copy()
    c = a
    v = a[1:]
    a[0] = x[1] * x[2]
    v[0] = a[0] * 3
    return np.sum(c * x) + a[1]


def fill(buffer, x):
    for i in range(len(buffer)):
        buffer[i] = x[i] ** 2


@table(X)
def changed_by_a_callee(x):
    a = np.zeros(3)
    fill(a, x)
    w = a * x
    fill(a, w)
    return np.sum(a)


@table(X)
def a_dict(x):
    d = {}
    d["a"] = x[0]
    d.update({"b": x[1]})
    d["a"] *= x[2]
    return d["a"] * d.pop("b") + d.setdefault("z", x[0]) + {**d, "a": x[1]}["a"]


@table(np.array([[4.0, 1.0, 0.5], [1.0, 3.0, 0.2], [0.5, 0.2, 2.0]]))
def cholesky(a):
    n = a.shape[0]
    l = np.zeros_like(a)  # noqa: E741  # its name
    for i in range(n):
        for j in range(i + 1):
            s = 0.0
            for k in range(j):
                s += l[i, k] * l[j, k]
            l[i, j] = np.sqrt(a[i, i] - s) if i == j else (a[i, j] - s) / l[j, j]
    return np.sum(l * np.arange(9.0).reshape(3, 3))


@table(X)
def masks_and_repeated_indices(x):
    a = x.copy()
    a[[0, 0, 1]] = x * 2
    a[a > 4.5] = 0.0
    return np.sum(a * x)


@table(X)
def changed_after_it_was_put_into_a_list(x):
    row = [x[0], x[1]]
    rows = [row]
    row.append(x[2])
    row[0] = x[1] * x[2]
    return rows[0][0] * rows[0][2]


@table(X)
def one_row_twice(x):
    row = [x[0]]
    rows = [row, row]
    rows[0][0] = x[1] * x[1]
    return rows[1][0] * x[2]


@table(X)
def a_stack(x):
    stack = [x[0], x[1] * x[1], x[2]]
    last = stack.pop()
    first = stack.pop(0)
    stack.insert(0, last * first)
    stack.reverse()
    return stack[0] * 2 + stack[1] * x[0]


@table(X)
def swapped(x):
    a = [x[0], x[1] * 2, x[2]]
    a[0], a[2] = a[2], a[0] * x[1]
    del a[1]
    return a[0] * a[1]


class Vector:
    def __init__(self, values):
        self._values = list(values)

    def __getitem__(self, i):
        return self._values[i]

    def __setitem__(self, i, v):
        self._values[i] = v

    @property
    def first(self):
        return self._values[0]

    @first.setter
    def first(self, v):
        self._values[0] = v * 2

    def __iadd__(self, other):
        for i, v in enumerate(other):
            self._values[i] = self._values[i] + v
        return self


@table(X)
def stores_that_a_class_defines(x):
    v = Vector(x)
    v[1] = v[0] * x[2]
    v.first = v[1] * x[0]
    v += [x[2], x[0], x[1]]
    return v[0] * v[1]


def velocity_into(out, y):
    out[:] = [y[1], -np.sin(y[0]), 0.5]


@table(X)
def lists_and_tuples_into_arrays(x):
    c, s = np.cos(x[0]), np.sin(x[0])
    R, y, dy = np.zeros((2, 2)), x.copy(), np.empty(3)
    R[0] = [c, -s]
    R[1, :] = s, c
    velocity_into(dy, y)
    y[[0, 2]] += [x[1], dy[0] * y[2]]
    y += 0.1 * dy
    y[y > 2.0] = [v * v for v in y[y > 2.0]]
    R[:, 1:] += [[y[0]], (y[1],)]
    counts, waves = np.zeros(2, int), np.zeros((2, 2), complex)
    counts[:] = [2.6 * x[0], 2.0]
    waves[:] = (1j * x[0], 1.0), np.exp(1j * x[1:])
    return np.sum(R @ y[:2] * counts) + np.real(waves[0, 0] * waves[1, 1]) * y[2]


@pytest.mark.parametrize(("f", "x"), table.rows)
def test_both_modes_agree_with_differences(f, x):
    check(f, x)


@pytest.mark.parametrize(("f", "x"), table.rows)
def test_second_order(f, x):
    check_grads(f, *x, order=2)


RECORDS = [("p", float), ("q", float)]


def a_field(x):
    a = np.zeros(2, RECORDS)
    a["p"][0] = x[0] * x[0]
    return np.sum(a["p"])


def a_row(x):
    a = np.zeros(2, RECORDS)
    a[0] = (x[0], x[1])
    return np.sum(a["p"])


def a_field_of_a_row(x):
    a = np.zeros(2, RECORDS)
    a[1]["p"] = x[0] * x[0]
    return np.sum(a["p"])


def an_object(x):
    a = np.empty(2, object)
    a[0] = x[0]
    return a[0] * x[1]


@pytest.mark.parametrize("f", [a_field, a_row, a_field_of_a_row, an_object])
def test_stores_into_arrays_that_hold_more_than_numbers_are_refused(f):
    for doing in (lambda: cr.grad(f)(X), lambda: cr.jvp(f, (X,), (X,))):
        with pytest.raises(cr.ChainRulesError, match=r"structured|no tangent type|array of objects"):
            doing()


def shifted(x):
    x[0] = x[1] * 2
    x *= x
    return np.sum(x)


@pytest.mark.parametrize("mode", ["reverse", "forward"])
def test_arguments_are_changed_as_by_a_plain_call(mode):
    x, plain = X.copy(), X.copy()
    shifted(plain)
    got = cr.grad(shifted)(x) if mode == "reverse" else cr.jacobian(shifted, jac_mode="fwd")(x)
    np.testing.assert_array_equal(x, plain)
    np.testing.assert_allclose(got, [0.0, 8 * X[1] + 2 * X[1], 2 * X[2]])


def test_a_pullback_runs_again():
    y, pullback = cr.vjp(one_array_stepped, X)
    first, again = pullback(1.0), pullback(1.0)
    np.testing.assert_array_equal(first[0], again[0])
    assert y == one_array_stepped(X)
