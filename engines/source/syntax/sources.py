"""Sources: what the outermost loop of a comprehension goes over, by the objects whose items it takes.

    [layer(x) for i, layer in enumerate(layers)]        enumerate(layers)       of layers
    [layer(x) for layer in named.values()]              named.values()          of named

The function that a comprehension is gets these, and makes the iterator inside: so it may change their items.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, TypeGuard

_PAIRING = frozenset(("enumerate", "reversed", "zip"))
_VIEWS = ("items", "values")


def sources_of(e: ast.expr, fresh: Callable[[str], str]) -> tuple[ast.expr, list[tuple[str, ast.expr]]]:
    """What the loop goes over, made of names, and what these stand for."""
    if _is_view(e):
        name = fresh("source")
        view = ast.Attribute(ast.Name(name, ast.Load()), e.func.attr, ast.Load())
        return ast.copy_location(ast.Call(view, [], []), e), [(name, e.func.value)]
    if _pairs(e):
        given = [(fresh("source"), a) for a in e.args]
        made = ast.Call(e.func, [ast.Name(n, ast.Load()) for n, _ in given], e.keywords)
        return ast.copy_location(made, e), given
    name = fresh("source")
    return ast.Name(name, ast.Load()), [(name, e)]


def _is_view(e: Any) -> TypeGuard[Any]:
    """Whether this is a call of a method that shows what a dictionary holds."""
    method = e.func if isinstance(e, ast.Call) and not (e.args or e.keywords) else None
    return isinstance(method, ast.Attribute) and method.attr in _VIEWS


def _pairs(e: ast.expr) -> TypeGuard[ast.Call]:
    """Whether this is a call of `zip` or its kin that has no stars, and by name nothing but constants."""
    if not isinstance(e, ast.Call) or getattr(e.func, "id", "") not in _PAIRING or not e.args:
        return False
    stars = any(isinstance(a, ast.Starred) for a in e.args)
    return not stars and all(isinstance(k.value, ast.Constant) for k in e.keywords)
