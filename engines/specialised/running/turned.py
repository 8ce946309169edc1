"""Turned: pushforwards of one function at many points, and the pullbacks of these, by specialised programs.

A sensitivity equation asks for F(x) and F′(x) ẋ at hundreds of points, and its adjoint for the pullbacks of
both. With seeds w and v these are all in the derivative of the gradient of w·F(x), along v for w and ẋ for x:

    by w    F, and F′ ẋ        by x    F′ᵀ w, and F′ᵀ v + ∂(w·F′ ẋ)/∂x

It is one program, of w, of all arguments of F and of what F captured (`lifting`). Where it does not fit at
some point nothing is given, and the ordinary programs answer.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....tangents import ZERO, is_zero, materialize
from ..reading.lifting import Lifted
from ..reading.taken import is_floating
from .directions import answer_of, pushed
from .early import early
from .residuals import weighted_for
from .teaching import taught_once
from .variation import forward_of


def pushforwards_of(f: Any, x: tuple[Any, ...], dx: tuple[Any, ...], df: Any, like: Any) -> Turned | None:
    """The pushforwards of f, whose value is like `like`, by the arguments after the first, which is a time.

    None where there are no programs that fit.
    """
    found = weighted_for(f, x, like) if is_floating(like) else None
    if found is None:
        return None
    made, listed = found
    turned = Turned(made, x, df, forward_of(f, listed, x, moving_in(made, x)))
    return turned if turned.fits(dx) and turned.along(like, like, x, dx) is not None else None


def moving_in(made: Lifted, x: tuple[Any, ...]) -> tuple[int, ...]:
    """The places of what moves, among the arguments and what is held."""
    return tuple([i for i, v in enumerate((*x, *made.held)) if i and is_floating(v)])


class Turned:
    """The program of a function with so many arguments, of which the floating ones move."""

    def __init__(self, made: Lifted, x: tuple[Any, ...], df: Any, plain: Any) -> None:
        """`plain`: the function itself, and its pushforward; None where there is none."""
        self.made, self.count, self.plain = made, len(x), plain
        self.moving = moving_in(made, x)
        tangents: list[Any] = [ZERO] * len(made.held)
        made.tangents(df, tangents)
        self.held_tangents = tuple(
            [t if is_zero(t) else materialize(t, like=v) for t, v in zip(tangents, made.held, strict=True)]
        )

    def fits(self, dx: tuple[Any, ...]) -> bool:
        """Whether nothing moves but floating arguments."""
        every = (*dx, *self.held_tangents)
        return all(is_zero(t) for i, t in enumerate(every) if i not in self.moving)

    def slope(self, x: tuple[Any, ...], dx: tuple[Any, ...]) -> Any:
        """The value and its tangent; None where there is no program, or it does not fit."""
        if self.plain is None:
            return None
        made, variant = self.plain
        at, given = (*x, *made.held), (*dx, *self.held_tangents)
        moved = [at[i] * 0.0 if is_zero(given[i]) else given[i] for i in self.moving]
        found = answer_of(variant, at, moved)
        return None if found is None else (found[0][0], found[1][0])

    def along(self, w: Any, v: Any, x: tuple[Any, ...], dx: tuple[Any, ...]) -> Any:
        """What is by w and by all that moves, each with its tangent; None where the program does not fit."""
        given = (*dx, *self.held_tangents)
        return self.along_places(w, v, x, {i: given[i] for i in self.moving})

    def along_places(self, w: Any, v: Any, x: tuple[Any, ...], moved: dict[int, Any]) -> Any:
        """The same along tangents by place, of all that moves."""
        at = (*x, *self.made.held)
        every = [ZERO] * len(at)
        for i in self.moving:
            every[i] = at[i] * 0.0 if is_zero(moved[i]) else moved[i]
        where, direction = (w, *at), (v, *every)
        answer = pushed(self.made.f, "gradient", where, direction)
        if answer is None and self.is_ready(w, at, every):
            answer = pushed(self.made.f, "gradient", where, direction)
        return None if answer is None else (answer[0][1], answer[1][1])

    def is_ready(self, w: Any, at: tuple[Any, ...], moved: Any) -> bool:
        """Write the program, compared with the ordinary one, for a w that tells more than zeros would."""
        seed = 1.5 + np.cos(np.arange(1.0, np.size(w) + 1))  # nor something that F conserves
        seed = seed if np.ndim(w) else type(w)(seed[0])
        return bool(early(self.made.f, (seed, *at), (seed, *moved))) or self.is_taught(seed, at)

    def is_taught(self, w: Any, at: tuple[Any, ...]) -> bool:
        """Write the program, compared with the ordinary one, where that has not been tried."""
        from ...hessians import hvp

        places = (0, *[i + 1 for i in self.moving])
        where = (w, *at)
        directions = tuple([where[i] * 0.0 + 1.0 for i in places])
        f = self.made.f
        return taught_once(f, ("gradient", places), lambda: hvp(f, where, directions, places))

    def values(self, x: tuple[Any, ...]) -> list[Any]:
        """All that moves."""
        at = (*x, *self.made.held)
        return [at[i] for i in self.moving]

    def cotangents(self, parts: dict[int, Any]) -> tuple[Any, tuple[Any, ...]]:
        """The cotangents of the function and of its arguments, from those by place; zero for the others."""
        every = [parts.get(i, ZERO) for i in range(self.count + len(self.made.held))]
        return self.made.cotangent(every[self.count :]), tuple(every[: self.count])
