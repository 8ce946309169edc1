"""Adaptive integrals where f is asked for Σ wᵢ f(uᵢ) at the points of a rule, not for each value.

A derivative of such a sum takes one pushforward or one pullback for all the points together, seeded with the
weights. A rule and the lower one that estimates its error are two sums; the panel with the largest
estimate is halved in each direction [Genz & Malik 1980], until the estimates are within the tolerance.
"""

from __future__ import annotations

import heapq
from typing import Any

import numpy as np

from ....core import NotDifferentiableError, non_differentiable


def product_rule(nodes: Any, weights: Any, d: int) -> tuple[Any, Any]:
    """The product of d rules of one dimension: points (n^d, d), weights (n^d,)."""
    grids = np.meshgrid(*[nodes] * d, indexing="ij")
    shares = np.meshgrid(*[weights] * d, indexing="ij")
    return np.stack([g.ravel() for g in grids], axis=-1), np.prod([s.ravel() for s in shares], axis=0)


def rules_of(rule: str, d: int) -> Any:
    """A rule on [−1, 1]^d and the lower one that estimates its error, by SciPy's names."""
    from scipy.integrate._rules import GaussKronrodQuadrature, GenzMalikCubature

    if rule == "genz-malik":
        of_many = GenzMalikCubature(d)
        return of_many.nodes_and_weights, of_many.lower_nodes_and_weights
    of_one = GaussKronrodQuadrature(int(rule[2:]))
    pairs = (of_one.nodes_and_weights, of_one.lower_nodes_and_weights)
    return tuple([product_rule(np.ravel(x), np.ravel(w), d) for x, w in pairs])


def adaptive(f: Any, d: int, parameters: Any, settings: Any) -> Any:
    """∫ over [0, 1]^d, where f((points, weights), *parameters) is the sum of the weighted values."""
    rules = rules_of(settings["rule"], d)

    def measured(center: Any, half: float) -> Any:
        high, low = [np.asarray(f((center + half * x, w * half**d), *parameters)) for x, w in rules]
        return high, np.abs(high - low)

    corners = product_rule(np.array([-0.5, 0.5]), np.ones(2), d)[0]
    center = np.full(d, 0.5)
    total, error = measured(center, 0.5)
    panels: list[Any] = [(-np.max(error, initial=0.0), 0, center, 0.5, total, error)]
    made = 1
    for _ in range(settings["max_subdivisions"] + 1):
        if np.all(error <= settings["atol"] + settings["rtol"] * np.abs(total)):
            return total
        if not np.all(np.isfinite(error)):
            break
        _, _, center, half, value, doubt = heapq.heappop(panels)
        total, error = total - value, error - doubt
        for corner in corners:
            part, doubt = measured(center + half * corner, half / 2)
            total, error = total + part, error + doubt
            where = center + half * corner
            heapq.heappush(panels, (-np.max(doubt, initial=0.0), made, where, half / 2, part, doubt))
            made += 1
    raise NotDifferentiableError(
        f"the integral of a derivative did not converge in {settings['max_subdivisions']} "
        f"subdivisions: its error is estimated as {np.max(error, initial=0.0):.3g}",
        next="give wider tolerances, more subdivisions, or integrate the parts between places where the "
        "integrand is rough",
    )


non_differentiable(adaptive, why="points, and sums of them, whose derivative over_box has")
