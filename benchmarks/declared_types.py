"""What declared types cost: a gradient through a method of a plain and of a declared dataclass, and
optimisers' steps.

Each line is a ratio, the two sides timed in turns in one process, the median of the ratios of the turns:

    declared    the gradient of a declared dataclass / of a plain one
    move, map_variables, Adam     over a nested model of 100 arrays of 256 × 256 / the loop over a list of
    them
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np
from examples.optimisers import Adam

import chainrules as cr


@dataclass
class Plain:
    """A layer without a declaration."""

    weight: Any
    bias: Any

    def loss(self, x: Any) -> Any:
        """The mean square of the layer's output."""
        return np.mean(np.tanh(x @ self.weight + self.bias) ** 2)


@cr.differentiable_type
@dataclass
class Declared(Plain):
    """The same layer, declared."""


@cr.differentiable_type
@dataclass
class Model:
    """Fifty layers of two arrays."""

    layers: list[Declared]


def ratio(slow: Callable[[], Any], fast: Callable[[], Any], turns: int = 60, calls: int = 20) -> float:
    """The time of the first over that of the second, in turns."""
    ratios = []
    for _ in range(turns):
        times = []
        for f in (slow, fast):
            start = perf_counter()
            for _ in range(calls):
                f()
            times.append(perf_counter() - start)
        ratios.append(times[0] / times[1])
    return median(ratios)


def run(turns: int = 20, size: int = 256) -> dict[str, float]:
    """The ratios by name."""
    rng = np.random.default_rng(0)
    x, w, b = rng.normal(size=(20, 5)), rng.normal(size=(5, 3)), np.zeros(3)
    plain, declared, gradient = Plain(w, b), Declared(w, b), cr.grad(lambda layer, x: layer.loss(x))
    arrays = [rng.normal(size=(size, size)) for _ in range(100)]
    steps = [rng.normal(size=(size, size)) for _ in range(100)]
    model = Model([Declared(a, c) for a, c in zip(arrays[::2], arrays[1::2], strict=True)])
    fields = zip(steps[::2], steps[1::2], strict=True)
    t = _tangent(fields)
    adam, by_hand = Adam(1e-3), ByHand(1e-3)

    def descend(p: Any, g: Any) -> Any:
        return p - 0.1 * g

    return {
        "declared / plain gradient": ratio(lambda: gradient(declared, x), lambda: gradient(plain, x), turns),
        "move / loop": ratio(
            lambda: cr.move(model, t), lambda: [p + g for p, g in zip(arrays, steps, strict=True)], turns, 1
        ),
        "map_variables / loop": ratio(
            lambda: cr.types.map_variables(descend, model, t),
            lambda: [descend(p, g) for p, g in zip(arrays, steps, strict=True)],
            turns,
            1,
        ),
        "Adam / loop": ratio(lambda: adam.step(model, t), lambda: by_hand.step(arrays, steps), turns, 1),
    }


class ByHand:
    """The same Adam as a loop over a list of arrays."""

    def __init__(self, rate: float) -> None:
        self.rate, self.steps = rate, 0
        self.velocity: list[Any] = []
        self.squares: list[float] = []

    def step(self, arrays: list[Any], gradients: list[Any]) -> list[Any]:
        """One step."""
        self.steps += 1
        old = self.velocity or [np.zeros_like(g) for g in gradients]
        before = self.squares or [0.0 for g in gradients]
        self.velocity = [0.9 * v + 0.1 * g for v, g in zip(old, gradients, strict=True)]
        means = [float(np.vdot(g, g)) / g.size for g in gradients]
        self.squares = [0.999 * s + 0.001 * n for s, n in zip(before, means, strict=True)]
        mean, spread = self.rate / (1 - 0.9**self.steps), 1 - 0.999**self.steps
        factors = [-mean / (np.sqrt(s / spread) + 1e-8) for s in self.squares]
        return [p + f * v for p, f, v in zip(arrays, factors, self.velocity, strict=True)]


def _tangent(fields: Any) -> Any:
    layers = [Declared.TangentVector(a, c) for a, c in fields]  # type: ignore[attr-defined]  # by the decorator
    return Model.TangentVector(cr.Composite[list](*layers))  # type: ignore[attr-defined]  # by the decorator


if __name__ == "__main__":
    for name, value in run().items():
        print(f"{name:28s} {value:.2f}")
