"""Settled: whether what a text has at its end is what its lines read, as far as its text tells.

A variable is set once, and no array that may share memory with it is written into behind a line that reads
it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..reading.kinds import is_real
from ..writing import rundown, tangents

FRESH = (
    *(np.zeros, np.roll, np.add.reduce, np.sum, np.mean, np.vdot, np.dot, np.outer, np.where),
    *(rundown.owned, rundown.rolled, tangents.still),
)
"""Functions whose result shares no memory with what they are given."""

_SHAPES = frozenset({"shape", "size", "ndim", "dtype"})


class Settled:
    """What the statements of a text read, set and write into, in their order."""

    def __init__(
        self, parameters: list[str], body: list[ast.stmt], helpers: dict[str, Any], kinds: dict[str, Any]
    ) -> None:
        self.helpers, self.kinds = helpers, kinds
        self.order: list[ast.stmt] = []
        self.sets: dict[str, list[Any]] = {n: [None] for n in parameters}  # in which arm of which branch
        self.shared: dict[str, set[str]] = {}
        self.written: list[tuple[str, int]] = []
        self._note(body, None)
        self.last: dict[str, int] = {}
        for name, i in self.written:
            self.last |= dict.fromkeys(self.owners(name), i)

    def _note(self, statements: list[ast.stmt], arm: Any) -> None:
        for s in statements:
            self.order.append(s)
            match s:
                case ast.If():
                    self._note(s.body, (id(s), 0))
                    self._note(s.orelse, (id(s), 1))
                case ast.With():
                    self._note(s.body, arm)
                case ast.For() | ast.While():
                    for n in names_set(s):
                        self.sets.setdefault(n, []).append(None)
                    self._note([*s.body, *s.orelse], None)
                case ast.AugAssign():
                    self._set(s.target, arm)
                    self.written += [(n, len(self.order) - 1) for n in bases(s.target)]
                case ast.Assign() if not is_none(s):
                    for t in s.targets:
                        self._set(t, arm)
                        for n in bases(t):
                            if not is_real(self.kinds.get(n)):
                                self.shared.setdefault(n, set()).update(self._shares(s.value))

    def _set(self, target: ast.expr, arm: Any) -> None:
        """Note what an assignment sets, and what it writes into."""
        into = [n for part in ast.walk(target) if isinstance(part, ast.Subscript) for n in bases(part)]
        self.written += [(n, len(self.order) - 1) for n in into]
        for n in bases(target):
            if n not in into:
                self.sets.setdefault(n, []).append(arm)

    def _shares(self, e: ast.AST) -> set[str]:
        """The variables with which a value may share memory."""
        if isinstance(e, ast.BinOp | ast.UnaryOp | ast.Compare | ast.BoolOp | ast.Constant):
            return set()
        if isinstance(e, ast.Attribute) and e.attr in _SHAPES:
            return set()
        if isinstance(e, ast.Call):
            f = self.helpers.get(e.func.id) if isinstance(e.func, ast.Name) else None
            if isinstance(f, np.ufunc) or any(f == made for made in FRESH):
                return set()
        return {n.id for n in ast.walk(e) if isinstance(n, ast.Name)}

    def owners(self, name: str) -> set[str]:
        """A variable with those whose memory it may share, as it was made of them."""
        found, left = set[str](), [name]
        while left:
            n = left.pop()
            if n not in found:
                found.add(n)
                left += self.shared.get(n, ())
        return found

    def holds(self, name: str, e: ast.AST, read: int) -> bool:
        """Whether a variable that this line reads in an expression has the same at the end."""
        arms = self.sets.get(name, [])
        if len(arms) > 1 and (None in arms or len({a[0] for a in arms}) > 1 or len({*arms}) < len(arms)):
            return False
        if all(self.last.get(n, -1) < read for n in self.owners(name)):
            return True
        asked = sum(_is_shape(n) and n.value.id == name for n in ast.walk(e))  # type: ignore[attr-defined]
        return asked == sum(isinstance(n, ast.Name) and n.id == name for n in ast.walk(e))


def _is_shape(n: ast.AST) -> bool:
    return isinstance(n, ast.Attribute) and n.attr in _SHAPES and isinstance(n.value, ast.Name)


def bases(target: ast.expr) -> Iterator[str]:
    """The variables that are set or written into."""
    if isinstance(target, ast.Tuple | ast.List):
        for part in target.elts:
            yield from bases(part)
    elif isinstance(target, ast.Starred | ast.Subscript | ast.Attribute):
        yield from bases(target.value)
    elif isinstance(target, ast.Name):
        yield target.id


def names_set(s: ast.AST) -> set[str]:
    """The variables that are set in a statement."""
    return {n.id for n in ast.walk(s) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}


def is_none(s: ast.Assign) -> bool:
    """Whether variables are set to None, so that memory is free again."""
    empty = isinstance(s.value, ast.Constant) and s.value.value is None
    return empty and all(isinstance(t, ast.Name) for t in s.targets)
