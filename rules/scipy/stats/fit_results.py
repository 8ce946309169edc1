"""`scipy.stats.fit`: parameters between bounds, by the likelihood or by the spacings of the data.

A parameter that stopped at an end of its bounds is held there, and moves with that end; one that is a whole
number does not move. The others are stationary, as in fitting.py. Data of discrete distributions are whole
numbers, with which nothing moves.

See [Cheng & Amin 1983] for the product of spacings.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import stats
from scipy.optimize import differential_evolution
from scipy.stats import rv_continuous, rv_discrete
from scipy.stats._result_classes import FitResult

from ....core import implicit, non_differentiable
from ...written import as_found, own, written_out
from .agreement import as_result
from .fitting import Places, Surprise, least, ties
from .samples_of import Samples

AT_BOUND = 1e-9


def names_of(dist: Any) -> tuple[str, ...]:
    """The names of the parameters."""
    return tuple(info.name for info in dist._param_info())


def whole_numbers(dist: Any) -> tuple[bool, ...]:
    """Which parameters are whole numbers."""
    return tuple(bool(info.integrality) for info in dist._param_info())


def bounds_of(dist: Any, bounds: Any) -> list[Any]:
    """What the user gave as bounds of each parameter, or SciPy's own for loc and scale; else None."""
    named = [("loc", (0.0, 0.0)), ("scale", (1.0, 1.0))]
    out: list[Any] = []
    for i, name in enumerate(names_of(dist)):
        standard = dict(named).get(name)
        if isinstance(bounds, dict):
            given = bounds.get(name, standard)
        else:
            given = bounds[i] if bounds is not None and i < len(bounds) else standard
        out = [*out, given]
    return out


def end_of(value: float, bound: Any, whole: bool) -> int | None:
    """Which end of its bounds a parameter is held at: 0 or 1, −1 where it does not move, None where free."""
    if whole:
        return -1
    if bound is not None:
        lower, upper = (float(end) for end in bound)
        near = AT_BOUND * min(1.0 + abs(value), upper - lower)
        if value <= lower + near or value >= upper - near:
            return 0 if value - lower <= upper - value else 1
    return None


non_differentiable(names_of, whole_numbers, end_of, why="looks up names and places")


class Spacings:
    """−Σ log(F(x₍ᵢ₊₁₎) − F(x₍ᵢ₎)), F(x₍₀₎) = 0 and F(x₍ₙ₊₁₎) = 1; equal data share what lies below them."""

    def __init__(self, places: Places) -> None:
        self.places = places

    def __call__(self, z: Any, x: Any, held: Any) -> Any:
        places, counts = own(_places_and_counts, x)
        below = self.places.dist.cdf(np.sort(x)[places], *self.places(z, x, held))
        steps = np.diff(np.concatenate((np.zeros(1), below, np.ones(1))))
        if steps[-1] <= 0.0:  # the greatest datum is at the end of the support
            steps, counts = steps[:-1], counts[:-1]
        return -np.sum(counts * np.log(steps / counts))


def _places_and_counts(x: Any) -> Any:
    """Where each distinct datum is first among the sorted ones, how often it is there, and 1 for the end."""
    _, places, counts = np.unique(np.sort(x), return_index=True, return_counts=True)
    return places, np.append(counts, 1)


@written_out(stats.fit)
def fit(
    dist: rv_continuous | rv_discrete,
    data: Samples,
    bounds: Any = None,
    *,
    guess=None,
    method="mle",
    optimizer=differential_evolution,
):
    """∂ℓ/∂θ = 0 for what is between its bounds; what is at an end moves with it"""
    y = own(_fitted, dist, data, bounds, guess, method, optimizer)
    x, given, whole = np.ravel(np.asarray(data)) * 1.0, bounds_of(dist, bounds), whole_numbers(dist)
    settled = own(_settled, dist, y, x, given, whole, method)
    ends = [end_of(v, b, w) for v, b, w in zip(settled, given, whole, strict=True)]
    held = [
        None if end is None else own(float, value) if end < 0 else as_found(value, 1.0 * bound[end])
        for value, bound, end in zip(settled, given, ends, strict=True)
    ]
    continuous = isinstance(dist, rv_continuous)
    tied = own(ties, dist, x, settled, held) if continuous and method.lower() == "mle" else ()
    places = Places(dist, [i for i, each in enumerate(held) if each is None and i not in tied], tied)
    at = [0.0 if each is None else each for each in held]
    z = own(np.array, [settled[i] for i in places.free], dtype=float)
    if places.free:
        z = implicit.minimum(objective_of(places, method), z, x, at)
    moved = places(z, x, at)
    named = type(y.params)(*[as_found(v, m) for v, m in zip(y.params, moved, strict=True)])
    return as_result(y, ("params", "_data"), named, np.asarray(data))


def _fitted(dist: Any, data: Any, bounds: Any, guess: Any, method: Any, optimizer: Any) -> Any:
    """SciPy's own fit."""
    return stats.fit(dist, data, bounds, guess=guess, method=method, optimizer=optimizer)


def objective_of(places: Places, method: str) -> Any:
    """What is least at the estimate."""
    return Spacings(places) if method.lower() == "mse" else Surprise(places)


def _settled(dist: Any, y: Any, x: Any, given: Any, whole: Any, method: str) -> tuple[float, ...]:
    """The parameters at the minimum within bounds near which the optimiser stopped."""
    values = [float(v) for v in y.params]
    free = [i for i, end in enumerate(map(end_of, values, given, whole)) if end is None]
    if free:
        limits = [given[i] if given[i] is not None else (-np.inf, np.inf) for i in free]
        objective, start = objective_of(Places(dist, free, ()), method), np.array([values[i] for i in free])
        for i, value in zip(free, least(objective, start, x, values, limits), strict=True):
            values[i] = float(value)
    return tuple(values)


@written_out(FitResult.nllf)
def nllf(self: FitResult, params: Any = None, data: Any = None):
    """−Σ log f(x), which does not move where it is infinite"""
    y = own(FitResult.nllf, self, params, data)
    every, x = self.params if params is None else params, np.asarray(self._data if data is None else data)
    log_density = self._dist.logpmf if own(isinstance, self._dist, rv_discrete) else self._dist.logpdf
    return as_found(y, -np.sum(log_density(x, *every))) if own(np.isfinite, y) else y
