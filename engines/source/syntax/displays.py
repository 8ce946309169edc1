"""Displays: calls of `dict` with keywords, and dicts with `**` in them, in simpler forms."""

from __future__ import annotations

import ast

from .trees import at, place


def as_display(e: ast.Call) -> ast.expr:
    """`dict(a, k=v)` as `{**dict(a), "k": v}`."""
    keys: list[ast.expr | None] = [None if k.arg is None else ast.Constant(k.arg) for k in e.keywords]
    first = [at(ast.Call(e.func, e.args, []), e)] if e.args else []
    return place(ast.Dict([*(None for _ in first), *keys], [*first, *(k.value for k in e.keywords)]), e)


def merged(e: ast.Dict) -> ast.expr:
    """`{**a, k: v}` as `{} | a | {k: v}`."""
    parts: list[ast.expr] = [ast.Dict([], [])]
    for key, value in zip(e.keys, e.values, strict=True):
        if key is None:
            parts.append(value)
        elif isinstance(parts[-1], ast.Dict):
            parts[-1].keys.append(key)
            parts[-1].values.append(value)
        else:
            parts.append(ast.Dict([key], [value]))
    whole = parts[0]
    for part in parts[1:]:
        whole = ast.BinOp(whole, ast.BitOr(), part)
    return place(whole, e)
