"""How a callable is normalised before a rule is looked up, and the name a person knows it by."""

import functools
import gc
import math
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np
import pytest
from scipy import special
from tests.core.calls import pulled, pushed

import chainrules as cr
from chainrules.core.callables import name_of, normalise

X = np.arange(1.0, 4.0)


@pytest.mark.parametrize(
    ("f", "name"),
    [
        (np.sin, "numpy.sin"),
        (special.owens_t, "scipy.special.owens_t"),
        (np.frompyfunc(abs, 1, 1), "abs (vectorized)"),
        (np.linalg.solve, "numpy.linalg.solve"),
        (np.ndarray.sum, "ndarray.sum"),
        (vars(dict)["fromkeys"], "dict.fromkeys"),
        (math.erf, "math.erf"),
        (len, "len"),
    ],
)
def test_a_callable_is_named_by_where_it_is_found(f: Any, name: str) -> None:
    assert name_of(f) == name


class Scaled:
    """An object with every kind of callable member."""

    factor = 3.0

    def times(self, x):
        return self.factor * x

    @classmethod
    def build(cls, x):
        return cls.factor * x

    @staticmethod
    def plain(x):
        return x + x

    def __call__(self, x):
        return self.factor * x


@functools.lru_cache
def remembered(x):
    return x * x


@cr.rrule(Scaled.times)
@cr.rrule(Scaled.__call__)
@cr.rrule(Scaled.build.__func__)  # type: ignore[attr-defined]  # a bound method has the function
def times_rrule(self: object, x: float):
    factor = self.factor  # type: ignore[attr-defined]  # an object or the class

    def times_pullback(y_bar):
        return cr.NoTangent(), factor * y_bar

    return factor * x, times_pullback


@cr.rrule(Scaled.plain)
def plain_rrule(x: float):
    return x + x, lambda y_bar: (2.0 * y_bar,)


@cr.rrule(remembered)
def remembered_rrule(x: float):
    return x * x, lambda y_bar: (2.0 * x * y_bar,)


@pytest.mark.parametrize(
    ("f", "args", "slope"),
    [
        (Scaled().times, (5.0,), (3.0,)),
        (Scaled.build, (5.0,), (3.0,)),
        (Scaled().build, (5.0,), (3.0,)),
        (Scaled.plain, (5.0,), (2.0,)),
        (Scaled().plain, (5.0,), (2.0,)),
        (Scaled(), (5.0,), (3.0,)),
        (functools.partial(Scaled()), (5.0,), (3.0,)),
        (remembered, (5.0,), (10.0,)),
        (functools.partial(np.multiply, 4.0), (5.0,), (4.0,)),
        (functools.partial(functools.partial(np.multiply), 4.0), (5.0,), (4.0,)),
    ],
)
def test_every_spelling_reaches_the_rule(f: Any, args: Any, slope: Any) -> None:
    assert pulled(f, *args) == slope
    assert cr.grad(lambda x: f(x))(*args) == slope[0]


def test_a_method_of_an_array_is_the_unbound_function_with_the_array_first() -> None:
    assert normalise(X.sum, (0,), {}) == (np.ndarray.sum, (X, 0), {})
    np.testing.assert_array_equal(cr.grad(lambda x: x.cumsum().sum())(X), [3.0, 2.0, 1.0])


def test_a_class_method_written_in_c_is_its_function_with_the_class_first() -> None:
    f, args, _ = normalise(datetime.fromtimestamp, (0.0,), {})
    assert args == (datetime, 0.0)
    assert f is vars(datetime)["fromtimestamp"]


def test_a_partial_gives_its_keywords_and_a_call_overrides_them() -> None:
    total = functools.partial(np.sum, axis=0)
    matrix = np.ones((2, 3))
    np.testing.assert_array_equal(pulled(total, matrix, seed=np.arange(3.0))[0], [np.arange(3.0)] * 2)
    np.testing.assert_array_equal(
        pulled(total, matrix, axis=1, seed=np.arange(2.0))[0], [[0.0] * 3, [1.0] * 3]
    )


