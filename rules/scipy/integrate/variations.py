"""How a state moves along with its tangent: the equation of variation, and its pullbacks.

    (y, S)′ = (f, f_y S + f_θ θ̇)

It asks the engine at each point; `directed` has an engine's program for all of them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....core.calls import forward_of
from ....core.holdings import for_all
from ....tangents import ZERO, materialize


@for_all
def moved(f: Any, t: Any, y: Any, *parameters: Any) -> Any:
    """The slope of a state, as an array."""
    return np.asarray(f(t, y, *parameters))


@for_all
class Variation:
    """How a state moves along with its tangent."""

    def __call__(self, t: Any, z: Any, f: Any, df: Any, parameters: Any, tangents: Any) -> Any:
        n = len(z) // 2
        slope, turned = forward_of(moved, (f, t, z[:n], *parameters), (df, ZERO, z[n:], *tangents), {}, None)
        return np.concatenate([slope, materialize(turned, like=slope)])
