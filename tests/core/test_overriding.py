"""Subclasses that define an operator anew: the rule of the base does not hold for it."""

import operator
from typing import NamedTuple

import numpy as np
import pytest

import chainrules as cr
from chainrules.testing import check_grads


class Vector(NamedTuple):
    x: float
    y: float

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)

    def __rmul__(self, factor):
        return Vector(factor * self.x, factor * self.y)

    def __getitem__(self, place):
        return 2 * (self.x, self.y)[place]


class Tripled(dict):
    def __getitem__(self, key):
        return 3 * dict.__getitem__(self, key)


class Doubled(np.ndarray):
    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        return 2 * getattr(ufunc, method)(*map(np.asarray, inputs), **kwargs)


class Plain(np.ndarray):
    pass


def test_a_vector_that_is_a_named_tuple():
    def f(x):
        v = Vector(x, x * x) + x * Vector(2.0, x)
        return v.y * v[0]

    check_grads(f, 1.5)


def test_what_a_dictionary_gives_for_a_key_is_followed():
    gradient = cr.grad(lambda d: d["a"] * d["a"])(Tripled(a=2.0))
    assert gradient == cr.Composite[Tripled]({"a": 36.0})


def test_an_array_whose_class_computes_in_its_own_way_is_refused_by_name():
    x = np.ones(2).view(Doubled)
    for f in (lambda x: np.sum(np.sin(x)), lambda x: np.sum(x * x)):
        with pytest.raises(cr.NotDifferentiableError, match="a Doubled has no derivatives here"):
            cr.grad(f)(x)


def test_an_array_of_a_class_that_adds_nothing_has_the_rules_of_arrays():
    x = np.ones(2).view(Plain)
    np.testing.assert_allclose(cr.grad(lambda x: np.sum(x * x))(x), [2.0, 2.0])


class Circle:
    def __init__(self, radius):
        self.radius = radius

    @property
    def area(self):
        return np.pi * self.radius**2

    def __add__(self, other):
        return Circle(self.radius + other.radius)


class Ring(Circle):
    @property
    def area(self):
        return 5.0 * self.radius**3

    def __add__(self, other):
        return Ring(self.radius * other.radius)


class Disk(Circle):
    """Which has all that a circle has."""


@cr.rrule(getattr, Circle, "area")
def area_rrule(c: Circle):
    return c.area, lambda y_bar: cr.Composite[type(c)](radius=100.0 * y_bar)  # another number: it is seen


@cr.rrule(operator.add)
def add_rrule(c: Circle, o: Circle):
    def add_pullback(y_bar):
        return cr.Composite[Circle](radius=100.0 * y_bar.radius), cr.Composite[Circle](radius=0.0)

    return Circle(c.radius + o.radius), add_pullback


def test_a_rule_of_a_class_does_not_hold_where_a_subclass_has_a_property_or_operator_of_its_own():
    assert cr.grad(lambda x: Disk(x).area)(2.0) == 100.0
    assert cr.grad(lambda x: (Disk(x) + Disk(x)).radius)(2.0) == 100.0
    for _ in range(4):
        assert np.isclose(cr.grad(lambda x: Ring(x).area)(2.0), 60.0)
        assert np.isclose(cr.grad(lambda x: (Ring(x) + Ring(x)).radius)(2.0), 4.0)


def test_a_rule_may_give_the_tangent_of_a_base_class():
    gradient = cr.grad(lambda c: (c + Circle(1.0)).radius)(Disk(2.0))
    assert gradient == cr.Composite[Disk](radius=100.0)
