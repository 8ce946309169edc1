"""Variation: a function and how its value moves along many directions, at one point after the other.

A sensitivity equation asks at hundreds of points how a state moves with each number that it starts from and
with each parameter. A function of few numbers answers by rows (rows.py), others by one run of the text for
many directions (many.py). Where neither fits at some point, the pullbacks answer.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....tangents import ZERO
from ..reading.lifting import lifted
from .agreeing import agree
from .columns import way_of
from .entry import Variant
from .listed import listed
from .many import along_all, zero
from .rows import Rows, rows_of
from .teaching import taught_once


class Varied:
    """Values and tangents of a function whose pullbacks are ready.

    The state is the second argument. A tangent is along a row of the state's tangents, and after the first n
    of them along one number of the parameters as well, in the order of the pullbacks' places.
    """

    def __init__(self, ready: Any, x: tuple[Any, ...]) -> None:
        self.ready, self.moving = ready, tuple([i - 1 for i in ready.places])
        self.held: tuple[Any, ...] = ready.made.held
        self.given = x[2:]
        self.sizes = [np.shape((*x, *self.held)[i]) for i in self.moving]
        self.rows = self._rows(x)
        self.variant = None if self.rows is not None else self._columns(x)
        self.units = self._units(np.size(x[1]))
        self.list = self._list(x)

    def _list(self, x: tuple[Any, ...]) -> Any:
        """The slope and its tangents by a text of single numbers, first held against the arrays."""
        n, every = len(x[1]), (*x, *self.held)
        if self.rows is None:
            return None
        if n in self.rows.lists:
            made = self.rows.lists[n]
            return None if made is None else made(every)
        made = self.rows.lists[n] = listed(self.rows, len(every), n)
        if made is None:
            return None
        tangents = 1.0 + np.cos(np.arange(float(self.rows.size * n))).reshape(-1, n)
        try:
            mine = made(every)(x[0], np.concatenate([x[1], tangents.ravel()]))
            agree(np.array(mine), np.concatenate([v.ravel() for v in self(x[0], x[1], tangents)]))
        except Exception:  # what else there is answers
            self.rows.lists[n] = None
            return None
        return made(every)

    def as_list(self, t: float, z: Any) -> Any:
        """The slope and its tangents as one list, for the state with them; None where there is none."""
        if self.list is None:
            return None
        try:
            return self.list(t, z)
        except Exception:  # it does not fit here
            return None

    def __call__(self, t: float, y: Any, tangents: Any) -> Any:
        """The value at a state, and its tangents."""
        x = (t, y, *self.given, *self.held)
        if self.variant is not None:
            found = along_all(self.variant, x, [tangents, *self.units], len(tangents))
            if found is not None:
                return found[0][0], found[1][0]
        value, rows = self._by_rows(x)
        n = len(y)
        varied = tangents @ rows[:, :n].T
        varied[n:] += rows[:, n:].T
        return value, varied

    def _by_rows(self, x: tuple[Any, ...]) -> Any:
        if self.rows is not None:
            try:
                return self.rows.run(*x)
            except Exception:  # it does not fit here
                pass
        return self._asked(x[: 2 + len(self.given)])

    def _asked(self, x: tuple[Any, ...]) -> Any:
        """Value and rows by the pullbacks."""
        found = [self.ready.by((0, *self.ready.places), unit, x) for unit in np.eye(len(x[1]))]
        return found[0][0], np.stack([np.concatenate([np.ravel(t) for t in row[1:]]) for row in found])

    def _units(self, n: int) -> list[Any]:
        """Tangents of the parameters: after n rows of zeros one along each of their numbers."""
        count = sum(int(np.prod(s)) for s in self.sizes)
        ends = np.cumsum([int(np.prod(s)) for s in self.sizes])[:-1]
        parts = np.split(np.eye(count), ends, axis=1)[1:]
        return [part.reshape(count, *s) for part, s in zip(parts, self.sizes[1:], strict=True)]

    def _rows(self, x: tuple[Any, ...]) -> Rows | None:
        made = lifted(self.ready.f, len(x))
        if made is None:
            return None
        found: Rows | None = rows_of(made.f, x, made.held, self.moving, self._asked)
        return found

    def _columns(self, x: tuple[Any, ...]) -> Variant | None:
        found = forward_of(self.ready.f, self.ready.listed, x, self.moving)
        return None if found is None else found[1]


def forward_of(f: Any, listed: bool, x: tuple[Any, ...], moving: tuple[int, ...]) -> Any:
    """f as a function of what it captured, too, and its pushforward by what moves of all that; or None.

    `listed`: whether its value is a list, which becomes an array.
    """
    from ...jacobians import jacfwd

    made: Any = lifted(f, len(x), "np.array({})" if listed else "{}")
    if made is None:
        return None
    at = (*x, *made.held)
    way = way_of(made.f, at, tuple([zero(v) if i in moving else ZERO for i, v in enumerate(at)]))
    if way is None or way.moving != moving:
        return None
    if way.ready() is None:
        taught_once(made.f, ("value", moving), lambda: jacfwd(made.f, moving)(*at))
    variant = way.ready()
    return None if variant is None else (made, variant)
