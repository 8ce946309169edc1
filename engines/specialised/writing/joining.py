"""Joining: arrays that are put side by side, one behind another, or into a new axis.

The cotangent of the whole is cut into those of the parts.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..reading.kinds import axes, is_tuple
from ..reading.steps import Step
from .backward import Cotangent
from .rundown import each
from .written import Written


class Joining(Written):
    """The texts of functions that join arrays."""

    def _parts(self, s: Step) -> list[Any]:
        """The kinds of what is joined, if that is a tuple of arrays."""
        k = self.inferred.kind(s.args[1])
        plain = s.op == "call" and is_tuple(k) and all(map(axes, k[1:]))
        return [axes(x) for x in k[1:]] if plain else []

    def _joined_along(self, s: Step) -> int | None:
        """The axis along which arrays are joined; None where that is another thing."""
        parts, f = self._parts(s), self.inferred.function(s)
        if not parts or len(set(parts)) > 1:
            return None
        n = parts[0]
        if f is np.concatenate:
            axis, keep = self._axis(s, list(s.args[1:]))
            given = len(s.args) > 2 or bool(s.keywords)
            fits = keep is False and (type(axis) is int if given else axis is None)
            return (axis or 0) % n if fits and -n <= (axis or 0) < n else None
        if s.keywords or len(s.args) != 2:
            return None
        return {np.hstack: 1 if n > 1 else 0, np.vstack: 0, np.column_stack: 1}[f]

    def _stacked_at(self, s: Step) -> int | None:
        """The new axis into which arrays are put; None where that is another thing."""
        f, k = self.inferred.function(s), self.inferred.kind(s.args[1])
        if f is np.stack:
            axis, keep = self._axis(s, list(s.args[1:]))
            if type(axis) is not int and axis is not None:
                return None
            return (axis or 0) % axes(self.kinds[s.target]) if keep is False else None
        if s.keywords or len(s.args) != 2:
            return None
        row = {np.vstack: 0, np.column_stack: 1}.get(f)
        flat = set(self._parts(s)) == {1} or (k == "L" and self._holds_rows(s.args[1]))
        return row if flat else None

    def _holds_rows(self, name: str) -> bool:
        """Whether only vectors are put into a list."""
        return self.holds(name, lambda k: k == "a1")

    def fits_join(self, s: Step) -> bool:
        k = self.inferred.kind(s.args[1])
        if self._stacked_at(s) is not None:
            return bool(self._parts(s)) or (k == "L" and self.holds_numbers(s.args[1]))
        return self._joined_along(s) is not None

    def of_join(self, s: Step, args: list[str], c: Cotangent) -> None:
        at = self._stacked_at(s)
        g = self.let(self._whole_of(s, c))
        if at is None:
            self._cut(s, args[0], g, self._joined_along(s) or 0)
        elif self.inferred.kind(args[0]) == "L":
            sign = "-" if self.minus else ""
            whole = f"{self.bind(np.moveaxis)}({sign}{g}, {at}, 0)" if at else f"{sign}{g}"
            self.put(f"{self.bind(each)}({s.kept['from'].use()}, *{whole})")
        else:
            for i, n in enumerate(self.activity.leaves(args[0])):
                self.give(n, f"{g}[{':, ' * at}{i}]", fresh=False)

    def _cut(self, s: Step, name: str, g: str, axis: int) -> None:
        at = "0"
        for n in self.activity.leaves(name):
            end = self.fresh("n")
            size = f"{s.kept[n].use()}.shape[{axis}]"
            self.put(f"{end} = {size}" if at == "0" else f"{end} = {at} + {size}")
            self.give(n, f"{g}[{':, ' * axis}{at}:{end}]", fresh=False)
            at = end


JOINING: dict[Any, str] = dict.fromkeys(
    (np.concatenate, np.hstack, np.vstack, np.column_stack, np.stack), "join"
)
"""Which functions have a text here."""
