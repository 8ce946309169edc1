"""`derivative_source`: what runs in place of a function while it is differentiated, to read."""

from __future__ import annotations

import ast
import linecache
from collections.abc import Callable
from types import FunctionType
from typing import Any

from ...core.callables import call_operator, name_of, normalise
from ...core.errors import NotDifferentiableError, UnsupportedArgument
from ...core.registry import rules_of
from ..following.deciding import PREFIX
from ..following.twins import tree_of

MODES = ("sites", "specialised")


def _none(f: Any, x: tuple[Any, ...]) -> tuple[str, str]:
    """Until the specialised programs say otherwise, no function has a text."""
    return "", ""


specialised: Callable[[Any, tuple[Any, ...]], tuple[str, str]] = _none
"""The specialised texts of a function for such arguments, and why it has none."""


def derivative_source(f: Callable[..., Any], *x: Any, mode: str = "sites") -> str:
    """The Python text that runs in place of f while it is differentiated.

    With `mode="sites"` it is f as it is written, each operation that could carry a derivative a call of a
    function that sees it: `mul(x, y)` for `x * y`. Both modes run it, and each line has the line of f that it
    stands for. With `mode="specialised"` it is the text that `grad` runs after a few calls with arguments of
    the same kinds, with the derivative written out; empty where there is none. Nothing of f runs.

    Raises:  UnsupportedSyntaxError where f cannot be differentiated; NotDifferentiableError where f
             has no Python source; UnsupportedArgument for another mode.
    Example: >>> def square(x):
             ...     return x * x
             >>> print(derivative_source(square, 3.0))
             def square(x):
                 return mul(x, x)  # return x * x
    """
    if mode not in MODES:
        raise UnsupportedArgument("derivative_source", "mode", mode, supported=MODES)
    g, args, _ = normalise(f, x, {})
    call = call_operator(g) if type(g) is not FunctionType else None
    g, args = (g, args) if call is None else (call, (g, *args))
    if mode == "specialised":
        return specialised(g, args)[0]
    if type(g) is not FunctionType:
        raise NotDifferentiableError(f"{name_of(f)} is not written in Python", next="look at rules_for(f)")
    note = f"# {name_of(g)} has a rule of its own, which is used where it matches.\n" if rules_of(g) else ""
    return note + _with_lines(tree_of(g), g.__code__.co_filename)


def _with_lines(tree: ast.FunctionDef | ast.Lambda, filename: str) -> str:
    """The text of a tree, each simple statement with the user's line that it stands for."""
    names = _Plainly().visit(ast.fix_missing_locations(tree))
    text = ast.unparse(names)
    if isinstance(names, ast.Lambda):
        return f"{text}  # {linecache.getline(filename, tree.lineno).strip()}"
    made, out = ast.parse(text), text.splitlines()
    for own, shown in zip(ast.walk(names), ast.walk(made.body[0]), strict=True):
        if isinstance(own, ast.stmt) and not hasattr(own, "body"):
            line = linecache.getline(filename, own.lineno).strip()
            if line and line != out[shown.end_lineno - 1].strip():  # type: ignore[attr-defined]  # a statement
                out[shown.end_lineno - 1] += f"  # {line}"  # type: ignore[attr-defined]  # the same
    return "\n".join(out)


class _Plainly(ast.NodeTransformer):
    """The names of sites as they are called elsewhere."""

    def visit_Name(self, node: ast.Name) -> ast.Name:
        if node.id.startswith(PREFIX):
            node.id = node.id.removeprefix(PREFIX)
        return node
