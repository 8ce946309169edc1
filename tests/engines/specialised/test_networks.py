"""Programs with classes as people write them: networks of layers, a world of bodies, settings."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after

from .compared import differences, is_right

X = np.random.default_rng(3).normal(size=12) * 0.5


class Dense:
    def __init__(self, w, b):
        self.w, self.b = w, b

    def forward(self, h):
        return self.w @ h + self.b


class Tanh:
    def forward(self, h):
        return np.tanh(h)


class Rectified:
    def __call__(self, h):
        return np.maximum(h, 0.0)

    def forward(self, h):
        return self(h)


class Sequential:
    def __init__(self, *layers):
        self.layers = list(layers)

    def __call__(self, h):
        for layer in self.layers:
            h = layer.forward(h)
        return h


def sequential(x):
    last = Dense(x[8:12].reshape(2, 2), x[:2])
    net = Sequential(Dense(x[:6].reshape(2, 3), x[6:8]), Tanh(), last, Rectified())
    return np.sum(net(x[:3]) ** 2)


ACTIVATIONS: dict[str, Any] = {"tanh": np.tanh, "rectified": lambda h: np.maximum(h, 0.0), "sin": np.sin}


class Named:
    def __init__(self, w, b, activation="tanh"):
        self.w, self.b, self.activation = w, b, activation

    def __call__(self, h):
        return ACTIVATIONS[self.activation](self.w @ h + self.b)


def unpacked(x, shapes):
    parts, start = [], 0
    for shape in shapes:
        count = int(np.prod(shape))
        parts.append(x[start : start + count].reshape(shape))
        start += count
    return parts


def activations_by_name(x):
    a, b, c, d = unpacked(x, [(2, 3), (2,), (1, 2), (1, 1, 2)])
    named: dict[str, Any] = {"scale": 0.5, "first": "sin"}
    h = x[:3]
    for layer in [Named(a, b, named["first"]), Named(c, x[3:4], activation="rectified"), Named(c.T, b)]:
        h = layer(h)
    return np.sum(ACTIVATIONS[named["first"]](h)) * named["scale"] + np.sum(d**2)


class Layer(ABC):
    @abstractmethod
    def forward(self, h): ...

    def penalty(self):
        return 0.0


class Linear(Layer):
    def __init__(self, w):
        self.w = w

    def forward(self, h):
        return self.w @ h

    def penalty(self):
        return np.sum(self.w**2)


class Activation(Layer):
    def forward(self, h):
        return np.tanh(h)


def abstract(x):
    layers: list[Layer] = [Linear(x[:6].reshape(2, 3)), Activation(), Linear(x[6:10].reshape(2, 2))]
    h = x[:3]
    for layer in layers:
        h = layer.forward(h)
    return np.sum(h) + 0.1 * sum(layer.penalty() for layer in layers)


class Perceptron:
    def __init__(self, x, sizes):
        self.params = []
        k = 0
        for a, b in zip(sizes[:-1], sizes[1:], strict=True):  # noqa: RUF007  # as people write it
            self.params.append({"w": x[k : k + a * b].reshape(b, a), "b": np.zeros(b) + x[k]})
            k += a * b

    def __call__(self, h):
        for i, p in enumerate(self.params):
            h = p["w"] @ h + p["b"]
            if i < len(self.params) - 1:
                h = np.tanh(h)
        return h


def perceptron(x):
    return np.sum(Perceptron(x, [3, 2, 2])(x[:3]) ** 2)


class Particle:
    def __init__(self, p, v):
        self.p, self.v = p, v


class World:
    def __init__(self, particles):
        self.particles, self.t = particles, 0.0

    def forces(self):
        out = []
        for a in self.particles:
            s = np.zeros(2)
            for b in self.particles:
                if a is not b:
                    d = b.p - a.p
                    s = s + d / (np.sum(d * d) + 0.1)
            out.append(s)
        return out

    def step(self, dt):
        for p, f in zip(self.particles, self.forces(), strict=True):
            p.v = p.v + dt * f
            p.p = p.p + dt * p.v
        self.t += dt


def world(x):
    w = World([Particle(x[4 * i : 4 * i + 2], x[4 * i + 2 : 4 * i + 4]) for i in range(3)])
    for _ in range(4):
        w.step(0.1)
    return sum(np.sum(p.p**2) for p in w.particles) + w.t


@dataclass
class Settings:
    rate: float = 0.1
    decay: float = 0.5
    history: list[Any] = field(default_factory=list)
    named: dict[str, Any] = field(default_factory=dict)


def settings(x):
    s, other, w = Settings(), Settings(rate=0.2), x
    for i in range(3):
        w = w - s.rate * s.decay**i * (2 * w + x)
        s.history.append(np.sum(w**2))
        other.history.append(np.sum(w))
    return sum(s.history) * sum(other.history) + other.rate


def functions(x):
    fs: list[Any] = [np.sin, np.cos, lambda t: t**2, Rectified()]
    by_name: dict[str, Any] = {"sine": np.sin, "square": lambda t: t * t}
    s = sum(f(x[i] + 0.5) * (i + 1) for i, f in enumerate(fs))
    for i, name in enumerate(["sine", "square", "sine"]):
        s += by_name[name](x[i])
    return s


PROGRAMS = [sequential, abstract, perceptron, world, settings, functions, activations_by_name]


@pytest.mark.parametrize("f", PROGRAMS)
def test_gradients(f):
    assert is_right(f, X)


class Kept:
    def __init__(self, items, v):
        self.items = items
        self.items.append(v)


def test_a_constructor_that_changes_what_it_is_given():
    def f(x):
        items = [x[0]]
        kept = Kept(items, x[1] * x[2])
        return sum(items) * kept.items[1]

    with specialised_after(1):
        for _ in range(3):
            found = cr.grad(f)(X)
    np.testing.assert_allclose(found, differences(f, X), rtol=1e-6, atol=1e-8)


def test_which_object_is_which_in_a_loop():
    class Node:
        def __init__(self, v):
            self.v = v

    def f(x):
        first, s = Node(x[0]), 0.0
        last = first
        for i in range(3):
            node = Node(x[i])
            s = s + (node.v * last.v if last is first else node.v**2)
            last = node
        return s

    with specialised_after(1):
        for _ in range(3):
            found = cr.grad(f)(X)
    np.testing.assert_allclose(found, differences(f, X), rtol=1e-6, atol=1e-8)