def test_a_rule_of_a_partial_itself_comes_before_its_function_s() -> None:
    f = functools.partial(np.multiply, 2.0)

    @cr.rrule(f)
    def f_rrule(x: float):
        return f(x), lambda y_bar: (99.0,)

    assert pulled(f, 1.0) == (99.0,)
    assert cr.grad(lambda x: f(x))(1.0) == 99.0
    assert pulled(functools.partial(np.multiply, 2.0), 1.0) == (2.0,)


def test_a_wrapper_is_not_looked_through_because_it_may_change_what_it_wraps() -> None:
    def inner(x):
        return x

    @cr.rrule(inner)
    def inner_rrule(x: float):
        return x, lambda y_bar: (7.0 * y_bar,)

    @functools.wraps(inner)
    def doubled(x):
        return 2.0 * inner(x)

    assert cr.apply_rrule(doubled, 1.0) is None
    assert cr.grad(lambda x: doubled(x))(1.0) == 14.0  # its source says how


def test_the_identity_of_the_callable_chooses_and_not_its_type() -> None:
    sine, cosine = (type(f) for f in (np.sin, np.cos))
    assert sine is cosine
    assert pulled(np.sin, 0.0) == (1.0,)
    assert pulled(np.cos, 0.0) == (0.0,)


def test_of_two_closures_of_one_code_only_the_registered_one_has_the_rule() -> None:
    def make(a: float) -> Callable[[float], float]:
        return lambda x: a * x

    f, g = make(2.0), make(3.0)

    @cr.rrule(f)
    def f_rrule(x: float):
        return f(x), lambda y_bar: (-1.0,)

    for _ in range(2):  # also once the caches are warm
        assert cr.grad(lambda x: f(x))(1.0) == -1.0
        assert cr.grad(lambda x: g(x))(1.0) == 3.0
    assert cr.apply_rrule(g, 1.0) is None


def test_fresh_functions_are_not_kept_alive() -> None:
    kept = []
    for a in (2.0, 3.0, 4.0):
        closure: Any = lambda x, a=a: a * x  # noqa: E731  # a fresh one each time
        bound: Any = Scaled()
        assert cr.grad(lambda x, f=closure, o=bound: f(x) + o.times(x) + o(x))(1.0) == a + 6.0
        assert cr.apply_rrule(closure, 1.0) is None
        assert pulled(functools.partial(bound), 1.0) == (3.0,)
        kept += [weakref.ref(closure), weakref.ref(bound)]
        del closure, bound
    gc.collect()
    assert [ref() for ref in kept] == [None] * 6


class Field(np.ndarray):
    """A subclass, so that an attribute rule of the class must reach it."""


def test_an_attribute_has_a_rule_of_its_own_and_subclasses_share_it() -> None:
    x = np.ones((2, 3))
    seed = np.arange(6.0).reshape(3, 2)
    for each in (x, x.view(Field)):
        x_bar, name = pulled(getattr, each, "T", seed=seed)
        np.testing.assert_array_equal(x_bar, seed.T)
        assert name is cr.NoTangent()
    y, dy = pushed(getattr, (x, "T"), (x, cr.NoTangent()))
    assert y.shape == dy.shape == (3, 2)


def test_an_attribute_rule_is_found_by_type_and_name() -> None:
    @dataclass
    class Circle:
        r: float

        @property
        def area(self) -> float:
            return math.pi * self.r**2

    class Disc(Circle): ...

    @cr.rrule(getattr, Circle, "area")
    def area_rrule(c):
        return c.area, lambda y_bar: (cr.Composite[type(c)](r=2.0 * math.pi * c.r * y_bar),)

    for kind in (Circle, Disc):
        c_bar, _ = pulled(getattr, kind(2.0), "area")
        assert c_bar.r == pytest.approx(4.0 * math.pi)
    assert cr.apply_rrule(getattr, Circle(2.0), "perimeter") is None
    assert cr.apply_rrule(getattr, object(), "area") is None
    assert cr.grad(lambda r: Circle(r).area)(2.0) == pytest.approx(4.0 * math.pi)
