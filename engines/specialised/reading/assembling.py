"""Assembling: `np.block` of lists that are written out, as arrays that are joined.

np.block([a, b])                np.concatenate((np.atleast_1d(a), np.atleast_1d(b)), axis=-1)
np.block([[a, b], [c, d]])      the rows so, with np.atleast_2d, and joined along axis -2
"""

from __future__ import annotations

import ast
from collections.abc import Callable

import numpy as np

from .steps import Step


class Assembling:
    """Reads these calls; Indexing calls what is in no program."""

    fresh: Callable[..., str]
    value: Callable[[ast.expr, list[Step]], str]
    _step: Callable[..., str]
    _called: Callable[..., str]

    def assembled(self, e: ast.Call, out: list[Step]) -> str | None:
        """The value of such a call; None where the lists are deeper, or of several depths."""
        if len(e.args) != 1 or e.keywords:
            return None
        depth = _depth(e.args[0])
        return self._joined_at(e.args[0], -depth, depth, out) if depth in (1, 2) else None

    def _joined_at(self, e: ast.expr, axis: int, depth: int, out: list[Step]) -> str:
        """One list or row, joined; or an array of as many axes as the lists are deep."""
        if not isinstance(e, ast.List):
            made = self._called(getattr(np, f"atleast_{depth}d"), (self.value(e, out),), e.lineno, out)
            out[-1].facts["no list"] = True  # which would be another row
            return made
        parts = tuple(self._joined_at(x, axis + 1, depth, out) for x in e.elts)
        both = self._step(out, "tuple", self.fresh(), parts, e.lineno)
        made = self._called(np.concatenate, (both, f"={axis}"), e.lineno, out)
        out[-1].keywords = ("axis",)
        return made


def _depth(e: ast.expr) -> int:
    """How deep a list of lists is; -1 where that is not the same everywhere, or there are stars."""
    if not isinstance(e, ast.List):
        return -1 if isinstance(e, ast.Starred | ast.ListComp) else 0
    inside = {_depth(x) for x in e.elts}
    return -1 if len(inside) != 1 or -1 in inside else inside.pop() + 1
