"""Unread: lines of a backward text whose cotangents nobody reads.

    for W, b in layers:                  the cotangent of x before the first layer
        x = np.tanh(x @ W + b)

A variable has a cotangent wherever it may carry a derivative, also where it still is what was given.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from . import rundown, tangents

_PURE: frozenset[Any] = frozenset(
    [
        *(rundown.filled, rundown.number, rundown.spread, rundown.total, rundown.summed_back),
        *(rundown.undiffed, rundown.undiagonal, rundown.spread_back, rundown.unstored, rundown.owned),
        *(rundown.rolled, tangents.fill, tangents.still),
        *(np.vdot, np.dot, np.outer, np.swapaxes, np.expand_dims, np.broadcast_to, np.reshape),
        *(np.zeros, np.roll, np.sum, np.mean, np.where),
    ]
)
METHODS = frozenset(
    [
        *("copy", "reshape", "ravel", "flatten", "sum", "mean", "dot", "swapaxes", "transpose", "any", "all"),
        *("max", "min", "argmax", "argmin", "take", "cumsum", "squeeze", "item", "astype"),
    ]
)
"""Methods that write into nothing."""
_NODES = (ast.Expression, ast.expr_context, ast.operator, ast.unaryop, ast.keyword)
_VALUES = (ast.BinOp, ast.UnaryOp, ast.Name, ast.Constant, ast.Tuple, ast.Attribute)
_COTANGENT = re.compile(r"\s*(g\d+_) = (.*)")
_NAME = re.compile(r"\bg\d+_\b")


def without_unread(
    lines: list[str], at: list[int], helpers: Mapping[str, Any], others: Iterable[str] = ()
) -> tuple[list[str], list[int]]:
    """The lines without those, and the user's line of each; `others` are texts that read cotangents too."""
    pairs = [*zip(lines, at, strict=True)]
    while True:
        texts = (*others, *(text for text, _ in pairs))
        reads = Counter(n for text in texts for n in set(_NAME.findall(text)))
        kept = [p for i, p in enumerate(pairs) if not _is_unread(i, pairs, reads, helpers)]
        if len(kept) == len(pairs):
            return [text for text, _ in kept], [line for _, line in kept]
        pairs = kept


def _is_unread(i: int, pairs: list[tuple[str, int]], reads: Counter[str], helpers: Mapping[str, Any]) -> bool:
    found = _COTANGENT.fullmatch(pairs[i][0])
    if found is None or reads[found[1]] > 1 or not _is_pure(found[2], helpers):
        return False
    begins = i == 0 or pairs[i - 1][0].endswith(":")
    return not begins or (i + 1 < len(pairs) and _depth(pairs[i + 1][0]) >= _depth(pairs[i][0]))


def _depth(text: str) -> int:
    return len(text) - len(text.lstrip())


def _is_pure(text: str, helpers: Mapping[str, Any]) -> bool:
    """Whether computing this does nothing else."""
    return all(_is_plain(n, helpers) for n in ast.walk(ast.parse(text, mode="eval")))


def _is_plain(n: ast.AST, helpers: Mapping[str, Any]) -> bool:
    return writes_nothing(n.func, helpers) if isinstance(n, ast.Call) else isinstance(n, _NODES + _VALUES)


def writes_nothing(f: ast.expr, helpers: Mapping[str, Any], others: tuple[Any, ...] = ()) -> bool:
    """Whether what a text calls only computes a value; `others`: functions that do."""
    if isinstance(f, ast.Attribute):
        return f.attr in METHODS
    known = helpers.get(f.id) if isinstance(f, ast.Name) else None
    ufunc = known if isinstance(known, np.ufunc) else getattr(known, "__self__", None)
    return isinstance(ufunc, np.ufunc) or any(known is made for made in (*_PURE, *others))
