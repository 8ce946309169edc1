"""Gradients by objects, and loops over lists of objects of several classes that a function is given."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after
from chainrules.engines.specialised.running.shown import text_of
from chainrules.tangents import fields_of, is_zero

from .compared import differences

RNG = np.random.default_rng(0)
X = RNG.normal(size=(6, 3))


class Dense:
    def __init__(self, m: int, n: int) -> None:
        self.W, self.b, self.name, self.units = 0.4 * RNG.normal(size=(m, n)), np.zeros(n), "dense", n

    def forward(self, x: Any) -> Any:
        return x @ self.W + self.b


class Tanh:
    def forward(self, x: Any) -> Any:
        return np.tanh(x)


class Scale:
    def __init__(self, by: float) -> None:
        self.by, self.off = by, None

    def forward(self, x: Any) -> Any:
        return x * self.by


class Net:
    def __init__(self, *layers: Any) -> None:
        self.layers = list(layers)

    def forward(self, x: Any) -> Any:
        for layer in self.layers:
            x = layer.forward(x)
        return x


@dataclass
class Physics:
    mass: float
    force: Any
    steps: int = 3
    sub: Any = None
    rates: list[float] = field(default_factory=lambda: [0.1, 0.2])


def fresh() -> Net:
    return Net(Dense(3, 4), Tanh(), Scale(0.7), Dense(4, 1))


NET = fresh()
LAYERS: list[Any] = [Dense(3, 2), Tanh(), Scale(1.3)]


def by_a_net(net: Any) -> Any:
    return np.mean((net.forward(X) - 0.3) ** 2)


def by_layers(layers: Any) -> Any:
    x = X
    for layer in layers:
        x = layer.forward(x)
    return np.mean((x - 0.3) ** 2)


def by_physics(p: Any) -> Any:
    v = p.force / p.mass
    for _ in range(p.steps):
        v = v + p.rates[0] * p.force - p.rates[1] * v
    return np.sum(v**2) + (0.0 if p.sub is None else np.sum(p.sub.force) * p.sub.mass)


def numbers(x: Any) -> list[tuple[Any, Any, Any]]:
    """Where the numbers and arrays of an object are: what holds each, and under which key."""
    found = []
    pairs = enumerate(x) if isinstance(x, list) else vars(x).items()
    for key, v in pairs:
        if isinstance(v, float | np.ndarray):
            found.append((x, key, v))
        elif isinstance(v, list) or hasattr(v, "__dict__"):
            found += numbers(v)
    return found


def along(f: Any, x: Any, gradient: Any) -> tuple[float, float]:
    """The slope of f along a direction, by differences and by the gradient."""
    places, rng = numbers(x), np.random.default_rng(1)
    moves = [
        rng.normal(size=np.shape(v)) if isinstance(v, np.ndarray) else rng.normal() for _, _, v in places
    ]

    def at(step: float) -> Any:
        for (owner, key, v), move in zip(places, moves, strict=True):
            if isinstance(owner, list):
                owner[key] = v + step * move
            else:
                setattr(owner, key, v + step * move)
        return f(x)

    slope = (at(1e-6) - at(-1e-6)) / 2e-6
    at(0.0)
    parts = [g for g in flat(gradient) if not is_zero(g)]
    assert len(parts) == len(moves)
    return float(slope), float(sum(np.sum(g * m) for g, m in zip(parts, moves, strict=True)))


def flat(t: Any) -> list[Any]:
    if isinstance(t, float | np.ndarray):
        return [t]
    fields = {} if is_zero(t) else fields_of(t)
    pairs = fields.items() if isinstance(fields, dict) else enumerate(fields)
    return [x for key, v in pairs if key not in ("units", "steps") for x in flat(v)]


@pytest.mark.parametrize(
    ("f", "x"),
    [
        (by_a_net, fresh()),
        (by_layers, [Dense(3, 2), Tanh(), Scale(1.3)]),
        (by_layers, [Dense(3, 2), Dense(2, 2)]),
        (by_physics, Physics(1.5, np.array([0.3, -0.4]))),
        (by_physics, Physics(1.5, np.array([0.3, -0.4]), 2, Physics(0.5, np.ones(2)), [0.3, 0.1])),
    ],
)
def test_gradients_by_objects(f, x):
    def own(x):
        return f(x)

    with specialised_after(10**9):
        ordinary = cr.grad(own)(x)
    with specialised_after(1):
        for _ in range(3):
            gradient = cr.grad(own)(x)
        assert text_of(own)
    assert type(gradient) is type(ordinary)
    assert repr(fields_of(gradient)).count("Composite") == repr(fields_of(ordinary)).count("Composite")
    for a, b in zip(flat(gradient), flat(ordinary), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-10, atol=1e-12)
    by_differences, by_gradient = along(f, x, gradient)
    np.testing.assert_allclose(by_gradient, by_differences, rtol=1e-6, atol=1e-8)


def of_a_net_outside(x: Any) -> Any:
    return np.mean((NET.forward(np.outer(x, x)) - 0.3) ** 2)


def of_a_list_outside(x: Any) -> Any:
    y = np.outer(x, x)
    for layer in LAYERS:
        y = layer.forward(y)
    return np.sum(y[0] ** 2)


@pytest.mark.parametrize("f", [of_a_net_outside, of_a_list_outside])
def test_lists_of_several_classes_outside(f):
    x = np.array([0.7, -0.4, 1.3])
    with specialised_after(1):
        for _ in range(3):
            found = cr.grad(f)(x)
        assert text_of(f)
    np.testing.assert_allclose(found, differences(f, x), rtol=1e-6)


def test_another_layer_gives_the_text_up():
    x, before = np.array([0.7, -0.4, 1.3]), NET.layers[1]
    with specialised_after(1):
        for _ in range(3):
            cr.grad(of_a_net_outside)(x)
        NET.layers[1] = Scale(2.0)
        np.testing.assert_allclose(cr.grad(of_a_net_outside)(x), differences(of_a_net_outside, x), rtol=1e-6)
        NET.layers.insert(1, Tanh())
        np.testing.assert_allclose(cr.grad(of_a_net_outside)(x), differences(of_a_net_outside, x), rtol=1e-6)
    NET.layers[1:3] = [before]
