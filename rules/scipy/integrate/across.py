"""The cotangents of an integrand and of its parameters at a point, as one vector.

`Across` asks the engine at each point; `ready_across` has an engine's program for all of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ....core import non_differentiable
from ....core.calls import applied, reverse_of
from ....core.engine import engine_or_default
from ....tangents import materialize, ravel


class Across:
    """The cotangents of the integrand and of its parameters at a point, as one vector."""

    def __call__(self, x: Any, y_bar: Any, f: Any, parameters: Any) -> Any:
        return ravel(cotangents_at(x, y_bar, f, parameters))[0]


def cotangents_at(x: Any, y_bar: Any, f: Any, parameters: Any) -> Any:
    """The cotangents of the integrand and its parameters at a point, missing ones among them."""
    needs = (True, False, *(True for _ in parameters))
    _, back = reverse_of(applied, (f, x, *parameters), {}, needs, None)
    found = back(y_bar)
    made: tuple[Any, ...] = (materialize(found[0], like=f, missing=True),)
    for i in range(len(parameters)):
        made = (*made, materialize(found[i + 2], like=parameters[i], missing=True))
    return made


def ready_of(f: Any, at: float, y_bar: Any, given: Any) -> Any:
    """An engine's pullbacks of an integrand and its parameters, None where it has none."""
    known = getattr(engine_or_default(None), "pullbacks_of", None)
    wanted = (True, False, *(True for _ in given))
    return None if known is None else known(f, (at, *given), y_bar, wanted)


def ready_across(across: Any, at: float, parameters: Any) -> Callable[[float], Any] | None:
    """The same by an engine's program, as a function of the point; None of other integrands, and without one.

    `at` is any point between the limits.
    """
    if type(across) is not Across:
        return None
    y_bar, f, given = parameters
    ready = ready_of(f, at, y_bar, given)
    if ready is None:
        return None
    parts = ready.by(ready.places, y_bar, (at, *given))
    order = places_of(ready.places, ready.arranged, parts, f, given)

    def integrand(x: float) -> Any:
        parts = ready.by(ready.places, y_bar, (x, *given))
        return laid(parts, order)

    return integrand


def laid(parts: Any, order: Any) -> Any:
    """The vector of the cotangents, from what is by place: each entry from where `places_of` says."""
    return np.concatenate([np.zeros(1), *map(np.ravel, parts)])[order]


def places_of(places: Any, arranged: Callable[[Any], Any], parts: Any, f: Any, given: Any) -> Any:
    """Where the entries of the vector stand among a zero and the numbers of the parts, laid end to end.

    `arranged` makes the cotangents of f and of its arguments of what is by place.
    """
    numbered, done = {}, 1
    for place, part in zip(places, parts, strict=True):
        some = np.arange(done, done + np.size(part), dtype=float)
        numbered[place] = np.reshape(some, np.shape(part)) if np.ndim(part) else float(done)
        done += np.size(part)
    of_f, _, *others = arranged(numbered)
    made = [materialize(t, like=p) for t, p in zip((of_f, *others), (f, *given), strict=True)]
    return ravel(tuple(made))[0].astype(int)


non_differentiable(ready_across, why="has a program for what is computed without one")
