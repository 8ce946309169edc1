"""An integral by one panel: Gauss and Kronrod's rule of 21 points, where that is good enough.

The estimate of the error is QUADPACK's [Piessens et al. 1983]: with K the rule's sum, G the sum of the 10
points of Gauss's, and D = ∫ |f − mean|, it is D · min(1, (200 |K − G| / D)^1.5).
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

_ROUNDING = 50 * np.finfo(float).eps


@functools.cache
def _rule() -> tuple[Any, Any, Any]:
    """The nodes on [−1, 1], Kronrod's weights, and those of Gauss at every second node."""
    from .panels import rules_of

    (nodes, weights), (_, lower) = rules_of("gk21", 1)
    return nodes[:, 0], weights, lower


def in_one_panel(f: Callable[[float], Any], a: Any, b: Any, settings: Any) -> Any:
    """∫ f(x) dx from a to b; None where more panels are asked for, or needed for the tolerances.

    `settings` are those of `scipy.integrate.quad_vec`.
    """
    others = settings.get("points") is not None or settings.get("quadrature") is not None
    if others or not (np.isfinite(a) and np.isfinite(b)):
        return None
    nodes, weights, lower = _rule()
    center, half = 0.5 * (float(a) + float(b)), 0.5 * (float(b) - float(a))
    found = [f(center + half * x) for x in nodes]
    values = np.reshape(found, (len(found), -1))
    order = {"2": 2, "max": np.inf}[settings.get("norm", "2")]

    def size(v: Any) -> float:
        return float(np.linalg.norm(half * v, ord=order))

    with np.errstate(all="ignore"):
        total = weights @ values
        error, spread = size(total - lower @ values[1::2]), size(weights @ np.abs(values - total / 2))
        if spread > 0.0:
            error = spread * min(1.0, (200 * error / spread) ** 1.5)
        error = max(error, _ROUNDING * size(weights @ np.abs(values)))
        allowed = max(settings.get("epsabs", 1e-200), settings.get("epsrel", 1e-8) * size(total))
    return np.reshape(half * total, np.shape(found[0]))[()] if error <= allowed else None
