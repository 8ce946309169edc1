"""Pieces: `np.piecewise` with conditions and functions that are written out, as the program that it is.

np.piecewise(x, [x < 0, x > 1], [f, g, 0.5])        made = zeros like x; made[x < 0] = f(x[x < 0]); …
"""

from __future__ import annotations

import ast
from typing import Any

import numpy as np

from .reader import Reader
from .steps import Step


def put_piece(made: Any, x: Any, where: Any, f: Any) -> None:
    """Set the entries for which a condition holds to what a function makes of those of x, or to a number."""
    if callable(f):
        part = x[where]
        if part.size > 0:
            made[where] = f(part)
    else:
        made[where] = f


class Pieces(Reader):
    """Reads these calls."""

    def pieces(self, e: ast.Call, out: list[Step]) -> str | None:
        """A call of `np.piecewise`; None of anything else."""
        if self.constant(e.func) is not np.piecewise or len(e.args) != 3 or e.keywords:
            return None
        shown = [a.elts for a in e.args[1:] if isinstance(a, ast.List | ast.Tuple)]
        more = len(shown[1]) - len(shown[0]) if len(shown) == 2 and shown[0] else -1
        if more not in (0, 1) or any(isinstance(v, ast.Starred) for elts in shown for v in elts):
            return None
        x = self.value(e.args[0], out)
        conditions, functions = ([self.value(v, out) for v in elts] for elts in shown)
        if more:
            rest = conditions[0]
            for where in conditions[1:]:
                rest = self._step(out, "binary", self.fresh(), (rest, where), e.lineno, "|")
            conditions.append(self._step(out, "unary", self.fresh(), (rest,), e.lineno, "~"))
        made = self._helped(np.zeros_like, (x,), e, out)
        for where, f in zip(conditions, functions, strict=True):
            self._helped(put_piece, (made, x, where, f), e, out)
        return made
