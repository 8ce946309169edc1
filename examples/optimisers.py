"""Four optimisers that know none of the types they work on.

Each is a few lines on `move`, `to_tangent`, `scale` and `inner` alone. So the same object takes steps over
floats, arrays, dictionaries, dataclasses, points of manifolds, quantised arrays, and mixtures of these. They
stand among the examples and not in the library: an optimiser of one's own is as short, and that is the point.

A velocity is a tangent, so it is moved along tangents as vectors are. On a manifold it is carried from point
to point in the coordinates that its type has (for an orthogonal matrix W the skew-symmetric Ω of W Ω).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy.optimize import minimize

import chainrules as cr


@dataclass
class SGD:
    """Steps along the gradient."""

    rate: float

    def step(self, x: Any, x_bar: Any) -> Any:
        """x moved by −rate · G x̄."""
        return cr.move(x, cr.scale(-self.rate, cr.to_tangent(x, x_bar)))


@dataclass
class Momentum:
    """Steps along a velocity, which keeps a part of itself."""

    rate: float
    keep: float = 0.9
    velocity: Any = None

    def step(self, x: Any, x_bar: Any) -> Any:
        """v ← keep · v + G x̄, x moved by −rate · v."""
        g = cr.to_tangent(x, x_bar)
        self.velocity = g if self.velocity is None else cr.move(cr.scale(self.keep, self.velocity), g)
        return cr.move(x, cr.scale(-self.rate, self.velocity))


@dataclass
class Adam:
    """Momentum over the root of the mean square of the gradient, part by part [Kingma, Ba 2015].

    The mean square is one number for each part that is moved by itself, ⟨x̄, G x̄⟩ over its size: a part of a
    manifold has no coordinates to take it by. For vectors of length one that is Adam as it is known.
    """

    rate: float = 1e-3
    keep: float = 0.9
    keep_square: float = 0.999
    floor: float = 1e-8
    steps: int = 0
    parts: list[tuple[Any, float]] = field(default_factory=list)

    def step(self, x: Any, x_bar: Any) -> Any:
        """v ← mean of G x̄, s ← mean of ⟨x̄, G x̄⟩, each part moved by −rate · v / (√s + floor)."""
        self.steps += 1
        kept, now = iter(self.parts), list[tuple[Any, float]]()
        rate, spread = self.rate / (1 - self.keep**self.steps), 1 - self.keep_square**self.steps

        def part(p: Any, p_bar: Any) -> Any:
            g = cr.to_tangent(p, p_bar)
            v, s = next(kept, (None, 0.0))
            fresh = cr.scale(1 - self.keep, g)
            v = fresh if v is None else cr.move(cr.scale(self.keep, v), fresh)
            s = self.keep_square * s + (1 - self.keep_square) * cr.inner(p_bar, g) / _size(g)
            now.append((v, s))
            return cr.move(p, cr.scale(-rate / (math.sqrt(s / spread) + self.floor), v))

        moved = cr.types.map_variables(part, x, x_bar)
        self.parts = now
        return moved


def _size(t: Any) -> int:
    return int(t.size if isinstance(t, np.ndarray) else cr.ravel(t)[0].size)


@dataclass
class LBFGS:
    """SciPy's L-BFGS-B in the tangent space of the start, x = move(start, t)."""

    iterations: int = 100

    def run(self, loss: Callable[[Any], Any], start: Any) -> Any:
        """The point that the run ends in."""
        zero = cr.scale(0.0, cr.to_tangent(start, cr.grad(loss)(start)))
        vector, tangent = cr.ravel(zero)

        def value(v: Any) -> float:
            return float(loss(cr.move(start, tangent(v))))

        def objective(v: Any) -> tuple[float, Any]:
            return value(v), cr.ravel(cr.grad(lambda t: loss(cr.move(start, t)))(tangent(v)))[0]

        done = minimize(objective, vector, jac=True, method="L-BFGS-B", options={"maxiter": self.iterations})
        return cr.move(start, tangent(done.x))
