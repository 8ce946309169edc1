"""Objects that keep their fields in slots: made in a text, given, of the module, and set there."""

import dataclasses
from typing import Any

import numpy as np
import pytest

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after
from chainrules.engines.specialised.running.shown import text_of

from .compared import hold_directions, is_right

X = np.array([0.3, 0.5, 0.2])


class Quaternion:
    __slots__ = ("v", "w")

    def __init__(self, w: Any, v: Any) -> None:
        self.w, self.v = w, v

    def __mul__(self, other: Any) -> Any:
        v = self.w * other.v + other.w * self.v + np.cross(self.v, other.v)
        return Quaternion(self.w * other.w - self.v @ other.v, v)

    @classmethod
    def around(cls, axis: Any, angle: Any) -> Any:
        return cls(np.cos(angle), axis * np.sin(angle))

    def turned(self, x: Any) -> Any:
        return (self * Quaternion(0.0, x) * Quaternion(self.w, -self.v)).v


@dataclasses.dataclass(slots=True)
class Point:
    x: Any
    y: Any = 2.0

    def length(self) -> Any:
        return np.sqrt(self.x**2 + self.y**2)


@dataclasses.dataclass(slots=True, frozen=True)
class Fixed:
    x: Any
    y: Any = 2.0

    def plus(self, other: Any) -> Any:
        return Fixed(self.x + other.x, self.y * other.y)


class Base:
    __slots__ = ("w",)

    def __init__(self, w: Any) -> None:
        self.w = w


class Layer(Base):
    __slots__ = ("x",)

    def forward(self, x: Any) -> Any:
        self.x = x
        return np.tanh(self.w * x)


POINT, LAYER = Point(0.5, 0.7), Layer(0.7)


def rotation(a: Any) -> Any:
    return np.sum(Quaternion.around(a, 0.7).turned(np.array([1.0, 2.0, 3.0])) ** 3)


def changed(a: Any) -> Any:
    p = Point(a[0], a[1])
    p.x = p.x * 2.0
    return p.length() * a[2]


def frozen(a: Any) -> Any:
    return Fixed(a[0]).plus(Fixed(a[1], a[2])).y * a[0]


def of_the_module(a: Any) -> Any:
    return POINT.length() * np.sum(a * POINT.x)


def kept(a: Any) -> Any:
    return np.sum(LAYER.forward(a)) + np.sum(LAYER.x**2)


@pytest.mark.parametrize("f", [rotation, changed, frozen, of_the_module, kept])
def test_a_text_is_right(f: Any) -> None:
    assert is_right(f, X)


@pytest.mark.parametrize("f", [rotation, changed, frozen, of_the_module])
def test_directions(f: Any) -> None:
    hold_directions(f, X)


def by_object(p: Any, a: Any) -> Any:
    return p.length() * np.sum(np.sin(a * p.x))


def test_by_an_object() -> None:
    with specialised_after(2):
        for _ in range(4):
            p = Point(0.4, 0.9)
            found = cr.grad(by_object)(p, X)
        assert text_of(by_object)
    for name in ("x", "y"):
        up, down = (
            by_object(dataclasses.replace(p, **{name: getattr(p, name) + e}), X) for e in (1e-6, -1e-6)
        )
        assert getattr(found, name) == pytest.approx((up - down) / 2e-6, rel=1e-7)


def test_a_field_that_is_not_set_yet() -> None:
    with specialised_after(2):
        for _ in range(4):
            layer = Layer(0.7)
            found = cr.grad(lambda a, layer: np.sum(layer.forward(a)) + np.sum(layer.x**2))(X, layer)
            np.testing.assert_allclose(found, 0.7 / np.cosh(0.7 * X) ** 2 + 2 * X)
            np.testing.assert_array_equal(layer.x, X)
