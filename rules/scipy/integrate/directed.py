"""Variations by an engine's program: their slopes, and the pullbacks of these.

With seeds v and w of the slope and of its pushforward, all is in the derivative of the gradient of w·f, along
v for w and along the tangents of what moves. It is one program for all points of a solution. Where it does
not fit at one of them, the engine is asked as for any other slope.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....core.engine import engine_or_default
from ....tangents import ZERO, Composite, fields_of, is_zero, materialize, unthunk
from ....tangents.composite import with_fields
from .slopes import Followed
from .variations import Variation, moved


def slope_of(f: Any, t: float, y: Any, parameters: Any) -> Any:
    """The slope as a function of time and state, from (t, y) on."""
    known = directed(f, t, y, parameters)

    def slope(t: Any, y: Any) -> Any:
        found = None if known is None else known.slope(t, y)
        return moved(f, t, y, *parameters) if found is None else found

    return slope


def directed(f: Any, t: float, y: Any, parameters: Any) -> Directed | None:
    """The program of a variation; None of another slope, and where there is none."""
    known = getattr(engine_or_default(None), "pushforwards_of", None)
    if type(f) is not Variation or known is None:
        return None
    inner, df, given, tangents = parameters
    n = len(y) // 2
    tangents = dense(tangents, given)
    turned = known(inner, (t, y[:n], *given), (ZERO, y[n:], *tangents), df, y[:n])
    return None if turned is None else Directed(turned, f, (inner, df, given, tangents))


def dense(tangents: Any, given: Any) -> Any:
    """Tangents of parameters, as numbers and arrays where they are not zero."""
    return tuple([t if is_zero(t) else materialize(t, like=p) for t, p in zip(tangents, given, strict=True)])


class Directed:
    """The slope of a variation, and its pullbacks by state, by what moves and by its tangents."""

    def __init__(self, turned: Any, f: Any, parameters: Any) -> None:
        self.turned, self.f, self.parameters = turned, f, parameters
        self.inner, self.df, self.given, self.tangents = parameters
        self.followed = Followed(f, parameters, (False, True, True, True, True))
        self.places = [i for i in turned.moving if i > 1]  # of all that moves, beside the state

    def along(self, t: Any, z: Any, w: Any, v: Any) -> Any:
        """By w, and by all that moves, each with its tangent; None where the program does not fit."""
        n = len(z) // 2
        return self.turned.along(w, v, (t, z[:n], *self.given), (ZERO, z[n:], *self.tangents))

    def slope(self, t: Any, z: Any) -> Any:
        """f, and f_y S + f_θ θ̇"""
        n = len(z) // 2
        known = self.turned.slope((t, z[:n], *self.given), (ZERO, z[n:], *self.tangents))
        if known is not None:
            return np.concatenate(known)
        still = np.zeros(n)
        found = self.along(t, z, still, still)
        return None if found is None else np.concatenate([found[0][0], found[1][0]])

    def values(self) -> list[Any]:
        """All that moves, but for the state, and then as much again for its tangents."""
        every = (None, None, *self.given, *self.turned.made.held)
        return 2 * [every[i] for i in self.places]

    def varied(self, t: float, z: Any) -> Any:
        """The slope and its tangents as a function of time, state, and the state's tangents, one a row.

        After the first len(z) rows each tangent is along one number of what moves, too. With J = f_y and
        F = f_θ, and their derivatives J′ and F′ along the tangent, the rows of the Jacobian are (J, 0, F, 0)
        for f and (J′, J, F′, F) for its tangent.
        """
        return self.at

    def at(self, t: float, z: Any, tangents: Any) -> Any:
        """The slope, and its tangents along those of the state."""
        n, size = len(z) // 2, sum(map(np.size, self.values()))
        still, slope = np.zeros(n), np.zeros(2 * n)
        by_z, by_x = np.zeros((2 * n, 2 * n)), np.zeros((2 * n, size))
        for i, unit in enumerate(np.eye(n)):
            found = self.along(t, z, unit, still)
            if found is None:
                slope = moved(self.f, t, z, *self.parameters)
                for row, seed in ((i, [*unit, *still]), (n + i, [*still, *unit])):
                    by_z[row], parts = self.asked(t, z, np.array(seed))
                    by_x[row] = flat(parts)
                continue
            by_gradient, by_tangent = found
            slope = np.concatenate([by_gradient[0], by_tangent[0]])
            rows, turned = flat(by_gradient[2:]), flat(by_tangent[2:])
            by_z[i, :n], by_z[n + i, :n], by_z[n + i, n:] = by_gradient[1], by_tangent[1], by_gradient[1]
            by_x[i, : len(rows)], by_x[n + i] = rows, np.concatenate([turned, rows])
        varied = tangents @ by_z.T
        varied[2 * n :] += by_x.T
        return slope, varied

    def slopes(self, t: float, z: Any) -> Any:
        """What takes seeds to the state."""
        return lambda weights: self.both(t, z, weights)[0]

    def both(self, t: float, z: Any, weights: Any) -> Any:
        """What goes to the state, and as a vector what goes to all that moves and then to its tangents."""
        n = len(z) // 2
        found = self.along(t, z, weights[n:], weights[:n])
        if found is None:
            state, parts = self.asked(t, z, weights)
        else:
            by_gradient, by_tangent = found
            state = np.concatenate([by_tangent[1], by_gradient[1]])
            parts = (*by_tangent[2:], *by_gradient[2:])
        return state, flat(parts)

    def asked(self, t: float, z: Any, weights: Any) -> Any:
        """The same by the engine, at a point where the program does not fit."""
        needs = (False, *[True] * 4)
        _, state, of_f, of_df, given, tangents = self.followed.backed(t, z, needs)(weights)
        every = [self.by_place(of_f, given), self.by_place(of_df, tangents)]
        values = (t, z, *self.given, *self.turned.made.held)
        parts = [(some[i], values[i]) for some in every for i in self.places]
        return materialize(state, like=z), [materialize(p, like=v) for p, v in parts]

    def by_place(self, of_f: Any, given: Any) -> list[Any]:
        """The parts of a cotangent of f and of one of the parameters, by place."""
        held = [ZERO] * len(self.turned.made.held)
        self.turned.made.tangents(of_f, held)
        count = len(self.given)
        return [ZERO, ZERO, *(given if not is_zero(given) else [ZERO] * count), *held]

    def cotangents(self, total: Any) -> Any:
        """The cotangents of the variation and its parameters, from what the vectors came to."""
        if total is None:
            return (ZERO,) * 5
        values, found, done = (None, None, *self.given, *self.turned.made.held), [], 0
        for _ in range(2):
            parts = {}
            for i in self.places:
                v = values[i]
                part = total[done : done + np.size(v)]
                parts[i] = np.reshape(part, np.shape(v)) if np.ndim(v) else part[0]
                done += np.size(v)
            of_f, x = self.turned.cotangents(parts)
            found += [of_f, x[2:]]
        of_f, given, of_df, tangents = found
        some = [ZERO if is_zero(t) else t_bar for t, t_bar in zip(self.tangents, tangents, strict=True)]
        return ZERO, of_f, moving_in(of_df, self.df), Composite[tuple](*given), Composite[tuple](*some)


def moving_in(t: Any, moving: Any) -> Any:
    """A cotangent without those parts of a tangent that are zero."""
    if is_zero(t) or is_zero(moving) or not isinstance(t, Composite):
        return ZERO if is_zero(moving) else t
    fields, given = fields_of(t), fields_of(unthunk(moving))
    if isinstance(fields, dict):
        return with_fields(type(t), {name: moving_in(a, given.get(name, ZERO)) for name, a in fields.items()})
    return with_fields(type(t), [moving_in(a, b) for a, b in zip(fields, given, strict=True)])


def flat(parts: Any) -> Any:
    """Parts as one vector."""
    return np.concatenate([np.zeros(0), *map(np.ravel, parts)])
