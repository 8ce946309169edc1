"""Sites: calls of roots and minima in a text.

A text that calls `implicit.root` knows the code of the residual and what that captured. So once the programs
of the derivative are there, a call needs neither the contract of rules nor to look at the residual: what its
programs take is among what the call is made of (reading/handing.py), and so is what their answers belong to.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ....core import implicit
from ....core.residuals import Excess, Gradient
from ....tangents import ZERO
from ..reading.handing import Handing
from ..reading.lifting import Lifted
from ..reading.templates import Leaf
from .entry import Settings
from .minima import OfMinimum
from .moving_roots import MovingRoot
from .residuals import are_many, count_of, is_off, lifted_for
from .roots import OfRoot
from .ways import Kept, Way
from .within import OfMinimumWithin

_KINDS: dict[Any, Any] = {
    implicit.root: None,
    implicit.minimum: Gradient,
    implicit.fixed_point: Excess,
}
_TRIES = 8  # how often it is looked for programs
_SIZES = 16  # how many sizes of the unknown are known


class Known(NamedTuple):
    """The programs for an unknown of one size, and where what they are given is among the leaves."""

    made: Lifted
    types: list[type]
    arrays: list[tuple[int, Any, int]]
    held: tuple[int, ...]
    slots: tuple[int | None, ...]
    kept: Kept

    def takes(self, at: tuple[Any, ...]) -> bool:
        """Whether values are of the kinds that the programs take."""
        if [*map(type, at)] != self.types:
            return False
        for i, dtype, axes in self.arrays:  # noqa: SIM110  quicker than all()
            if at[i].dtype != dtype or at[i].ndim != axes:
                return False
        return True


class Site:
    """One call in a text."""

    bounds = 0  # how many arguments stand between the unknown and the parameters

    def __init__(self, call: Handing, needs: tuple[bool, ...]) -> None:
        self.call, self.kind, self.needs = call, _KINDS.get(call.f, Gradient), needs
        minimum = self.kind is Gradient
        self.way: type[Way] = OfMinimum if minimum else OfRoot
        self.jacobian = "hessian" if minimum else "jacobian"
        self.known: dict[int | None, Known] = {}
        count = len(call.templates) - len(call.words)
        plain = all(type(t) is Leaf for t in call.templates[1:count])
        self.tries = _TRIES if plain else 0

    def __call__(self, *leaves: Any) -> Any:
        """The solution and its pullback; None where the rule is to answer."""
        found = self.found(leaves)
        if found is None:
            return None
        moving, slots = found

        def site_pullback(x_bar: Any) -> Any:
            every = moving.cotangents(x_bar)
            return ZERO, *[ZERO if i is None else every[i] for i in slots]

        return moving.solution(), site_pullback

    def found(self, leaves: tuple[Any, ...], now: bool = False) -> Any:
        """How the solution moves, and where cotangents go; None where the rule is to answer.

        `now`: also where no call was counted.
        """
        if is_off():
            return None
        (f, x, *parameters), words = self.call.arguments(*leaves)
        bounds, parameters = parameters[: self.bounds], parameters[self.bounds :]
        size = x.size if type(x) is np.ndarray else None
        known = self.known.get(size) or self._learnt(f, x, parameters, words, leaves, now)
        if known is None or words.get("solver") is not None:
            return None
        at = (x, *parameters, *[leaves[i] for i in known.held])
        if not known.takes(at):
            return None
        moving = self._way(f, at, len(parameters), words, known)
        return None if bounds and not moving.hold(*bounds) else (moving, known.slots)

    def moved(self, leaves: tuple[Any, ...], dots: tuple[Any, ...]) -> Any:
        """The solution and its tangent, and what gives cotangents with theirs.

        `dots`: the tangents of the leaves, None for none.
        Raises:  ValueError where the rule is to answer.
        """
        found = self.found(leaves, now=True) if self.way is OfRoot else None
        if found is None:
            raise ValueError("no program of how a solution moves")
        way, slots = found
        tangents = {i: t for i, t in zip(slots, dots, strict=True) if i is not None and t is not None}
        moving = MovingRoot(way, tangents)

        def moved_pullback(x_bar: Any, dx_bar: Any) -> Any:
            both = moving.pullback(x_bar, dx_bar)
            return tuple([(ZERO, *[ZERO if i is None else t.get(i, ZERO) for i in slots]) for t in both])

        return way.solution(), moving.tangent, moved_pullback

    def _way(self, f: Any, at: tuple[Any, ...], count: int, words: dict[str, Any], known: Known) -> Way:
        """How the solution moves."""
        residual = f if self.kind is None else self.kind(f)
        return self.way(residual, known.made, at, count, words.get(self.jacobian), kept=known.kept)

    def _learnt(
        self,
        f: Any,
        x: Any,
        parameters: list[Any],
        words: dict[str, Any],
        leaves: tuple[Any, ...],
        now: bool,
    ) -> Known | None:
        """The programs, if they are ready."""
        if self.tries <= 0 or len(self.known) >= _SIZES:
            return None
        self.tries -= 1
        residual = f if self.kind is None else self.kind(f)
        found = lifted_for(residual, x, tuple(parameters))
        met = 0 if found is None else count_of(residual, *found[:2])
        if met < Settings.runs and not (now and found is not None and met >= 0):
            return None
        made, at, _ = found
        places = [*self.call.templates[0].spread(made.cotangent(range(len(made.held))))]
        if any(k not in places for k in range(len(made.held))):
            return None  # something is held that the text does not know
        count = len(parameters)
        first = [1 + count + k if type(k) is int else None for k in places]
        bounds = range(len(at), len(at) + self.bounds)  # whose cotangents are behind the others
        rest = len(leaves) - len(first) - 1 - len(bounds) - count
        slots = (*first, None, *bounds, *range(1, 1 + count), *[None] * rest)
        held = tuple([places.index(k) for k in range(len(made.held))])
        asked = {i for i, need in zip(slots, self.needs or (True,) * len(slots), strict=True) if need}
        few = not are_many([v for i, v in enumerate(at) if i not in asked])
        lasting = Lifted(made.f, (), lambda cotangents: ZERO, lambda df, held: None)  # without what it held
        kept = Kept(at, None if few else asked)
        arrays = [(i, v.dtype, v.ndim) for i, v in enumerate(at) if type(v) is np.ndarray]
        known = Known(lasting, [*map(type, at)], arrays, held, slots, kept)
        kept.variants = {}
        if not few or (met == Settings.runs and are_many(at)):
            way = self._way(f, at, count, words, known)
            if not (way.fits() and way.is_taught()):  # programs of what is asked for alone
                return None
            count_of(residual, made, at, 2 * few)  # so that nobody writes them again
        self.tries = _TRIES
        self.known[x.size if type(x) is np.ndarray else None] = known
        return known


class SiteWithin(Site):
    """The same of a minimum within bounds."""

    bounds = 2

    def __init__(self, call: Handing, needs: tuple[bool, ...]) -> None:
        super().__init__(call, needs)
        self.way = OfMinimumWithin
