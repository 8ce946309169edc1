"""Quiet: which texts call nothing that may divide by zero.

There NumPy need not be told to raise, and what overflows shows in the result.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..reading.texts import UNKNOWN, Text, bare, known
from ..writing import rundown, tangents
from ..writing.lasting import lasting

_QUIET: frozenset[Any] = frozenset(
    [
        *(np.sin, np.cos, np.exp, np.tanh, np.sinh, np.cosh, np.arctan, np.square, np.abs, np.sign),
        *(np.add, np.subtract, np.multiply, np.negative, np.maximum, np.minimum, np.add.reduce, np.sum),
        *(np.matmul, np.dot, np.outer, np.vdot, np.reshape, np.ravel, np.transpose, np.concatenate, np.stack),
        *(np.zeros, np.ones, np.zeros_like, np.array, np.copy, np.maximum.reduce, np.minimum.reduce),
        *(range, len, zip, reversed, min, max, float, int, abs, bool),
        *(tangents.still, tangents.fill, tangents.owning, tangents.extremum),
        *(rundown.filled, rundown.owned, rundown.spread, rundown.total, rundown.number, rundown.slot),
        *(rundown.taken_out, rundown.scattered, rundown.added, rundown.unstored, rundown.rolled, lasting),
    ]
)
_METHODS = frozenset(
    [
        *(
            "append",
            "insert",
            "pop",
            "copy",
            "reshape",
            "transpose",
            "swapaxes",
            "ravel",
            "flatten",
            "sum",
            "dot",
        ),
        *("values", "cumsum"),
    ]
)


def may_divide(text: Text, lines: Sequence[str], helpers: dict[str, Any]) -> bool:
    """Whether lines that were written from a text may divide by zero."""
    return any(_divides(text, n, helpers) for n in ast.walk(ast.parse("\n".join(lines))))


def _divides(text: Text, n: ast.AST, helpers: dict[str, Any]) -> bool:
    if isinstance(n, ast.BinOp):
        if isinstance(n.op, ast.Pow):
            p = bare(ast.unparse(n.right))
            return not p.replace(".", "", 1).isdigit()
        if isinstance(n.op, ast.Div):
            p = bare(ast.unparse(n.right))
            return not p.replace(".", "", 1).isdigit() or float(p) == 0.0
        return isinstance(n.op, ast.FloorDiv | ast.Mod)
    if not isinstance(n, ast.Call):
        return False
    if isinstance(n.func, ast.Name) and n.func.id in helpers:
        f = helpers[n.func.id]
        return not (isinstance(f, Text) or f in _QUIET)
    f = known(text, n.func)
    if f is UNKNOWN:
        return not (isinstance(n.func, ast.Attribute) and n.func.attr in _METHODS)
    return f not in _QUIET
