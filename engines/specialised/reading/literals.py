"""Literals: the numbers of a text that meet arrays, as arrays themselves.

    x * 1.2        x * number0_, of which the cell holds np.array(1.2)

NumPy makes an array of a Python number each time that one meets an array. For a short vector that costs as
much as the arithmetic. The text is shown as it was written; what is computed is the same to the last digit,
as an array of float64 gives its precision to either.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

_EXACT = 2**53  # whole numbers up to it are floats as well
_ARITHMETIC = ast.Add | ast.Sub | ast.Mult | ast.Div
_NUMBERS = ("f", "d", "s")


def settle(tree: ast.AST, kinds: Mapping[str, Any], helpers: Mapping[str, Any]) -> dict[str, Any]:
    """Put names in the places of numbers that meet arrays; what the names stand for."""
    literals = _Literals(_Arrays(tree, kinds, helpers))
    literals.visit(tree)
    return {name: np.array(float.fromhex(v)) for v, name in literals.names.items()}


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

    def __init__(self, tree: ast.AST, kinds: Mapping[str, Any], helpers: Mapping[str, Any]) -> None:
        self.kinds, self.helpers = kinds, helpers
        self.taken = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}
        values = _values_of(tree)
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


def _values_of(tree: ast.AST) -> dict[str, list[ast.expr | None]]:
    """What each variable of a text is set to; None among it where that is not one expression."""
    found: dict[str, list[ast.expr | None]] = {}
    plain: set[int] = set()
    for n in ast.walk(tree):
        if isinstance(n, ast.Assign):
            for target in n.targets:
                if isinstance(target, ast.Name):
                    plain.add(id(target))
                    found.setdefault(target.id, []).append(n.value)
    for n in ast.walk(tree):
        if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load) and id(n) not in plain:
            found.setdefault(n.id, []).append(None)
        elif isinstance(n, ast.arg):
            found.setdefault(n.arg, []).append(None)
    return found


class _Literals(ast.NodeTransformer):
    """Puts the names in."""

    def __init__(self, arrays: _Arrays) -> None:
        self.arrays = arrays
        self.names: dict[str, str] = {}  # by digits: the two zeros are not one

    def _put(self, e: ast.expr) -> ast.expr:
        """The name of a number; any other expression as it is."""
        number = number_of(e)
        if number is None:
            return e
        digits = number.hex()
        if digits not in self.names:
            self.names[digits] = next(n for n in _numbered() if n not in self.arrays.taken)
            self.arrays.taken.add(self.names[digits])
        return ast.copy_location(ast.Name(self.names[digits], ast.Load()), e)

    def visit_BinOp(self, e: ast.BinOp) -> ast.AST:
        """Operands of sums and products."""
        if isinstance(e.op, _ARITHMETIC) and self.arrays.has(e):
            e.left, e.right = self._put(e.left), self._put(e.right)
        return self.generic_visit(e)

    def visit_AugAssign(self, s: ast.AugAssign) -> ast.AST:
        """The same of sums and products in place."""
        if isinstance(s.op, _ARITHMETIC) and self.arrays.has(ast.Name(ast.unparse(s.target), ast.Load())):
            s.value = self._put(s.value)
        return self.generic_visit(s)

    def visit_Compare(self, e: ast.Compare) -> ast.AST:
        """What an array is compared with."""
        if len(e.ops) == 1 and self.arrays.has(e.left):
            e.comparators = [*map(self._put, e.comparators)]
        return self.generic_visit(e)

    def visit_Call(self, e: ast.Call) -> ast.AST:
        """Arguments of ufuncs."""
        if self.arrays.has(e):
            e.args = [*map(self._put, e.args)]
        return self.generic_visit(e)


def _numbered() -> Iterator[str]:
    """Names, one after the other."""
    n = 0
    while True:
        yield f"number{n}_"
        n += 1
