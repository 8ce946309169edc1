"""Zipping: what `zip` and `enumerate` give, where all of it is gone through at once, as a list of tuples.

zip(a, b)       [(x, y) for x, y in zip(a, b)]
enumerate(a)    [(i, x) for i, x in enumerate(a)]
zip(*rows)      [tuple([r[j] for r in rows]) for j in range(min([len(r) for r in rows]))]
"""

from __future__ import annotations

import ast
from collections.abc import Callable


def is_zip(e: ast.expr, constant: Callable[[ast.expr], object]) -> bool:
    """Whether this is a call of `zip`, of several things or of all that one thing has."""
    if not isinstance(e, ast.Call) or not e.args or constant(e.func) is not zip:
        return False
    if any(not isinstance(k.value, ast.Constant) or k.value.value is not False for k in e.keywords):
        return False  # `strict=True`, which has to tell
    return len(e.args) == 1 or not any(isinstance(a, ast.Starred) for a in e.args)


def is_enumerate(e: ast.expr, constant: Callable[[ast.expr], object]) -> bool:
    """Whether this is a call of `enumerate`."""
    if not isinstance(e, ast.Call) or constant(e.func) is not enumerate:
        return False
    return bool(e.args) and not any(isinstance(a, ast.Starred) for a in e.args)


def pairs(e: ast.Call, count: int, own: Callable[[str], str]) -> ast.ListComp:
    """The comprehension for a zip of several things, or for what is counted: of so many items each."""
    names = [own("item") for _ in range(count)]
    items = ast.Tuple([ast.Name(n, ast.Load()) for n in names], ast.Load())
    targets = ast.Tuple([ast.Name(n, ast.Store()) for n in names], ast.Store())
    return ast.ListComp(items, [ast.comprehension(targets, ast.Call(e.func, e.args, e.keywords), [], 0)])


def columns(rows: str, own: Callable[[str], str]) -> ast.ListComp:
    """The comprehension for a zip of all rows."""
    row, place = own("row"), own("place")
    entry = ast.Subscript(ast.Name(row, ast.Load()), ast.Name(place, ast.Load()), ast.Load())
    length = _call("len", ast.Name(row, ast.Load()))
    column = _call("tuple", _each(entry, row, rows))
    count = _call("range", _call("min", _each(length, row, rows)))
    return ast.ListComp(column, [ast.comprehension(ast.Name(place, ast.Store()), count, [], 0)])


def _each(v: ast.expr, row: str, rows: str) -> ast.ListComp:
    return ast.ListComp(v, [ast.comprehension(ast.Name(row, ast.Store()), ast.Name(rows, ast.Load()), [], 0)])


def _call(name: str, e: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load()), [e], [])
