"""Second derivatives of programs that change what they hold, star their arguments, and define operators."""

import contextlib
import functools
from dataclasses import InitVar, dataclass, field
from typing import NamedTuple

import numpy as np
import pytest
from tests.engines.table import Table

import chainrules as cr
from chainrules.testing import check_grads

table = Table()
X = np.array([1.3, 0.7, -0.4])


def product(a, b, c=1.0):
    return np.sum(a * b * c)


@table(X)
def starred_arguments(x):
    return product(*x) + product(*[x, x * 2.0]) + product(x, *(x,))


@table(X)
def starred_targets(x):
    a, *b = x
    *c, d = [x[0] * x[1], x[1] * x[2], x[0]]
    return a * b[0] * b[1] + c[0] * c[1] * d


@table(X)
def lists_that_change(x):
    r = [x[0] * x[1]]
    r += [x[1] * x[2], x[0]]
    r.reverse()
    r.insert(1, x[0] * 3.0)
    last, first = r.pop(), r.pop(0)
    r.extend([x[2], last])
    return first * r[0] * r[1] * r[-1] + r[2]


@table(X)
def a_reshaped_view(x):
    u = np.zeros((2, 2))
    v = u.reshape(4)
    v[:3] = x * x
    v[3] = x[0]
    return u[0, 1] * u[1, 1] * u[1, 0]


class Polynomial:
    def __init__(self, coefficients):
        self.coefficients = coefficients

    def __rmul__(self, factor):
        return Polynomial([factor * a for a in self.coefficients])

    def __neg__(self):
        return -1.0 * self

    def __getitem__(self, power):
        return self.coefficients[power]

    def __len__(self):
        return len(self.coefficients)

    def __call__(self, t):
        total = 0.0
        for a in reversed(self.coefficients):
            total = total * t + a
        return total

    @property
    def leading(self):
        return self[len(self) - 1]


@dataclass
class Segment:
    start: float
    end: float

    @property
    def length(self):
        return (self.end - self.start) ** 2


@table(X)
def operators_of_a_class(x):
    p = Polynomial([x[0], x[1], x[0] * x[2]])
    q = 3.0 * p
    return q(x[1]) + (-q)[1] * p[2] + q.leading * p.leading


@table(X)
def properties_of_dataclasses(x):
    s = Segment(x[0] * x[1], end=x[2])
    return s.length * s.start


class Stack:
    joined = staticmethod(np.concatenate)
    rate = 2.0

    def __init__(self, scale):
        self.scale = scale

    @staticmethod
    def squared(x, y=3.0):
        return x * x * y

    @classmethod
    def cubed(cls, x):
        return cls.rate * x**3

    def total(self, x):
        rows = self.joined((x, x * self.scale), axis=0)
        return np.sum(rows**2) + self.squared(x[0]) + self.squared(x[1], x[0]) + self.cubed(x[1])


@table(X)
def static_and_class_methods(x):
    return Stack(x[2]).total(x)


class Layer:
    def __init__(self, weights, activation):
        self.weights = weights
        self.activation = activation

    def __call__(self, x):
        return self.activation(self.weights * x)


@table(X)
def functions_held_in_fields(x):
    layers = [Layer(x, np.tanh), Layer(x[::-1], lambda z: z * x[0])]
    y = x
    for layer in layers:
        y = layer(y)
    return np.sum(y)


@table(X)
def fields_of_named_tuples(x):
    return np.linalg.qr(np.outer(x, x[:2]) + np.eye(3)[:, :2]).R[0, 1]


@table(X)
def lines_of_columns(x):
    return np.r_[x[:2], 0.5, x[2]] @ np.c_[x, x**2].reshape(-1)[:4]


class Weighted:
    def __init__(self, w):
        self.weights = np.array([w, w * w, 1.0])

    def __call__(self, z):
        return np.sum(self.weights * z)


@table(X)
def a_callable_object_that_changes_later(x):
    o = Weighted(x[1])
    s = o(x)
    o.weights[1] = 0.0
    return s * x[0]


@table(X)
def a_captured_array_that_changes_later(x):
    weights = x * x
    weigh = lambda z: np.sum(weights * z)  # noqa: E731  a lambda is tested
    s = weigh(x)
    weights[1] = 0.0
    return s * x[0]


@table(X)
def a_list_of_arrays_of_which_some_do_not_vary(x):
    a, b = x.copy(), np.zeros(3)
    rows = [a, b]
    b[0] = 1.0
    a[1] = np.exp(a[1] * x[0])
    return rows[0][1] * x[2] + np.sum(rows[1])


