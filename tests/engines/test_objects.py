"""Objects: fields, methods, properties, operators and construction of user classes, in both modes."""

import functools
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import pytest
from tests.engines.table import Table, check

import chainrules as cr

table = Table()


class Scale:
    unit = 2.0

    def __init__(self, k):
        self.k = k

    def method(self, x):
        return self.k * x * self.unit

    def __call__(self, x, y=1.0):
        return self.method(x) * x + y

    @property
    def twice(self):
        return self.k * 2

    @functools.cached_property
    def squared(self):
        return self.k * self.k

    @staticmethod
    def static(x):
        return x * x

    @classmethod
    def of_class(cls, x):
        return x * cls.unit

    def __private(self, x):
        return x * self.k

    def public(self, x):
        return self.__private(x)


class Shifted(Scale):
    def method(self, x):
        return super().method(x) + self.k


OBJECT = Scale(1.5)


@table(1.3)
def an_object_that_is_constant(x):
    methods = OBJECT.method(x) + OBJECT.static(x) + OBJECT.of_class(x) + OBJECT.public(x)
    of_class = Scale.static(x) + Scale.of_class(x) + Scale.method(OBJECT, x)
    return OBJECT(x) + OBJECT(x, y=x) + methods + of_class + OBJECT.twice * x + Shifted(2.0).method(x)


table(1.3)(OBJECT)
table(1.3)(OBJECT.method)
table(1.3)(Scale.of_class)
table(1.3)(functools.partial(Scale.method, OBJECT))


@dataclass
class Pair:
    x: float
    y: float = 2.0
    tags: list[str] = field(default_factory=list, kw_only=True)

    def __add__(self, other):
        return Pair(self.x + other.x, self.y + other.y) if isinstance(other, Pair) else NotImplemented

    def __mul__(self, c):
        return Pair(self.x * c, self.y * c)

    __rmul__ = __mul__

    def __rsub__(self, c):
        return Pair(c - self.x, c - self.y)

    def __neg__(self):
        return Pair(-self.x, -self.y)

    def __getitem__(self, i):
        return (self.x, self.y)[i]

    def __matmul__(self, other):
        return self.x * other.x + self.y * other.y

    @property
    def norm2(self):
        return self @ self

    @functools.cached_property
    def product(self):
        return self.x * self.y

    def __getattr__(self, name):
        if name == "double":
            return self.x * 2
        raise AttributeError(name)


class Absorbs:
    def __radd__(self, other):
        return other * other * 3


class Point(NamedTuple):
    x: float
    y: float

    def moved(self, by):
        return Point(self.x + by, self.y)


class Held(NamedTuple):
    x: Any
    y: Any


@table(1.3)
def operators_of_user_classes(x):
    v = Pair(x, y=x * x)
    w = 2.0 * v + v * x
    u = 5.0 - (-w)
    return u.x * u[1] + w.norm2 + (x + Absorbs())


@table(1.3)
def fields_properties_and_attributes_that_are_computed(x):
    v = Pair(x, tags=["a"])
    first = v.product
    return v.product * first + v.double * v.y + len(v.tags) * v.x


@table(Pair(1.3, 0.7))
def an_object_as_the_argument(v):
    return v.x * v.y * v.double + v.norm2


@table(Scale(1.3))
def an_object_without_a_declaration_as_the_argument(s):
    method = s.method
    return s(2.0) * s.twice + method(3.0) + s.public(2.0)


@table(Shifted(1.3))
def super_of_an_argument(s):
    return s.method(s.k)


@table(Point(1.3, 0.7))
def a_named_tuple(p):
    a, b = p
    q = p.moved(a)
    return q.x * q[1] + a * b


@table(1.3)
def an_array_in_a_named_tuple_that_changes(x):
    p = Held(np.array([x, 2.0]), x * x)
    p.x[0] *= p[1]
    np.multiply(p.x, x, out=p.x)
    return p.x[0] * p[0][1] * p.y + p[1]


@table(1.3)
def results_that_are_objects(x):
    return Point(x, y=x * x), Pair(x * x, 3.0)


@pytest.mark.parametrize(("f", "x"), table.rows)
def test_both_modes_agree_with_differences(f, x):
    check(f, x)


@dataclass
class Checked:
    x: float

    def __post_init__(self):
        self.x = self.x * 2


class Doubling(Point):
    def __new__(cls, x, y):
        return super().__new__(cls, 2 * x, y)


class Lazy:
    def __init__(self, compute):
        self.compute = compute

    def __get__(self, owner, cls):
        return self.compute(owner)


class WithDescriptor(Scale):
    lazy = Lazy(lambda self: self.k * 2)


def made(cls: Any, *x: float) -> float:
    value: float = cls(*x).x
    return value


@pytest.mark.parametrize("mode", [cr.grad, cr.derivative])
def test_a_new_that_computes_and_a_post_init_are_followed(mode):
    assert mode(lambda x: made(Doubling, x, 1.0))(1.5) == 2.0
    assert mode(lambda x: made(Checked, x))(1.5) == 2.0


def test_a_user_may_register_the_constructor():
    @dataclass
    class Squared:
        x: float

        def __post_init__(self):
            self.x = self.x**2

    @cr.rrule(Squared)
    def squared_rrule(x: float):
        def squared_pullback(y_bar):
            return y_bar.x * 2 * x

        return Squared(x), squared_pullback

    assert cr.grad(lambda x: made(Squared, x))(1.5) == 3.0


def test_unsupported_operands_say_so_as_python_does():
    with pytest.raises(TypeError, match="unsupported operand"):
        cr.grad(lambda v: (v + 1.0).x)(Pair(1.0, 2.0))


def test_a_cached_property_of_an_argument_belongs_to_its_fields():
    """Whether its value was cached before does not matter."""
    for cached in (False, True):
        v, s = Pair(3.0, 4.0), Scale(3.0)
        if cached:
            assert (v.product, s.squared) == (12.0, 9.0)
        gradient = cr.grad(lambda v: v.product * v.product)(v)
        assert (gradient.x, gradient.y) == (96.0, 72.0)
        assert cr.grad(lambda s: s.squared)(s).k == 6.0


def test_an_attribute_that_a_descriptor_computes_belongs_to_the_fields():
    assert cr.grad(lambda s: s.lazy * s.k)(WithDescriptor(2.0)).k == 8.0
