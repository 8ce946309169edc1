"""Moving roots: how a root moves along a direction, and with it what its pullback gives.

    F_x ẋ = −F_θ θ̇        F_xᵀ w = −x̄        F_xᵀ ẇ = −x̄̇ − Ḟ_xᵀ w        θ̄ = F_θᵀ w, with θ̄̇ = F_θᵀ ẇ + Ḟ_θᵀ w

All of it is in the program of w·F, its gradient and the pushforward of that (`turned`). What moves are the
derivatives Ḟ_x and Ḟ_θ along ẋ and θ̇, those of second order among them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....core.residuals import is_number
from ....core.solutions import fault_of_number
from ....core.systems import DENSE
from ....tangents import ZERO, is_zero
from ..reading.taken import is_floating
from .roots import OfRoot
from .turned import Turned


class MovingRoot:
    """A root of which some of what the programs are given moves, with tangents by place."""

    def __init__(self, way: OfRoot, tangents: dict[int, Any]) -> None:
        """Raises:  ValueError where no program says how it moves."""
        self.way, x = way, way.at[0]
        self.turned = Turned(way.made, way.at, ZERO, None)
        self.turned.moving = tuple([i for i, v in enumerate(way.at) if is_floating(v)])
        if not set(tangents) <= set(self.turned.moving) or np.size(x) > DENSE or not way.fits():
            raise ValueError("a root that moves otherwise")
        self.moved = {i: tangents.get(i, ZERO) for i in self.turned.moving}
        self.moved[0] = ZERO
        self.one = x * 0.0 + 1.0
        self.moved[0] = self._of_number_moved() if is_number(x) else self._of_vector_moved()

    @property
    def tangent(self) -> Any:
        """ẋ"""
        return self.moved[0]

    def along(self, w: Any, dw: Any) -> Any:
        """w·F by w and by all that moves, and the tangents of these."""
        found = self.turned.along_places(w, dw, self.way.at, self.moved)
        if found is None:
            raise ValueError("no program of the second derivatives of a residual")
        return found

    def _of_number_moved(self) -> Any:
        y, slopes = self.way.slopes_at()
        self.slope, order = slopes[0], self.way.kept.order
        if fault_of_number(self.way.value, float(self.slope), float(y), self.way.at[0])[0] is not None:
            raise ValueError("no simple root")
        terms = [np.vdot(slopes[order[i]], t) for i, t in self.moved.items() if i and not is_zero(t)]
        return -sum(terms) / self.slope

    def _of_vector_moved(self) -> Any:
        still = self.one * 0.0
        _, dots = self.along(self.one, still)
        known = self.way.matrix()
        rows = [self.along(row, still)[0][1] for row in np.diag(self.one)] if known is None else known
        self.matrix = np.stack(rows)
        self.way.solved(self.one, self.matrix)  # which refuses what is no root, or no simple one
        return -np.linalg.solve(self.matrix, dots[0])

    def pullback(self, x_bar: Any, moved: Any) -> tuple[dict[int, Any], dict[int, Any]]:
        """The cotangents by place for a seed that moves, and their tangents."""
        if is_number(self.way.at[0]):
            return self._of_number(x_bar, moved)
        w = self.way.solved(-x_bar, self.matrix)
        parts, dots = self.along(w, w * 0.0)
        dw = self.way.solved(-moved - dots[1], self.matrix)
        _, dots = self.along(w, dw)
        return self._by_place(parts[2:]), self._by_place(dots[2:])

    def _of_number(self, x_bar: Any, moved: Any) -> tuple[dict[int, Any], dict[int, Any]]:
        (_, _, *slopes), (_, bent, *dots) = self.along(self.one, self.one * 0.0)
        w = -x_bar / self.slope
        dw = (-moved - w * bent) / self.slope
        moving = [dw * s + w * t for s, t in zip(slopes, dots, strict=True)]
        return self._by_place([w * s for s in slopes]), self._by_place(moving)

    def _by_place(self, found: Any) -> dict[int, Any]:
        return dict(zip(self.turned.moving[1:], found, strict=True))
