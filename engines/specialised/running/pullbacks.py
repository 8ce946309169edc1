"""Pullbacks: those of one function at many points, by specialised programs.

An adjoint equation asks for the pullback of the same function at hundreds of points. With a seed w it is the
gradient of w·F(x), which is a program of w and of all arguments of F, and of what F captured (`lifting`).
Where a program does not fit at some point, nothing is given, and the ordinary program answers.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from ....tangents import ZERO, inner, is_zero
from ..reading.held import Held
from ..reading.lifting import Lifted
from ..reading.taken import is_floating
from .entry import Settings, specialised
from .residuals import AFTER_REFUSAL, weighted_for
from .teaching import taught
from .variation import Varied

_COUNTS = "__chainrules_pullbacks__"


def pullbacks_of(f: Any, x: tuple[Any, ...], like: Any, wanted: tuple[bool, ...]) -> Pullbacks | None:
    """The pullbacks of f, whose value is like `like`, by what is wanted: f, and each of its arguments.

    None where there are no programs yet, or none that fit.
    """
    found = weighted_for(f, x, like)
    if found is None:
        return None
    made, listed = found
    counts = made.f.__dict__.setdefault(_COUNTS, {})
    key = (made.f.__code__, wanted, *[(type(v), np.ndim(v)) for v in (*x, *made.held)])
    counts[key] = count = counts.get(key, 0) + 1
    first = 1 if any(type(v) is Held for v in made.held) else Settings.runs
    if count < first:  # the ordinary program takes long to go through an object of a library
        return None
    ready = Pullbacks(f, made, listed, wanted, x)
    if count == first and not ready.is_taught(x, like):
        counts[key] = -AFTER_REFUSAL
        return None
    return ready


class Pullbacks:
    """The pullbacks of a function with so many arguments."""

    def __init__(
        self, f: Any, made: Lifted, listed: bool, wanted: tuple[bool, ...], x: tuple[Any, ...]
    ) -> None:
        """`made`: f as w·F(x); `listed`: whether its value is a list."""
        self.f, self.made, self.listed, self.count = f, made, listed, (count := len(x))
        given = [i + 1 for i, w in enumerate(wanted[1:]) if w and is_floating(x[i])]
        held = [1 + count + i for i, v in enumerate(made.held) if wanted[0] and is_floating(v)]
        self.places = (*given, *held)
        """Where what is wanted stands among the seed, the arguments and what is held."""

    def is_taught(self, x: tuple[Any, ...], like: Any) -> bool:
        """Write the programs, compared with the ordinary one; whether it could be."""
        from ...operators import grad

        at = (like * 0.0 + 1.0, *x, *self.made.held)
        if not taught(lambda: grad(self.made.f, self.places)(*at)):
            return False
        return specialised(self.made.f, self.places, at, {}, True) is not None

    def arranged(self, cotangents: dict[int, Any]) -> Any:
        """The cotangents of f and of its arguments, from those by place; zero for the others."""
        every = [cotangents.get(i + 1, ZERO) for i in range(self.count + len(self.made.held))]
        return self.made.cotangent(every[self.count :]), *every[: self.count]

    def inner(self, parts: dict[int, Any], df: Any, dx: tuple[Any, ...]) -> float | None:
        """The product of cotangents, by place, with the tangents of f and of its arguments.

        None where something else moves, as an array of whole numbers.
        """
        held: list[Any] = [ZERO] * len(self.made.held)
        self.made.tangents(df, held)
        tangents = (*dx, *held)
        if any(not is_zero(t) for i, t in enumerate(tangents) if i + 1 not in parts):
            return None
        return sum(inner(part, tangents[place - 1]) for place, part in parts.items())

    def varied(self, x: tuple[Any, ...]) -> Varied:
        """The function along many directions of what is wanted."""
        return Varied(self, x)

    def value(self, place: int, x: tuple[Any, ...]) -> Any:
        """What stands at a place."""
        return (*x, *self.made.held)[place - 1]

    def by(self, places: tuple[int, ...], w: Any, x: tuple[Any, ...]) -> Any:
        """The cotangents at these places for the seed w."""
        from ...operators import grad

        at = (w, *x, *self.made.held)
        known = specialised(self.made.f, places, at, {}, True)
        if known is not None:
            return known[1]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return grad(self.made.f, places)(*at)
