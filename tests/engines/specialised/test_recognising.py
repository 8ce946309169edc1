"""Tests of arguments say yes to nothing but what is of the kinds that they were made for."""

import dataclasses
import functools
from collections import namedtuple
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import chainrules as cr
from chainrules.engines.specialised.reading.arguments import kinds_of
from chainrules.engines.specialised.reading.declined import Declined
from chainrules.engines.specialised.running.entry import known_of
from chainrules.engines.specialised.running.recognising import recognising


@dataclasses.dataclass
class Layer:
    W: Any
    b: Any

    def __call__(self, x):
        return np.tanh(x @ self.W + self.b)


class Other(Layer):
    pass


@dataclasses.dataclass(slots=True)
class Slotted:
    W: Any
    b: Any


@dataclasses.dataclass(frozen=True)
class Frozen:
    W: Any
    n: int = 3


Pair = namedtuple("Pair", "W b")
A, V = np.arange(6.0).reshape(2, 3), np.ones(3)
VALUES = [
    *(1.0, np.float64(1.0), np.float32(1.0), 1, True, np.int64(1), None, "a", 1j),
    *(A, V, A.T, A.astype("f4"), A.astype(int), A > 1.0, A.astype(">f8"), A * 1j, np.array(2.0)),
    *((A, V), (A, 1.0), (1, 2), (1.0, 2.0), (A,), ((A, V), 1.0), ()),
    *([A, V], [A], [1.0, 2.0], [1, 2], [1.0] * 40, [(A, V), (A, V)], [[1.0, 2.0], [3.0, 4.0]], []),
    *({"W": A, "b": V}, {"b": V, "W": A}, {"W": A}, {0: A, 1: V}, {True: A}, {"W": {"b": 1.0}}, {}),
    *(Layer(A, V), Layer(V, A), Layer(A, [V]), Layer(A, {"b": V}), Other(A, V), Slotted(A, V), Frozen(A)),
    *([Layer(A, V), Layer(A, V)], [Layer(A, V), Other(A, V)], {"l": [Layer(A, V)]}, (Layer(A, V), 1)),
    *(Pair(A, V), Pair(A, (V, V)), Pair(A, [V]), [Pair(A, V)], SimpleNamespace(W=A, b=V)),
    *(np.sin, Layer, functools.partial(np.sin, A), [np.sin, A], Layer(np.sin, 1.0)),
]


def kinds_or_none(way, x):
    try:
        return kinds_of(way, x)
    except Declined:
        return None


@pytest.mark.parametrize("way", [0, (0,), 1])
def test_what_is_recognised_is_of_the_same_kinds(way):
    count = 0
    for a in VALUES:
        for second in (2.0, [A]):
            kinds: Any = kinds_or_none(way, (a, second))
            test: Any = kinds and recognising(way, kinds)
            for b in VALUES if test else ():
                same = kinds_or_none(way, (b, second)) == kinds
                assert same or not test(b, second), (a, b)
                assert test(b, second) or b is not a, (a, b)
                count += same
    assert count > len(VALUES)


def loss(layers, x):
    for layer in layers:
        x = layer(x)
    return np.sum(x**2)


def test_calls_of_several_kinds_take_turns():
    one, two = [Layer(np.eye(3), V)], [Layer(np.eye(3), V), Layer(np.eye(3) * 0.5, V * 2.0)]
    other = [Other(np.eye(3), V)]
    for _ in range(3):
        for layers in (one, two, one, one, other, two, two, [Layer(np.eye(3), 1.0)]):
            e = 1e-6
            found = cr.grad(loss, 1)(layers, V)
            slope = [(loss(layers, V + d) - loss(layers, V - d)) / (2 * e) for d in e * np.eye(3)]
            np.testing.assert_allclose(found, slope, rtol=1e-6)
            by_layers = cr.grad(loss)(layers, V)
            moved = [type(one[0])(v.W, v.b + e) for v in layers[:1]] + layers[1:]
            slope = (loss(moved, V) - loss(layers, V)) / e
            np.testing.assert_allclose(np.sum(by_layers[0].b), slope, rtol=1e-4)
    assert known_of(loss).latest is not None  # type: ignore[arg-type, union-attr]
