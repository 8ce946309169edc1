"""Literals: the numbers of a text that meet arrays, as arrays themselves.

    x * 1.2        x * number1_, of which the cell holds np.array(1.2)

NumPy makes an array of a Python number each time that one meets an array. For a short vector that costs as
much as the arithmetic. The text is shown as it was written; what is computed is the same to the last digit,
as an array of float64 gives its precision to either.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .names import Names

_EXACT = 2**53  # whole numbers up to it are floats as well
_ARITHMETIC = ast.Add | ast.Sub | ast.Mult | ast.Div
_NUMBERS = ("f", "d", "s")


def settle(nodes: Sequence[ast.AST], kinds: Mapping[str, Any], helpers: Mapping[str, Any]) -> dict[str, Any]:
    """Put names in the places of numbers that meet arrays; what the names stand for.

    `nodes`: all of a text, each before what is in it.
    """
    arrays = _Arrays(nodes, kinds, helpers)
    names: dict[str, str] = {}  # by digits: the two zeros are not one

    def put(e: ast.expr) -> ast.expr:
        """The name of a number; any other expression as it is."""
        number = number_of(e)
        if number is None:
            return e
        digits = number.hex()
        if digits not in names:
            names[digits] = arrays.taken.fresh("number")
        return ast.copy_location(ast.Name(names[digits], ast.Load()), e)

    for n in nodes:
        if isinstance(n, ast.BinOp):
            if isinstance(n.op, _ARITHMETIC) and arrays.has(n):
                n.left, n.right = put(n.left), put(n.right)
        elif isinstance(n, ast.Call):
            if n.args and arrays.has(n):
                n.args = [*map(put, n.args)]
        elif isinstance(n, ast.AugAssign):
            if isinstance(n.op, _ARITHMETIC) and arrays.has(n.target):
                n.value = put(n.value)
        elif isinstance(n, ast.Compare) and len(n.ops) == 1 and arrays.has(n.left):
            n.comparators = [*map(put, n.comparators)]
    return {name: np.array(float.fromhex(digits)) for digits, name in names.items()}


def number_of(e: ast.expr) -> float | None:
    """The number that an expression writes out; None where it writes none."""
    if isinstance(e, ast.UnaryOp) and isinstance(e.op, ast.USub):
        found = number_of(e.operand)
        return None if found is None else -found
    v = e.value if isinstance(e, ast.Constant) else None
    if type(v) is float or (type(v) is int and abs(v) <= _EXACT):
        return float(v)
    return None


class _Arrays:
    """Which expressions of a text are arrays of float64 for certain."""

    def __init__(
        self, nodes: Sequence[ast.AST], kinds: Mapping[str, Any], helpers: Mapping[str, Any]
    ) -> None:
        self.kinds, self.helpers = kinds, helpers
        self.taken = Names(n.id for n in nodes if isinstance(n, ast.Name))
        values = _values_of(nodes)
        self.own = {n for n, found in values.items() if n not in kinds and None not in found}
        while lost := {n for n in self.own if not all(map(self.has, values[n]))}:
            self.own -= lost

    def has(self, e: ast.expr | None) -> bool:
        """Whether an expression is an array."""
        if isinstance(e, ast.Name):
            k = self.kinds.get(e.id)
            return e.id in self.own or (type(k) is str and k[0] == "a")
        if isinstance(e, ast.UnaryOp):
            return isinstance(e.op, ast.USub) and self.has(e.operand)
        if isinstance(e, ast.BinOp):
            return isinstance(e.op, _ARITHMETIC) and self._of([e.left, e.right])
        return isinstance(e, ast.Call) and self.is_elementary(e) and self._of(e.args)

    def _of(self, operands: list[ast.expr]) -> bool:
        """Whether there is an array among operands, and besides arrays there are real numbers alone."""
        arrays = [*map(self.has, operands)]
        return any(arrays) and all(a or self._is_real(e) for a, e in zip(arrays, operands, strict=True))

    def _is_real(self, e: ast.expr) -> bool:
        return number_of(e) is not None or (isinstance(e, ast.Name) and self.kinds.get(e.id) in _NUMBERS)

    def is_elementary(self, e: ast.Call) -> bool:
        """Whether a call is one of a ufunc that gives float64 for float64."""
        f = self.helpers.get(e.func.id) if isinstance(e.func, ast.Name) else None
        return isinstance(f, np.ufunc) and f"{'d' * len(e.args)}->d" in f.types and not e.keywords


def _values_of(nodes: Sequence[ast.AST]) -> dict[str, list[ast.expr | None]]:
    """What each variable of a text is set to; None among it where that is not one expression."""
    found: dict[str, list[ast.expr | None]] = {}
    plain: set[int] = set()
    for n in nodes:  # a statement before its targets
        if isinstance(n, ast.Assign):
            for target in n.targets:
                if isinstance(target, ast.Name):
                    plain.add(id(target))
                    found.setdefault(target.id, []).append(n.value)
        elif isinstance(n, ast.Name):
            if id(n) not in plain and not isinstance(n.ctx, ast.Load):
                found.setdefault(n.id, []).append(None)
        elif isinstance(n, ast.arg):
            found.setdefault(n.arg, []).append(None)
    return found
