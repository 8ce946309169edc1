"""Axes: how many a value has, where a generated text tells.

From the kinds of variables, from what expressions make of them, and from what the texts of a call tree hand
to one another.
"""

from __future__ import annotations

import ast
from collections import Counter
from typing import Any

import numpy as np

from ..reading.kinds import axes, is_real, is_tuple
from ..reading.texts import Scope, Text, known
from . import rundown

_INTEGERS = ("i", "q")
_LIKE: dict[Any, int] = {np.zeros: 0, rundown.filled: 1, rundown.owned: 1, rundown.spread: 1}
"""Helpers whose value has the shape, or the axes, of this argument; and np.zeros."""


class Sites:
    """How many axes there are of what texts hand to one another, as far as all places agree that set it."""

    def __init__(self) -> None:
        self.before: dict[Any, set[int | None]] = {}
        self.now: dict[Any, set[int | None]] = {}

    def known(self, text: Text, place: Any) -> int | None:
        """The number for a parameter or, counted, an item of the result; None where it is not known."""
        found = self.before.get((text, place), set())
        return next(iter(found)) if len(found) == 1 else None

    def note(self, text: Text, place: Any, n: int | None) -> None:
        """What one place sets."""
        self.now.setdefault((text, place), set()).add(n)

    def settled(self) -> bool:
        """Whether a round of writing found out nothing new; begins the next."""
        done, self.before, self.now = self.now == self.before, self.now, {}
        return done


class Axes:
    """What is known of one text."""

    text: Text
    scope: Scope
    stores: Counter[str]

    def know(self, text: Text, sites: Sites) -> None:
        """Begin with the parameters."""
        self.sites = sites
        self.axes: dict[str, int] = {}
        for p in text.parameters:
            n = sites.known(text, p)
            if n is not None:
                self.axes[p] = n

    def axes_of(self, e: ast.expr) -> int | None:
        """The number of axes of a value, where the text tells."""
        match e:
            case ast.Constant():
                return 0
            case ast.Name():
                k = self.scope.kinds.get(e.id)
                if is_real(k) or k in _INTEGERS or k == "b":
                    return 0
                return axes(k) or self.axes.get(e.id)
            case ast.UnaryOp():
                return self.axes_of(e.operand)
            case ast.Attribute(attr="T"):
                return self.axes_of(e.value)
            case ast.Subscript():
                return self._axes_of_part(e)
            case ast.BinOp():
                a, b = self.axes_of(e.left), self.axes_of(e.right)
                if a is None or b is None:
                    return None
                if isinstance(e.op, ast.MatMult):
                    return a + b - 2 if 0 < a <= 2 and 0 < b <= 2 else None
                return max(a, b)
            case ast.Call():
                f = known(self.text, e.func)
                if f in _LIKE and len(e.args) > _LIKE[f]:
                    like = e.args[_LIKE[f]]
                    if isinstance(like, ast.Attribute) and like.attr == "shape":
                        like = like.value
                    return self.axes_of(like) or None
                found = [self.axes_of(a) for a in e.args]
                if isinstance(f, np.ufunc) and f.signature is None and not e.keywords and None not in found:
                    return max(n for n in found if n is not None)
        return None

    def _axes_of_part(self, e: ast.Subscript) -> int | None:
        n = self.axes_of(e.value)
        items = self._items(e)
        if not n or items is None:
            return None
        for x in items:
            k = self.scope.kinds.get(x.id) if isinstance(x, ast.Name) else None
            if isinstance(x, ast.Constant) and x.value is None:
                n += 1
            elif type(k) is str and k[0] == "j":
                n += axes(k) - 1
            elif type(k) is str and k[0] == "m":
                n += 1 - axes(k)
            elif not isinstance(x, ast.Slice) and k != "S" and not _is_all(x):
                n -= 1
        return n

    def _items(self, e: ast.Subscript) -> list[ast.expr] | None:
        """The parts of an index that means the same behind one more axis; None of any other."""
        items = e.slice.elts if isinstance(e.slice, ast.Tuple) else [e.slice]
        for x in items:
            k = self.scope.kinds.get(x.id) if isinstance(x, ast.Name) else None
            whole = type(k) is str and k[0] in "jm" and len(k) > 1
            if whole and len(items) == 1:
                continue
            if not (isinstance(x, ast.Slice) or k == "S" or _is_all(x) or self._is_whole_number(x)):
                return None
        return list(items)

    def _is_whole_number(self, x: ast.expr) -> bool:
        if isinstance(x, ast.Constant):
            return x.value is None or type(x.value) is int
        if isinstance(x, ast.Name):
            return self.scope.kinds.get(x.id) in _INTEGERS
        if isinstance(x, ast.UnaryOp):
            return self._is_whole_number(x.operand)
        if isinstance(x, ast.BinOp):
            return self._is_whole_number(x.left) and self._is_whole_number(x.right)
        return False

    def _holds(self, e: ast.expr) -> bool:
        """Whether a variable holds values, each with tangents of its own."""
        k = self.scope.kinds.get(e.id) if isinstance(e, ast.Name) else None
        return k == "L" or is_tuple(k) or (isinstance(e, ast.Name) and e.id in self.scope.records)


def _is_all(x: ast.expr) -> bool:
    return isinstance(x, ast.Constant) and x.value is Ellipsis
