"""How an integrand moves with its parameters, at a point.

`Along` asks the engine at each point. Where what moves are the cotangents of another integrand, as in second
derivatives of an integral, `ready_along` has an engine's program for all points, and `ready_back` one for
their pullback.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ....core import non_differentiable
from ....core.calls import applied, forward_of
from ....core.engine import engine_or_default
from ....tangents import ZERO, fields_of, is_zero, materialize
from .across import Across, laid, places_of
from .directed import dense


class Along:
    """How the integrand moves with its parameters, at a point."""

    def __call__(self, x: Any, f: Any, df: Any, parameters: Any, tangents: Any) -> Any:
        y, dy = forward_of(applied, (f, x, *parameters), (df, ZERO, *tangents), {}, None)
        return materialize(dy, like=y)


def ready_along(along: Any, at: float, parameters: Any) -> Callable[[float], Any] | None:
    """The same by an engine's program, as a function of the point; None of other integrands, and without one.

    `at` is any point between the limits.
    """
    if type(along) is not Along or type(parameters[0]) is not Across:
        return None
    (y_bar, f, given), (dy_bar, df, dgiven) = parameters[2:]
    known = getattr(engine_or_default(None), "pushforwards_of", None)
    if known is None:
        return None
    dgiven = dense((ZERO,) * len(given) if is_zero(dgiven) else fields_of(dgiven), given)
    dx, dy_bar = (ZERO, *dgiven), materialize(dy_bar, like=y_bar)
    turned = known(f, (at, *given), dx, df, y_bar)
    if turned is None:
        return None

    def parts(x: float) -> Any:
        """The tangents of the cotangents; None where the program does not fit."""
        found = turned.along(y_bar, dy_bar, (x, *given), dx)
        return None if found is None else found[1][1:]

    first = parts(at)
    if first is None:
        return None
    order = places_of(turned.moving, lambda numbered: _arranged(turned, numbered), first, f, given)

    def integrand(x: float) -> Any:
        found = parts(float(x))
        if found is None:
            return along(x, *parameters)
        return laid(found, order)

    return integrand


def ready_back(across: Any, at: float, parameters: Any) -> Callable[[float], Any] | None:
    """How a seed is pulled back through cotangents of an integrand, by an engine's program; None without one.

    With the cotangents ȳ f_θ and a seed s for them, ȳ gets f_θ s, and θ gets ȳ f_θθ s: second derivatives are
    symmetric, so it is how they move along s.
    """
    if type(across) is not Across or type(parameters[1]) is not Across:
        return None
    seed, _, (y_bar, f, given) = parameters
    known = getattr(engine_or_default(None), "pushforwards_of", None)
    x = (at, *given)
    turned = None if known is None else known(f, x, (ZERO,) * len(x), ZERO, y_bar)
    if turned is None:
        return None
    values = turned.values(x)
    order = places_of(turned.moving, lambda numbered: _arranged(turned, numbered), values, f, given)
    flat = np.zeros(1 + sum(map(np.size, values)))
    np.add.at(flat, order, seed)
    ends = np.cumsum([1, *map(np.size, values)])
    parts = [np.reshape(t, np.shape(v))[()] for t, v in zip(np.split(flat, ends)[1:], values, strict=False)]
    moved = dict(zip(turned.moving, parts, strict=True))

    def integrand(x: float) -> Any:
        found = turned.along_places(y_bar, y_bar * 0.0, (float(x), *given), moved)
        if found is None:
            return across(x, *parameters)
        by_seed, *others = found[1]
        return np.concatenate([np.ravel(by_seed), laid(others, order)])

    return integrand


def _arranged(turned: Any, numbered: dict[int, Any]) -> Any:
    of_f, others = turned.cotangents(numbered)
    return of_f, *others


non_differentiable(ready_along, ready_back, why="has a program for what is computed without one")
