"""The pullbacks of a slope f(t, y, θ) along a solution: f_yᴴ λ, and f_θᴴ λ as a vector.

`Followed` asks the engine at each point; `Ready` has an engine's programs for all points. Both hold the
cotangents of f and of the parameters that are wanted as one vector, whose integral becomes these again.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....core.calls import reverse_of
from ....tangents import ZERO, materialize, ravel
from .variations import moved


class Followed:
    """The pullbacks by the engine, at one point after the other."""

    def __init__(self, f: Any, parameters: Any, wanted: Any) -> None:
        """`wanted`: of f and of each parameter."""
        self.f, self.parameters, self.wanted = f, parameters, wanted
        self.is_plain = True

    def backed(self, t: float, y: Any, wanted: Any) -> Any:
        """The pullback of the slope at a state, by y and by what else is wanted of f and the parameters."""
        if self.is_plain and not wanted[0]:
            back = direct_pullback(self.f, t, y, self.parameters, wanted)
            if back is not None:
                return back
            self.is_plain = False
        return wrapped_pullback(self.f, t, y, self.parameters, wanted)

    def slopes(self, t: float, y: Any) -> Any:
        """λ ↦ f_yᴴ λ"""
        back = self.backed(t, y, (False,) * len(self.wanted))
        return lambda weights: materialize(back(weights)[1], like=y)

    def both(self, t: float, y: Any, weights: Any) -> Any:
        """f_yᴴ λ, and f_θᴴ λ as a vector, for the parameters that are wanted"""
        found = self.backed(t, y, self.wanted)(weights)
        given = zip((found[0], *found[2:]), (self.f, *self.parameters), self.wanted, strict=True)
        parts = [flat(t, p) for t, p, wanted in given if wanted]
        return materialize(found[1], like=y), parts[0] if len(parts) == 1 else np.concatenate(parts)

    def cotangents(self, total: Any) -> Any:
        """The cotangents of f and the parameters, from what the vectors came to, None if nothing."""
        if total is None:
            return (ZERO,) * len(self.wanted)
        made, done = [], 0
        for p, wanted in zip((self.f, *self.parameters), self.wanted, strict=True):
            zeros, unravel = ravel(materialize(ZERO, like=p)) if wanted else ((), None)
            made.append(ZERO if unravel is None else unravel(total[done : done + len(zeros)]))
            done += len(zeros)
        return tuple(made)


class Ready:
    """The pullbacks by the programs of an engine."""

    def __init__(self, ready: Any, parameters: Any) -> None:
        self.ready, self.parameters = ready, parameters
        self.by_y, *self.places = ready.places

    def slopes(self, t: float, y: Any) -> Any:
        """λ ↦ f_yᴴ λ"""
        return lambda weights: self.ready.by((self.by_y,), weights, (t, y, *self.parameters))[0]

    def both(self, t: float, y: Any, weights: Any) -> Any:
        """f_yᴴ λ, and f_θᴴ λ as a vector"""
        turned, *found = self.ready.by((self.by_y, *self.places), weights, (t, y, *self.parameters))
        if all(isinstance(part, float) for part in found):
            return turned, np.array(found)
        return turned, np.concatenate([np.zeros(0), *map(np.ravel, found)])

    def values(self) -> list[Any]:
        """The parameters that are wanted, in the order of the loads."""
        return [self.ready.value(place, (0.0, 0.0, *self.parameters)) for place in self.places]

    def varied(self, t: float, y: Any) -> Any:
        """The slope and its tangents as a function of time, state, and the state's tangents, one a row.

        After the first len(y) rows each tangent is along one number of the parameters, too.
        """
        return self.ready.varied((t, y, *self.parameters))

    def cotangents(self, total: Any) -> Any:
        """The cotangents of f and the parameters, from what the vectors came to, None if nothing."""
        if total is None:
            return (ZERO,) * (1 + len(self.parameters))
        made, done = {}, 0
        for place, v in zip(self.places, self.values(), strict=True):
            part = total[done : done + np.size(v)]
            made[place] = np.reshape(part, np.shape(v)) if np.ndim(v) else part[0]
            done += np.size(v)
        of_f, _, _, *others = self.ready.arranged(made)
        return of_f, *others


def direct_pullback(f: Any, t: Any, y: Any, parameters: Any, wanted: Any) -> Any:
    """The pullback of f at a state, without f's own cotangent; None where f's value is no array like y."""
    slope, back = reverse_of(f, (t, y, *parameters), {}, (False, True, *wanted[1:]), None)
    if type(slope) is not np.ndarray or slope.shape != y.shape or slope.dtype != y.dtype:
        return None
    return lambda weights: (ZERO, *back(weights)[1:])


def wrapped_pullback(f: Any, t: Any, y: Any, parameters: Any, wanted: Any) -> Any:
    """The pullback of a slope at a state, of f, y and the parameters; of all that f may return."""
    needs = (wanted[0], False, True, *wanted[1:])
    _, back = reverse_of(moved, (f, t, y, *parameters), {}, needs, None)

    def pullback(weights: Any) -> Any:
        f_bar, _, *others = back(weights)
        return f_bar, *others

    return pullback


def flat(t: Any, p: Any) -> Any:
    """A cotangent of p as a vector."""
    plain = type(t) is np.ndarray and type(p) is np.ndarray and t.dtype == p.dtype == float
    return t.reshape(-1) if plain and t.shape == p.shape else ravel(materialize(t, like=p))[0]
