"""Within: how a minimum within bounds moves, by programs of the objective of all its variables.

One run along those that are free gives the gradient, by which a multiplier is told from zero, and the rows of
the Hessian.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ....core.bounds import free_by, is_at
from ....core.systems import DENSE
from ....tangents import ZERO, materialize
from .minima import MANY, OfMinimum
from .mixed import gradients_along_all, which
from .ways import PLAIN


class OfMinimumWithin(OfMinimum):
    """How the minimum of an objective within bounds moves."""

    rows: Any = None
    """The rows of the Hessian that belong to what is free."""

    def hold(self, *bounds: Any) -> bool:
        """Note the bounds; whether they are vectors like x."""
        x = self.at[0]
        for bound in bounds:
            if type(bound) is not np.ndarray or bound.shape != x.shape or bound.dtype.kind not in "fi":
                return False
        self.bounds = bounds
        self.low, high = is_at(x, np.array(bounds))
        self.at_bounds = self.low | high
        self.places = np.flatnonzero(~self.at_bounds)
        if len(self.places) < len(x):
            self.jacobian = None  # which is that of all variables
        return True

    def solution(self) -> Any:
        """The minimum, with what is held exactly at its bounds."""
        x = self.at[0]
        if len(self.places) == len(x):
            return x
        return np.where(self.at_bounds, np.where(self.low, *self.bounds), x)

    def unknown(self) -> Any:
        """What is free."""
        return self.at[0][self.places]

    def slopes(self) -> Any:
        """The gradient by all variables."""
        if self.gradient is None:
            self.gradient = super().value(self.at[0])
        return self.gradient

    def start(self) -> Any:
        return self.slopes()[self.places]

    def value(self, z: Any) -> Any:
        x = self.at[0].copy()
        x[self.places] = z
        return super().value(x)[self.places]

    def among_all(self, v: Any) -> Any:
        """A vector of what is free among zeros for the rest."""
        made = np.zeros(len(self.at[0]))
        made[self.places] = v
        return made

    def product(self, v: Any) -> Any:
        return super().product(self.among_all(v))[self.places]

    def matrix(self) -> Any:
        """The Hessian by what is free, by a run along that."""
        x, count = self.at[0], len(self.places)
        if count == 1:
            row, *mixed = self.moved(self.among_all(1.0))
            self.rows, self.mixed = row[None], [np.asarray(t)[None] for t in mixed]
            return self.rows[:, self.places]
        few = count * sum(np.size(self.at[i]) for i in self.floating[1:]) <= MANY
        directions = np.zeros((count, len(x)))
        directions[np.arange(count), self.places] = 1.0
        places = self.floating if few else self.floating[:1]
        found = gradients_along_all(self.variant(which(places), self.at), self.at, directions)
        if found is None:
            return None
        self.gradient, self.rows, mixed = found
        self.mixed = mixed if few else None
        return self.rows[:, self.places].T

    def cotangents(self, x_bar: Any) -> list[Any]:
        """Those of all that the programs are given, and of the bounds."""
        x, count = self.at[0], len(self.places)
        b = x_bar if type(x_bar) in PLAIN else materialize(x_bar, like=x)
        self.ready = self.matrix() if 0 < count <= DENSE else None
        if count < len(x):
            free_by(self.slopes(), self.at_bounds)
        every = [ZERO] * len(self.at)
        of_held = b
        if count:
            weights = self.solved(-b[self.places], self.ready)
            if self.mixed is None or self.rows is None:
                along, *moved = self.moved(self.among_all(weights))
            else:
                along, moved = weights @ self.rows, self.by_parameters(weights)
            of_held = b + along
            for i, t in zip(self.floating[1:], moved, strict=True):
                every[i] = t
        if count == len(x):
            return [*every, ZERO, ZERO]
        low = self.low
        return [*every, np.where(low, of_held, 0.0), np.where(self.at_bounds & ~low, of_held, 0.0)]

    def pullback(self) -> Callable[[Any], Any]:
        """The cotangents of the objective, x, the bounds and the parameters."""

        def within_pullback(x_bar: Any) -> Any:
            *every, of_lower, of_upper = self.cotangents(x_bar)
            of_f = self.made.cotangent(every[1 + self.count :])
            return of_f, ZERO, of_lower, of_upper, *every[1 : 1 + self.count]

        return within_pullback
