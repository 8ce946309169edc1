"""Dead: lines of a text that set what nothing behind them reads, and do nothing else."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Any

from ..writing.unread import writes_nothing
from . import rows
from .settled import names_set

_OF_ROWS = (
    *(rows.fill, rows.aligned, rows.by_rows, rows.product, rows.still, rows.zeros, rows.owned, rows.total),
)
"""Helpers for many directions that only compute a value."""


def without_dead(lines: Iterable[str], results: Iterable[ast.expr], helpers: dict[str, Any]) -> list[str]:
    """The lines without those on which none of the results depends."""
    used = {n.id for e in results for n in ast.walk(e) if isinstance(n, ast.Name)}
    out: list[str] = []
    for s in reversed(ast.parse("\n".join(lines)).body):
        if _is_plain(s, helpers) and used.isdisjoint(names_set(s)):
            continue
        used |= {n.id for n in ast.walk(s) if isinstance(n, ast.Name)}
        out = [*ast.unparse(s).split("\n"), *out]
    return out


def without_tangent_of_value(lines: list[str], zero: str, helpers: dict[str, Any]) -> list[str]:
    """The pushforward of a gradient's text, without what gives the tangent of the function's value alone."""
    (node,) = ast.parse("\n".join(lines)).body
    assert isinstance(node, ast.FunctionDef)
    *body, end = node.body
    if not isinstance(end, ast.Return) or not isinstance(end.value, ast.Tuple):
        return lines
    values, tangents = end.value.elts
    assert isinstance(tangents, ast.Tuple)
    tangents.elts[0] = ast.parse(zero, mode="eval").body
    kept = without_dead(map(ast.unparse, body), [values, tangents], helpers)
    return [lines[0], *[f"    {line}" for line in (*kept, ast.unparse(end))]]


def called(e: ast.AST) -> Iterator[ast.expr]:
    """What is called in an expression."""
    return (n.func for n in ast.walk(e) if isinstance(n, ast.Call))


def _is_plain(s: ast.stmt, helpers: dict[str, Any]) -> bool:
    """Whether a statement sets variables, and does nothing else."""
    if not isinstance(s, ast.Assign):
        return False
    inside = (n for t in s.targets for n in ast.walk(t))
    if any(isinstance(n, ast.Subscript | ast.Attribute) for n in inside):
        return False
    return all(writes_nothing(f, helpers, _OF_ROWS) for f in called(s.value))
