"""What do objects that change cost? Layers in a list that count their calls and keep a running mean."""

from __future__ import annotations

from typing import Any

import numpy as np
from benchmarks.case import Case

SIZES = (20, 200)
TINY = (2,)
_LEFT_OUT = {"jax": "it unrolls the loop"}


class Dense:
    """A layer that remembers how large its outputs were."""

    def __init__(self, w: Any, b: Any) -> None:
        self.w, self.b, self.calls, self.mean = w, b, 0, 0.0

    def __call__(self, x: Any) -> Any:
        self.calls += 1
        y = np.tanh(self.w @ x + self.b)
        self.mean = 0.9 * self.mean + 0.1 * np.sum(y * y)
        return y


class Network:
    """Layers, one after the other."""

    def __init__(self, layers: Any) -> None:
        self.layers = layers

    def __call__(self, x: Any) -> Any:
        for layer in self.layers:
            x = layer(x)
        return x


def loss(w1: Any, b1: Any, w2: Any, b2: Any, xs: Any) -> Any:
    """The squared outputs, and a penalty on what the layers remember."""
    network = Network([Dense(w1, b1), Dense(w2, b2)])
    total = 0.0
    for x in xs:
        total = total + np.sum(network(x) ** 2)
    for layer in network.layers:
        total = total + layer.mean * layer.calls
    return total


def by_hand(w1: Any, b1: Any, w2: Any, b2: Any, xs: Any) -> tuple[Any, tuple[Any, ...]]:
    """Both layers forward, keeping their outputs; then the inputs in reverse."""
    total, mean1, mean2, kept = 0.0, 0.0, 0.0, []
    for x in xs:
        y = np.tanh(w1 @ x + b1)
        mean1 = 0.9 * mean1 + 0.1 * np.sum(y * y)
        z = np.tanh(w2 @ y + b2)
        mean2 = 0.9 * mean2 + 0.1 * np.sum(z * z)
        total = total + np.sum(z**2)
        kept.append((x, y, z))
    count = len(kept)
    total = total + mean1 * count + mean2 * count
    w1_bar, w2_bar = np.zeros_like(w1), np.zeros_like(w2)
    b1_bar, b2_bar = np.zeros_like(b1), np.zeros_like(b2)
    mean_bar = float(count)
    for x, y, z in reversed(kept):
        z_bar = (2.0 + 0.2 * mean_bar) * z * (1.0 - z * z)
        w2_bar += np.outer(z_bar, y)
        b2_bar += z_bar
        y_bar = (z_bar @ w2 + 0.2 * mean_bar * y) * (1.0 - y * y)
        w1_bar += np.outer(y_bar, x)
        b1_bar += y_bar
        mean_bar *= 0.9
    return total, (w1_bar, b1_bar, w2_bar, b2_bar)


def cases(sizes: tuple[int, ...] = SIZES) -> list[Case]:
    """One case for each number of inputs."""
    rng = np.random.default_rng(4)
    shapes = ((8, 4), (8,), (3, 8), (3,))
    parameters = tuple(rng.normal(size=shape) * 0.5 for shape in shapes)
    return [
        Case(
            f"layers with a memory, {n} inputs",
            loss,
            by_hand,
            parameters,
            (rng.normal(size=(n, 4)),),
            left_out=_LEFT_OUT,
        )
        for n in sizes
    ]
