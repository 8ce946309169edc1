"""Lists that a constructor puts into a field and fills in a loop: specialised, or right as they are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.engines.specialised.compared import hold_directions, is_right

X = np.array([0.5, 1.2, -0.3, 0.8, 0.9, -1.1])


class Layer:
    def __init__(self, w: Any, b: Any) -> None:
        self.w, self.b = w, b

    def __call__(self, v: Any) -> Any:
        return np.tanh(v * self.w + self.b)


class Applied:
    layers: list[Layer]

    def __call__(self, v: Any) -> Any:
        for layer in self.layers:
            v = layer(v)
        return v


class Net(Applied):
    def __init__(self, p: Any) -> None:
        self.layers = []
        for i in range(3):
            self.layers.append(Layer(p[i], p[i + 3]))


class WithItsSize(Applied):
    def __init__(self, p: Any) -> None:
        self.scale = p[0]
        self.layers: list[Layer] = []
        for k in range(0, 4, 2):
            self.layers.append(Layer(p[k], p[k + 1] * self.scale))
        self.last = self.layers[-1]


class TwoLists:
    def __init__(self, p: Any) -> None:
        self.one = []
        self.two = []
        for i in range(3):
            self.one.append(Layer(p[i], 0.1))
            self.two.append(Layer(0.5, p[i + 3]))

    def __call__(self, v: Any) -> Any:
        for a, b in zip(self.one, self.two, strict=True):
            v = a(v) + b(v)
        return v


def network(x: Any) -> Any:
    return Net(x)(x[0]) + Net(x * 2)(0.3)


def with_its_size(x: Any) -> Any:
    net = WithItsSize(x)
    return net(x[1]) * net.last.b


def two_lists(x: Any) -> Any:
    return TwoLists(x)(0.4)


SPECIALISED = [network, with_its_size, two_lists]


class SetByAMethod(Applied):
    def __init__(self, p: Any) -> None:
        self.layers = []
        self.start(p)
        for i in range(2):
            self.layers.append(Layer(p[i], p[i + 3]))

    def start(self, p: Any) -> None:
        self.layers = [Layer(p[5], 1.0)]


def clear(net: Any) -> None:
    net.layers = net.layers[1:]


class GivenToAFunction(Applied):
    def __init__(self, p: Any) -> None:
        self.layers = []
        for i in range(3):
            self.layers.append(Layer(p[i], p[i + 3]))
            if i == 1:
                clear(self)


class Base(Applied):
    def __init__(self, p: Any) -> None:
        self.layers = [Layer(p[4], p[5])]


class SetAbove(Base):
    def __init__(self, p: Any) -> None:
        self.layers = []
        super().__init__(p)
        for i in range(2):
            self.layers.append(Layer(p[i], p[i + 3]))


class SetAgain(Applied):
    def __init__(self, p: Any) -> None:
        self.layers = []
        for i in range(3):
            self.layers.append(Layer(p[i], p[i + 3]))
            self.layers = self.layers[-2:]


class SetByAFunctionInside(Applied):
    def __init__(self, p: Any) -> None:
        self.layers = []

        def start() -> None:
            self.layers = [Layer(p[5], 1.0)]

        start()
        for i in range(2):
            self.layers.append(Layer(p[i], p[i + 3]))


class UnderAnotherName(Applied):
    def __init__(self, p: Any) -> None:
        self.layers = []
        every = self.layers
        for i in range(2):
            self.layers.append(Layer(p[i], p[i + 3]))
        every.append(Layer(p[4], 0.0))


OTHERS = [
    *(SetByAMethod, GivenToAFunction, SetAbove, SetAgain, SetByAFunctionInside),
    UnderAnotherName,
]


@pytest.mark.parametrize("f", SPECIALISED, ids=lambda f: f.__name__)
def test_specialised(f: Any) -> None:
    assert is_right(f, X)
    hold_directions(f, X)


@pytest.mark.parametrize("P", OTHERS, ids=lambda P: P.__name__)
def test_right_whether_specialised_or_not(P: Any) -> None:
    is_right(lambda x: P(x)(x[0]), X)
