"""Numbers: which sums and products are of numbers or arrays, as far as their text tells, and not of lists."""

from __future__ import annotations

import ast
from typing import Any

import numpy as np

from ..reading.resolver import Resolver


def is_number(e: Any, resolver: Resolver) -> bool:
    """Whether an expression is seen to give a number or an array, or is taken for one.

    A whole number is none here: `2 * rows` and `rows * n` repeat a list.
    """
    kind = type(e)
    if kind is ast.Constant:
        return type(e.value) in (float, complex)
    if kind is ast.BinOp:
        listed = type(e.op) in (ast.Add, ast.BitOr, ast.Mult)
        return not listed or is_number(e.left, resolver) or is_number(e.right, resolver)
    if kind is ast.UnaryOp:
        return is_number(e.operand, resolver)
    if kind is ast.Subscript:
        return type(e.slice) is ast.Tuple and any(type(x) is ast.Slice for x in e.slice.elts)
    if kind is ast.Call:
        f = resolver.value(e.func)[1]
        return isinstance(f, np.ufunc) or (getattr(f, "__module__", None) or "") in ("numpy", "math")
    known, value = resolver.value(e) if kind in (ast.Name, ast.Attribute) else (False, None)
    if isinstance(value, np.ndarray):
        return not value.dtype.hasobject
    return isinstance(value, (np.generic, float)) if known else getattr(e, "id", "") in resolver.floats


def floats(statements: list[ast.stmt]) -> frozenset[str]:
    """The names that are bound to a number that is written out, which is no whole one."""
    found = (s for s in statements if isinstance(s, ast.Assign))
    bound = [t for s in found if type(getattr(s.value, "value", None)) is float for t in s.targets]
    return frozenset(t.id for t in bound if isinstance(t, ast.Name))
