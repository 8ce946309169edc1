"""Classes: what a class above does, methods that are given the class or nothing, setters, constructors."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after
from chainrules.engines.specialised.running.shown import text_of

from .compared import differences, hold_directions, is_right

AT = np.array([0.7, 1.3, -0.4])


class Layer:
    gain = 1.5

    def __init__(self, w: Any, b: Any) -> None:
        self.w = w
        self.b = b

    def forward(self, z: Any) -> Any:
        return self.w * z * self.gain + self.b

    def twice(self, z: Any) -> Any:
        return self.forward(self.forward(z))


class Residual(Layer):
    gain = 0.5

    def __init__(self, w: Any, b: Any, k: Any = 2.0) -> None:
        super().__init__(w * k, b)
        self.k = k

    def forward(self, z: Any) -> Any:
        return z * self.k + super().forward(np.tanh(z))


class ByName(Layer):
    def __init__(self, w: Any, b: Any) -> None:
        Layer.__init__(self, w, b)
        self.w = self.w * 2

    def forward(self, z: Any) -> Any:
        return Layer.forward(self, z) ** 2


class Spelled(Layer):
    def forward(self, z: Any) -> Any:
        return super(Spelled, self).forward(z) * z  # noqa: UP008  the longer form


def the_class_above(x: Any) -> Any:
    return Residual(x[0], x[1]).twice(x[2]) + Residual(x[2], x[0], x[1]).forward(x[0])


def a_class_by_its_name(x: Any) -> Any:
    return ByName(x[0], x[1]).twice(x[2]) + Spelled(x[0], x[1]).forward(x[2])


def classes_in_turns(x: Any) -> Any:
    z = 1.0
    for layer in [Layer(x[0], x[1]), Residual(x[1], x[2]), ByName(x[2], x[0])]:
        z = np.tanh(layer.forward(z))
    return z


class Setup:
    def __init__(self, x: Any) -> None:
        self.a = x[0]
        self.all = x * 2
        self.prepare(x[1])
        self.total = self.summed()

    def prepare(self, k: Any) -> None:
        self.b = self.a * k
        self.items = [self.a, self.b]

    def summed(self) -> Any:
        return self.a + self.b + np.sum(self.all)


class Longer(Setup):
    def __init__(self, x: Any, k: Any = 2.0) -> None:
        super().__init__(x)
        self.c = self.total * k

    def prepare(self, k: Any) -> None:
        super().prepare(k)
        self.d = self.b**2


def a_constructor_that_calls_methods(x: Any) -> Any:
    made, longer = Setup(x), Longer(x, k=x[2])
    made.items.append(x[2])
    return made.total * made.b + sum(made.items) + longer.c * longer.d


class Vector:
    def __init__(self, x: Any, y: Any) -> None:
        self.x = x
        self.y = y

    @classmethod
    def of(cls, a: Any) -> Any:
        return cls(a[0], a[1])

    @staticmethod
    def dot(a: Any, b: Any) -> Any:
        return a.x * b.x + a.y * b.y

    def norm2(self) -> Any:
        return self.dot(self, self)

    def scaled(self, k: Any) -> Any:
        return self.__class__(self.x * k, self.y * k)

    def copied(self) -> Any:
        return self.of([self.x, self.y])

    def __add__(self, other: Any) -> Any:
        return type(self)(self.x + other.x, self.y + other.y)

    @property
    def length(self) -> Any:
        return np.sqrt(self.norm2())

    @length.setter
    def length(self, v: Any) -> None:
        k = v / self.length
        self.x = self.x * k
        self.y = self.y * k


class Minkowski(Vector):
    @staticmethod
    def dot(a: Any, b: Any) -> Any:
        return a.x * b.x - a.y * b.y


def methods_without_an_object(x: Any) -> Any:
    total = Vector.of(x)
    for k in range(3):
        total = total + Vector.of(x).scaled(x[2] * k)
    return Vector.dot(total, total.copied()) + total.norm2()


def classes_that_are_gone_through(x: Any) -> Any:
    t = 0.0
    for P in (Vector, Minkowski):
        t = t * 2 + P.of(x).norm2() * x[2]
    for v in [Vector(x[0], x[1]), Minkowski(x[1], x[2])]:
        t = t * 2 + v.norm2() + (3.0 if isinstance(v.scaled(2.0), Minkowski) else 1.0) * v.x
    return t


def a_setter(x: Any) -> Any:
    v = Vector(x[0], x[1])
    same = v
    for _ in range(3):
        same.length = v.length * x[1] + 1.0
    return v.x * same.y


class Rate:
    step = 0.1
    gain = 2.0

    @classmethod
    def taken(cls, v: Any, g: Any) -> Any:
        return v - cls.step * g * cls.gain


class Larger(Rate):
    step = 0.5


def values_of_a_class(x: Any) -> Any:
    v = x[0]
    for _ in range(3):
        v = Rate.taken(v, x[1] * v)
    return Larger.taken(v, x[2]) * Rate.step


@dataclass
class Point:
    a: Any
    items: list[Any] = field(default_factory=list)
    b: Any = 2.0

    def __post_init__(self) -> None:
        self.items.append(self.a * self.b)
        self.c = self.a * self.b
        self.a = self.a * 2


@dataclass
class Further(Point):
    d: Any = 0.5

    def __post_init__(self) -> None:
        super().__post_init__()
        self.e = self.c + self.d


def dataclasses_that_go_on(x: Any) -> Any:
    items = [x[2]]
    p, q, further = Point(x[0], b=x[2]), Point(x[1], items), Further(x[0], d=x[1])
    items.append(x[1])
    return p.c * p.items[0] + sum(q.items) * q.a + further.e * further.a * len(q.items)


class Holding:
    def __init__(self, held: Any) -> None:
        self.held = held
        self.fix()

    def fix(self) -> None:
        self.held[0] = self.held[1] * 2.0


def held_by_one_that_writes(a: Any) -> Any:
    Holding(a)
    return 1.0


def a_constructor_that_writes(x: Any) -> Any:
    a = x * 1.0
    t = held_by_one_that_writes(a)
    made = Holding(a)
    a[1] = x[2] * 3
    return t * a[0] * a[2] + made.held[1] * a[0]


def a_constructor_that_writes_in_turns(x: Any) -> Any:
    a, t = x * 1.0, 0.0
    for i in range(3):
        t = t + held_by_one_that_writes(a)
        a[1] = a[0] * x[i]
    return t * a[0] * a[2]


class Square:
    def __init__(self, side: Any) -> None:
        super().__init__()
        self.side = side * 2
        self.n = 1.0

    @property
    def side(self) -> Any:
        return self._side

    @side.setter
    def side(self, v: Any) -> None:
        self._side = v * v


def a_setter_in_a_constructor(x: Any) -> Any:
    one, other = Square(x[0]), Square(x[1])
    other.side = other.side * x[2]
    return one.side * other.side


class Finding:
    def __init__(self, x: Any) -> None:
        self.total = 0.0
        self.found = []
        for i in range(3):
            self.add(x, i)
            self.found.append(self.find(x, i))

    def add(self, x: Any, i: int) -> None:
        if i != 1:
            w = x[i] * 2
        self.total = self.total + (w if i != 1 else 1.0)

    def find(self, x: Any, i: int) -> Any:
        for v in x:
            if v > 0.5 * i:
                return v * (i + 1)
        return x[0] * x[1]


def a_constructor_with_a_loop(x: Any) -> Any:
    made = Finding(x)
    return made.total**2 + sum(made.found) * made.found[0]


PROGRAMS = [
    *(the_class_above, a_class_by_its_name, classes_in_turns, a_constructor_that_calls_methods),
    *(methods_without_an_object, classes_that_are_gone_through, a_setter, values_of_a_class),
    *(dataclasses_that_go_on, a_constructor_that_writes, a_constructor_that_writes_in_turns),
    *(a_setter_in_a_constructor, a_constructor_with_a_loop),
]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: str(f.__name__))
def test_it_is_right_and_specialised(f: Callable[[Any], Any]) -> None:
    assert is_right(f, AT)
    hold_directions(f, AT)


class Left(Layer):
    def forward(self, z: Any) -> Any:
        return super().forward(z) + 1.0


class Right(Layer):
    def forward(self, z: Any) -> Any:
        return super().forward(z) * 3.0


class Both(Left, Right):
    pass


def one_above_or_another(x: Any) -> Any:
    t = 0.0
    for layer in [Left(x[0], x[1]), Right(x[1], x[2]), Both(x[2], x[0])]:
        t = t * 0.5 + layer.forward(x[1])
    return t


class Alone:
    def __init__(self) -> None:
        super().__init__()
        self.a = 2.0


class Beside:
    def __init__(self) -> None:
        self.b = 3.0


class Together(Alone, Beside):
    pass


def what_stands_beside(x: Any) -> Any:
    made = Together()
    made.a = made.a * x[0]
    return made.a * made.b * x[1] * Alone().a


@pytest.mark.parametrize("f", [one_above_or_another, what_stands_beside], ids=lambda f: str(f.__name__))
def test_a_class_above_that_depends_on_the_object_is_left_to_the_ordinary_program(
    f: Callable[[Any], Any],
) -> None:
    assert not is_right(f, AT)


def test_a_class_that_is_changed_is_read_again() -> None:
    with specialised_after(1):
        for _ in range(3):
            cr.grad(values_of_a_class)(AT)
        assert text_of(values_of_a_class)
        try:
            Larger.step = 0.25
            np.testing.assert_allclose(
                cr.grad(values_of_a_class)(AT), differences(values_of_a_class, AT), rtol=1e-6
            )
        finally:
            Larger.step = 0.5
