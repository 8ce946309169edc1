"""Indexing: what of NumPy's is given its arguments as an index, or as lists of blocks.

np.r_[a, b]                     np.concatenate((np.atleast_1d(a), np.atleast_1d(b)))
np.r_[i : j]                    np.arange(i, j)
np.c_[a, b]                     np.column_stack((a, b))
np.s_[1:-1, i]                  (slice(1, -1), i)
np.block([a, b])                np.concatenate((np.atleast_1d(a), np.atleast_1d(b)), axis=-1)
np.block([[a, b], [c, d]])      the rows so, with np.atleast_2d, and joined along axis -2
"""

from __future__ import annotations

import ast
from typing import Any

import numpy as np

from .declined import Declined
from .quoted import expression
from .reader import Reader
from .steps import Step


class Indexing(Reader):
    """Reads these expressions."""

    def of_index(self, e: ast.Subscript, f: Any, out: list[Step]) -> str | None:
        """The value of an index of one of these; None of any other."""
        if f is np.r_ or f is np.c_:
            return self._joined(e, f is np.c_, out)
        if f is np.index_exp and not isinstance(e.slice, ast.Tuple):
            return self._key(expression("(key,)", e, key=e.slice), out)
        return self._key(e.slice, out) if f is np.s_ or f is np.index_exp else None

    def _joined(self, e: ast.Subscript, columns: bool, out: list[Step]) -> str:
        """Arrays end to end, or side by side."""
        given = e.slice.elts if isinstance(e.slice, ast.Tuple) else [e.slice]
        parts = []
        for x in given:
            if isinstance(x, ast.Starred | ast.Constant) and not _is_number(x):
                raise Declined("np.r_ or np.c_ of text")
            if isinstance(x, ast.Slice):
                if columns or x.upper is None:
                    raise Declined("np.c_ of a slice")
                parts.append(self._counted(x, out))
            elif columns:
                parts.append(self.value(x, out))
            else:
                parts.append(self._helped(np.atleast_1d, (self.value(x, out),), e, out))
        both = self._step(out, "tuple", self.fresh(), tuple(parts), e.lineno)
        return self._helped(np.column_stack if columns else np.concatenate, (both,), e, out)

    def _counted(self, x: ast.Slice, out: list[Step]) -> str:
        """The numbers of a slice."""
        assert x.upper is not None
        ends = [ast.Constant(0) if x.lower is None else x.lower, x.upper]
        step: ast.expr | None = x.step
        f: Any = np.arange
        if isinstance(step, ast.Constant) and type(step.value) is complex:
            step, f = ast.copy_location(ast.Constant(int(abs(step.value))), step), np.linspace
        args = [self.value(a, out) for a in (*ends, *([] if step is None else [step]))]
        return self._helped(f, tuple(args), x.upper, out)

    def _key(self, e: ast.expr, out: list[Step]) -> str:
        """An index as a value."""
        if isinstance(e, ast.Tuple):
            parts = tuple(self._key(x, out) for x in e.elts)
            return self._step(out, "tuple", self.fresh(), parts, e.lineno)
        if not isinstance(e, ast.Slice):
            return self.value(e, out)
        ends = tuple("=None" if x is None else self.value(x, out) for x in (e.lower, e.upper, e.step))
        return self._helped(slice, ends, e, out)

    def assembled(self, e: ast.Call, out: list[Step]) -> str | None:
        """The value of `np.block`; None where the lists are deeper, or of several depths."""
        if len(e.args) != 1 or e.keywords:
            return None
        depth = _depth(e.args[0])
        return self._joined_at(e.args[0], -depth, depth, out) if depth in (1, 2) else None

    def _joined_at(self, e: ast.expr, axis: int, depth: int, out: list[Step]) -> str:
        """One list or row, joined; or an array of as many axes as the lists are deep."""
        if not isinstance(e, ast.List):
            made = self._helped(getattr(np, f"atleast_{depth}d"), (self.value(e, out),), e, out)
            out[-1].facts["no list"] = True  # which would be another row
            return made
        parts = tuple(self._joined_at(x, axis + 1, depth, out) for x in e.elts)
        both = self._step(out, "tuple", self.fresh(), parts, e.lineno)
        made = self._helped(np.concatenate, (both, f"={axis}"), e, out)
        out[-1].keywords = ("axis",)
        return made


def _is_number(e: ast.expr) -> bool:
    return isinstance(e, ast.Constant) and type(e.value) in (int, float)


def _depth(e: ast.expr) -> int:
    """How deep a list of lists is; -1 where that is not the same everywhere, or there are stars."""
    if not isinstance(e, ast.List):
        return -1 if isinstance(e, ast.Starred | ast.ListComp) else 0
    inside = {_depth(x) for x in e.elts}
    return -1 if len(inside) != 1 or -1 in inside else inside.pop() + 1
