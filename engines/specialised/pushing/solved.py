"""Solved: the tangents of a solution, and of what its pullback gives.

    x, back = handed_rrule(call, p)        (x, back), (x_dot, back_dot) = moving((None, p_dot), call, p)
    answers = back(x_bar)                  answers, answers_dot = back_dot(x_bar, x_bar_dot)

The pullback of a solution moves as a function does that is given a seed with its tangent.
"""

from __future__ import annotations

import ast
from typing import Any

from ..reading.declined import Declined
from .lines import Lines


class Solved(Lines):
    """Writes what is solved for, and the calls of its pullback."""

    many = False  # whether there are many directions at once
    atom: Any  # an expression whose value may stand in several places, with its tangent
    whole: Any  # a tangent in its value's shape

    def solved(self, e: ast.Call, f: Any) -> tuple[str, str]:
        """A solution with its pullback, and how both move."""
        if self.many:
            raise Declined("a solution in many directions")
        args = [*map(self.atom, e.args)]
        dots = ", ".join("None" if a.dot is None else self.whole(a) for a in args)
        y, dot = self.fresh(), self.fresh()
        given = ", ".join(a.value for a in args)
        self.put(f"{y}, {dot} = {self.bind(f.moving_solution)}(({dots},), {given})")
        return y, dot

    def pulled(self, e: ast.Call, back: ast.Name) -> tuple[str, str]:
        """A call of the pullback of a solution."""
        seed = self.atom(e.args[0])
        if not self.varying.carries(self.text, back.id):
            return f"{back.id}({seed.value})", f"{back.id}({self.whole(seed)})"
        y, dot = self.fresh(), self.fresh()
        self.put(f"{y}, {dot} = {back.id}{self.end}({seed.value}, {self.whole(seed)})")
        return y, dot
