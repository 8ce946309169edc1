"""Classes that a function defines: what their methods change is known as of any other class."""

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from tests.engines import rightly

from chainrules.testing import check_grads

X = np.array([1.3, 0.7, 2.1])


def counted(x: Any) -> Any:
    class Walk:
        def __init__(self, at: Any) -> None:
            self.at = at
            self.trail: list[Any] = []

        def onwards(self, k: Any) -> Any:
            self.at = self.at * k
            self.trail.append(self.at)
            return self

    walk = Walk(x[0]).onwards(x[1]).onwards(x[2])
    return walk.at**2 + sum(walk.trail)


def made_elsewhere() -> Any:
    class Walk:
        def __init__(self, at: Any) -> None:
            self.at = at

        def farther(self, k: Any) -> Any:
            self.at = self.at * k
            return self

    return Walk


def of_a_function(x: Any) -> Any:
    Walk = made_elsewhere()
    return Walk(x[0]).farther(x[1]).farther(x[2]).at ** 2


def of_a_dataclass(x: Any) -> Any:
    @dataclasses.dataclass
    class Walk:
        at: Any
        trail: list[Any] = dataclasses.field(default_factory=list)

        def further(self, k: Any) -> Any:
            self.at = self.at * k
            self.trail.append(self.at)
            return self

    walk = Walk(x[0]).further(x[1]).further(x[2])
    other = dataclasses.replace(walk, at=walk.at * 2)
    other.trail.append(walk.at)
    return sum(walk.trail) * other.at


def that_captures(x: Any, factor: float = 2.0) -> Any:
    def grown(items: list[Any], v: Any) -> None:
        items.append(v * factor)

    class Walk:
        def __init__(self) -> None:
            self.__trail: list[Any] = []

        def along(self, v: Any) -> None:
            grown(self.__trail, v * factor)

        def so_far(self) -> Any:
            return sum(v**2 for v in self.__trail)

    walk = Walk()
    for v in x:
        walk.along(v)
    return walk.so_far()


def of_a_base(x: Any) -> Any:
    class Base:
        def __init__(self) -> None:
            self.total = 0.0

        def takes(self, v: Any) -> None:
            self.total = self.total + v

    class Twice(Base):
        def takes(self, v: Any) -> None:
            super().takes(v)
            super().takes(v * v)

    twice = Twice()
    for v in x:
        twice.takes(v)
    return twice.total**2


def that_changes_what_it_is_given(x: Any) -> Any:
    class Writer:
        def fills(self, a: Any, v: Any) -> None:
            a[:2] = v

    y = x * 1.0
    Writer().fills(y, x[2] ** 2)
    return y[0] * y[1] * y[2]


def with_properties(x: Any) -> Any:
    class Scaled:
        def __init__(self, v: Any) -> None:
            self.v = v

        @property
        def doubled(self) -> Any:
            return 2.0 * self.v

        @doubled.setter
        def doubled(self, v: Any) -> None:
            self.v = v / 2.0

        def __iadd__(self, v: Any) -> Any:
            self.v = self.v + v
            return self

    scaled = Scaled(x[0])
    scaled.doubled = scaled.doubled * x[1]
    scaled += x[2]
    return scaled.v**2 * scaled.doubled


@pytest.mark.parametrize(
    "f",
    [
        counted,
        of_a_function,
        of_a_dataclass,
        that_captures,
        of_a_base,
        that_changes_what_it_is_given,
        with_properties,
    ],
)
def test_their_methods_are_differentiated(f: Callable[[Any], Any]) -> None:
    check_grads(f, X)


def test_a_class_that_captures_what_varies() -> None:
    def f(x: Any) -> Any:
        class Scale:
            def by(self, v: Any) -> Any:
                return v * x[1]

        return Scale().by(x[0])

    rightly.grad(f)(X)
