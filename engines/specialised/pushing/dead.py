"""Dead: lines of a text that set what nothing behind them reads, and do nothing else."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from .settled import FRESH, QUIET, names_set


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
    for f in called(s.value):
        if isinstance(f, ast.Attribute):
            if f.attr not in QUIET:
                return False
        else:
            known = helpers.get(f.id) if isinstance(f, ast.Name) else None
            if not isinstance(known, np.ufunc) and not any(known == made for made in FRESH):
                return False
    return True