@dataclass(frozen=True)
class Scaled:
    a: float
    b: float
    scale: InitVar[float] = 2.0
    c: float = field(init=False, default=1.0)

    def __post_init__(self, scale):
        object.__setattr__(self, "c", self.a * self.b * scale)


@table(X)
def made_by_post_init(x):
    p = Scaled(x[0], b=x[1] * x[2])
    q = Scaled(p.c, x[1], x[0])
    return p.c * q.c * q.a


class Tracing:
    def __init__(self, rows):
        self.rows = list(rows)

    def __setattr__(self, name, value):
        if name == "rows":
            super().__setattr__(name, value)
        else:
            self.rows.append(value * value)

    def __delitem__(self, i):
        del self.rows[i]


@table(X)
def set_and_deleted_by_methods(x):
    t = Tracing(x)
    t.last = x[0] * t.rows[1]
    del t[1]
    return t.rows[0] * t.rows[1] * t.rows[2]


def by_name(x, **weights):
    return x * weights["a"] * weights["b"]


@table(X)
def keywords_that_vary(x):
    return by_name(x[0], a=x[1], b=x[2] * x[0]) + by_name(x[1], **{"a": x[0], "b": 2.0})


def thrice(f, v):
    return f(v) * f(v * v) + f(v)


@table(X)
def partials_that_vary(x):
    g = functools.partial(product, x[0], c=x[2])
    return thrice(g, x[1]) + thrice(functools.partial(product, x[1]), x[0])


@table(X)
def methods_held_in_variables(x):
    layer, total = Layer(x[0] * x[1], np.tanh), x[2]
    for f in (layer.__call__, Polynomial([x[0], x[1]]).__call__, Stack(x[2]).squared):
        total = f(total) + total
    return thrice(Stack(x).total, x[0] * x) * total


def bump(u, k, *more, z=1.0):
    u[0] += k * k * z
    for v in more:
        v[1] *= u[0]
    return u[1] * z


class Total:
    def __init__(self):
        self.total = 1.0

    def add(self, *values):
        for v in values:
            self.total += self.total * v * v


@table(X)
def changes_through_stars(x):
    u, t = x * x, Total()
    rows = [u, x[1], x * 2.0]
    s = bump(*rows, **{"z": x[2]}) + bump(u, *rows[1:], x.copy(), z=x[0])
    t.add(*x)
    t.add(*[x[0], s])
    return s * np.sum(u) * t.total


class Pair(NamedTuple):
    first: float
    second: float


@contextlib.contextmanager
def doubled(v):
    yield v * 2.0


@table(X)
def stands_for_other_functions(x):
    p = Pair(x[1], 0.3)._replace(second=x[0] * x[1])
    with doubled(p.first * x[2]) as u:
        s = u * u * p.second
    return s * p.second


@table(X)
def entries_of_rows(x):
    s = 0.0
    for a, row in zip(x, np.outer(x, x), strict=True):
        s = s + a * row[1] * row[0]
    return s * sum(r[2] for r in np.outer(x, x))


@pytest.mark.parametrize(("f", "x"), table.rows)
def test_second_derivatives_agree_with_differences(f, x):
    check_grads(f, *x, order=2)


@pytest.mark.parametrize("order", ["dgdg", "ddg"])
def test_forward_and_reverse_in_turns(order):
    def f(t):
        return np.sin(t) * t**3

    def nth(f, order):
        for letter in reversed(order):
            f = {"d": cr.derivative, "g": cr.grad}[letter](f)
        return f

    h = 1e-5
    expected = (nth(f, order[1:])(0.7 + h) - nth(f, order[1:])(0.7 - h)) / (2 * h)
    assert nth(f, order)(0.7) == pytest.approx(expected, rel=1e-7)


def powers(x, y, steps=1, scale=1.0):
    for _ in range(steps):
        x = x * y + scale * np.sin(x)
    return np.sum(x * x)


def test_partials_with_positions_and_keywords():
    later = functools.partial(powers, steps=2, scale=0.5)
    check_grads(functools.partial(powers, X), 0.7)
    check_grads(lambda x, y: y * later(x, y=y, scale=y), X, 0.7)


def test_polynomials_of_numpy():
    powers_of = np.array([1.0, 0.5, 0.25])
    found = cr.hessian(lambda a: np.polynomial.Polynomial(a)(0.5) ** 2)(X)
    assert found == pytest.approx(2.0 * np.outer(powers_of, powers_of))
