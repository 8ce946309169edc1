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
from .residuals import count_of, is_off, lifted_for
from .roots import OfRoot
from .ways import Kept, Way

_KINDS: dict[Any, Any] = {implicit.root: None, implicit.minimum: Gradient, implicit.fixed_point: Excess}
_TRIES = 8  # how often it is looked for programs
_SIZES = 16  # how many sizes of the unknown are known
_FEW = 32  # numbers that are not asked for, which cost less than to write programs without them


class Known(NamedTuple):
    """The programs for an unknown of one size, and where what they are given is among the leaves."""

    made: Lifted
    sorts: list[Any]
    held: tuple[int, ...]
    slots: tuple[int | None, ...]
    kept: Kept


class Site:
    """One call in a text."""

    def __init__(self, call: Handing, needs: tuple[bool, ...]) -> None:
        self.call, self.kind, self.needs = call, _KINDS[call.f], needs
        self.known: dict[int | None, Known] = {}
        count = len(call.templates) - len(call.words)
        plain = all(type(t) is Leaf for t in call.templates[1:count])
        self.tries = _TRIES if plain else 0

    def __call__(self, *leaves: Any) -> Any:
        """The solution and its pullback; None where the rule is to answer."""
        if is_off():
            return None
        (f, x, *parameters), words = self.call.arguments(*leaves)
        size = x.size if type(x) is np.ndarray else None
        known = self.known.get(size) or self._learnt(f, x, parameters, words, leaves)
        if known is None or words.get("solver") is not None:
            return None
        at = (x, *parameters, *[leaves[i] for i in known.held])
        if sorts_of(at) != known.sorts:
            return None
        moving = self._way(f, at, len(parameters), words, known)
        slots = known.slots

        def site_pullback(x_bar: Any) -> Any:
            every = moving.cotangents(x_bar)
            return ZERO, *[ZERO if i is None else every[i] for i in slots]

        return x, site_pullback

    def _way(self, f: Any, at: tuple[Any, ...], count: int, words: dict[str, Any], known: Known) -> Way:
        """How the solution moves."""
        way: type[Way] = OfMinimum if self.kind is Gradient else OfRoot
        residual = f if self.kind is None else self.kind(f)
        jacobian = words.get("hessian" if self.kind is Gradient else "jacobian")
        return way(residual, known.made, at, count, jacobian, kept=known.kept)

    def _learnt(
        self, f: Any, x: Any, parameters: list[Any], words: dict[str, Any], leaves: tuple[Any, ...]
    ) -> Known | None:
        """The programs, if they are ready."""
        if self.tries <= 0 or len(self.known) >= _SIZES:
            return None
        self.tries -= 1
        residual = f if self.kind is None else self.kind(f)
        found = lifted_for(residual, x, tuple(parameters))
        if found is None or count_of(residual, *found[:2]) < Settings.runs:
            return None
        made, at, _ = found
        places = [*self.call.templates[0].spread(made.cotangent(range(len(made.held))))]
        if any(k not in places for k in range(len(made.held))):
            return None  # something is held that the text does not know
        count = len(parameters)
        first = [1 + count + k if type(k) is int else None for k in places]
        rest = len(leaves) - len(first) - 1 - count
        slots = (*first, None, *range(1, 1 + count), *[None] * rest)
        held = tuple([places.index(k) for k in range(len(made.held))])
        asked = {i for i, need in zip(slots, self.needs or (True,) * len(slots), strict=True) if need}
        few = sum(np.size(at[i]) for i in Kept(at).floating[1:] if i not in asked) <= _FEW
        lasting = Lifted(made.f, (), lambda cotangents: ZERO, lambda df, held: None)  # without what it held
        known = Known(lasting, sorts_of(at), held, slots, Kept(at, None if few else asked))
        if not few:
            way = self._way(f, at, count, words, known)
            if not (way.fits() and way.is_taught()):  # programs of what is asked for alone
                return None
        self.tries = _TRIES
        self.known[x.size if type(x) is np.ndarray else None] = known
        return known


def sorts_of(at: tuple[Any, ...]) -> list[Any]:
    """Of each value what tells which programs take it."""
    return [(v.dtype, v.ndim) if type(v) is np.ndarray else type(v) for v in at]
