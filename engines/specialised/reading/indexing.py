"""Indexing: what of NumPy's is given its arguments as an index.

np.r_[a, b]             np.concatenate((np.atleast_1d(a), np.atleast_1d(b)))
np.r_[i : j]            np.arange(i, j)
np.c_[a, b]             np.column_stack((a, b))
np.s_[1:-1, i]          (slice(1, -1), i)
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

import numpy as np

from .declined import Declined
from .steps import Step

_NUMPY = "__import__('numpy')."
_SLICE = "__import__('builtins').slice"
"""Texts of constants that are in no program."""


class Indexing:
    """Reads these expressions."""

    constants: dict[str, Any]
    fresh: Callable[..., str]
    value: Callable[[ast.expr, list[Step]], str]
    _step: Callable[..., str]

    def of_index(self, e: ast.Subscript, f: Any, out: list[Step]) -> str | None:
        """The value of an index of one of these; None of any other."""
        if f is np.r_ or f is np.c_:
            return self._joined(e, f is np.c_, out)
        if f is np.s_ or f is np.index_exp:
            key = e.slice
            if f is np.index_exp and not isinstance(key, ast.Tuple):
                key = ast.copy_location(ast.Tuple([key], ast.Load()), key)
            return self._key(key, out)
        return None

    def _called(self, f: Any, args: tuple[str, ...], line: int, out: list[Step]) -> str:
        text = _SLICE if f is slice else _NUMPY + f.__name__
        self.constants[text] = f
        return self._step(out, "call", self.fresh(), (f"={text}", *args), line)

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
                parts.append(self._called(np.atleast_1d, (self.value(x, out),), e.lineno, out))
        both = self._step(out, "tuple", self.fresh(), tuple(parts), e.lineno)
        return self._called(np.column_stack if columns else np.concatenate, (both,), e.lineno, out)

    def _counted(self, x: ast.Slice, out: list[Step]) -> str:
        """The numbers of a slice."""
        assert x.upper is not None
        ends = [ast.Constant(0) if x.lower is None else x.lower, x.upper]
        step: ast.expr | None = x.step
        f: Any = np.arange
        if isinstance(step, ast.Constant) and type(step.value) is complex:
            step, f = ast.copy_location(ast.Constant(int(abs(step.value))), step), np.linspace
        args = [self.value(a, out) for a in (*ends, *([] if step is None else [step]))]
        return self._called(f, tuple(args), x.upper.lineno, out)

    def _key(self, e: ast.expr, out: list[Step]) -> str:
        """An index as a value."""
        if isinstance(e, ast.Tuple):
            parts = tuple(self._key(x, out) for x in e.elts)
            return self._step(out, "tuple", self.fresh(), parts, e.lineno)
        if not isinstance(e, ast.Slice):
            return self.value(e, out)
        ends = tuple("=None" if x is None else self.value(x, out) for x in (e.lower, e.upper, e.step))
        return self._called(slice, ends, e.lineno, out)


def _is_number(e: ast.expr) -> bool:
    return isinstance(e, ast.Constant) and type(e.value) in (int, float)
