"""Objects that operators change in place or that methods give back, namespaces, and clocks beside them."""

import functools
import time
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from tests.engines import rightly

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after
from chainrules.engines.specialised.running.shown import text_of

from .compared import hold_directions, is_right

X = np.array([0.7, -0.4, 1.3, 0.2])


class Vector:
    def __init__(self, x: Any, y: Any) -> None:
        self.x, self.y = x, y

    def __iadd__(self, other: Any) -> Any:
        self.x = self.x + other.x
        self.y += other.y
        return self

    def __imul__(self, k: Any) -> Any:
        self.x *= k
        self.y *= k
        return self

    def __isub__(self, other: Any) -> Any:
        return Vector(self.x - other.x, self.y - other.y)  # another object

    def __add__(self, other: Any) -> Any:
        return Vector(self.x + other.x, self.y + other.y)

    def scaled(self, k: Any) -> Any:
        self.x = self.x * k
        return self


class Body:
    def __init__(self) -> None:
        self.position, self.n = Vector(0.1, 0.2), 0

    def run(self, p: Any) -> Any:
        for v in p:
            self.position += Vector(v, v * v)
            self.n += 1
        return self.position.x * self.position.y * self.n


def added(p: Any) -> Any:
    a = Vector(p[0], p[1])
    for i in range(3):
        a += Vector(p[2], p[i])
    a *= p[3]
    return a.x * a.y


def seen_by_another_name(p: Any) -> Any:
    a = Vector(p[0], p[1])
    b = a
    a += Vector(p[2], p[3])
    return b.x * a.y + b.y


def another_object(p: Any) -> Any:
    a = b = Vector(p[0], p[1])
    a -= Vector(p[2], p[3])
    return b.x * a.y + b.y * a.x


def only_sometimes(p: Any) -> Any:
    a = Vector(p[0], p[1])
    if p[2] > 0:
        a += Vector(p[2], p[3])
    else:
        a *= 2.0
    return a.x * a.y


def in_a_field(p: Any) -> Any:
    return Body().run(p)


def given_back(p: Any) -> Any:
    a = Vector(p[0], p[1])
    a = a.scaled(p[2]).scaled(p[3])
    return a.x * a.scaled(2.0).y * a.x


def without_the_operator(p: Any) -> Any:
    a = Plain(p[0])
    b = a
    a += Plain(p[1])
    return a.v * b.v


class Plain:
    def __init__(self, v: Any) -> None:
        self.v = v

    def __add__(self, other: Any) -> Any:
        return Plain(self.v + other.v * 2.0)


SETTINGS = SimpleNamespace(k=2.0, n=3, w=np.array([0.1, 0.2, 0.3, 0.4]))


def of_a_namespace(p: Any) -> Any:
    o = SimpleNamespace(a=p, b=2.0)
    o.c = o.a * o.b
    o.a = o.c * p
    return np.sum(o.c * o.a)


def settings(p: Any) -> Any:
    for _ in range(SETTINGS.n):
        p = np.sin(p) * SETTINGS.k + SETTINGS.w
    return np.sum(p)


def timed(p: Any) -> Any:
    start = time.perf_counter()
    y = np.sum(np.tanh(p) * p)
    passed = time.perf_counter() - start
    return y if passed >= 0.0 else 2.0 * y


def by_a_key_of_its_name(p: Any) -> Any:
    return sum(i * v for i, v in enumerate(sorted(p, key=lambda v: -v)))


PROGRAMS = [added, another_object, only_sometimes, in_a_field, given_back, without_the_operator]
PROGRAMS += [of_a_namespace, settings, timed, by_a_key_of_its_name, seen_by_another_name]


@pytest.mark.parametrize("f", PROGRAMS)
def test_a_text_is_right(f: Any) -> None:
    assert is_right(f, X)
    hold_directions(f, X)


def of_given(o: Any, x: Any) -> Any:
    o.s = np.sum(np.tanh(x * o.w))
    o.n += 1
    return o.s * o.b


def test_a_namespace_that_is_given() -> None:
    with specialised_after(1):
        o = SimpleNamespace(w=X * 2.0, b=3.0, n=0)
        for k in range(1, 5):
            found = cr.grad(of_given)(o, X)
            assert o.n == 2 * k - 1
            np.testing.assert_allclose(found.w, 3.0 * X / np.cosh(2.0 * X * X) ** 2)
            assert found.b == pytest.approx(o.s)
            by_x = cr.grad(of_given, 1)(o, X)
            assert o.n == 2 * k
            np.testing.assert_allclose(by_x, 6.0 * X / np.cosh(2.0 * X * X) ** 2)
        assert text_of(of_given)


class Computing:
    def __init__(self, p: Any) -> None:
        self.p = p

    @functools.cached_property
    def norm(self) -> Any:
        return np.sqrt(np.sum(self.p**2))

    def scaled(self, k: Any) -> Any:
        return self.norm * k + self.norm**2


def computed_once(p: Any) -> Any:
    c = Computing(p)
    return c.norm * c.norm + c.scaled(p[0]) + sum(Computing(p * k).norm for k in range(1, 3))


def computed_and_changed(p: Any) -> Any:
    c = Computing(p * 1.0)
    y = c.norm
    c.p = c.p * 2.0
    return y * c.norm + np.sum(c.p)


def computed_and_written_into(p: Any) -> Any:
    c = Computing(p * 1.0)
    y = c.norm
    c.p[0] = 5.0
    return y * c.norm + np.sum(c.p)


def test_properties_that_are_computed_once() -> None:
    assert is_right(computed_once, X)
    hold_directions(computed_once, X)
    with specialised_after(1):
        for f in (computed_and_changed, computed_and_written_into):
            for _ in range(3):
                rightly.grad(f)(X)


def test_a_given_object_keeps_what_it_computed() -> None:
    def f(p: Any, c: Any) -> Any:
        return np.sum(p) * c.norm

    with specialised_after(1):
        for _ in range(3):
            c = Computing(X)
            np.testing.assert_allclose(cr.grad(f)(X, c), np.linalg.norm(X))
            assert "norm" in vars(c)
