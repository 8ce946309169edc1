"""Partials: the text of an elementary rule, written into a specialised program.

A `scalar_rule` was given its partial derivatives as functions. A lambda's body is taken as it stands
there; any other function is called. A template that stands beside the rule comes before both.
"""

from __future__ import annotations

import ast
import builtins
from types import FunctionType, ModuleType
from typing import Any

from ...source.reading.locate import NoSource, locate

_known: dict[Any, tuple[str, dict[str, Any]]] = {}


def body_of(part: Any, count: int) -> tuple[str, dict[str, Any]]:
    """The text of a partial in `{y}`, `{0}`, `{1}`, and the objects behind the other names in it."""
    key = part, count
    if key not in _known:
        _known[key] = _inlined(part, count) or (
            f"{{f}}({', '.join(['{y}', *(f'{{{i}}}' for i in range(count))])})",
            {"f": part},
        )
    return _known[key]


def _inlined(part: Any, count: int) -> tuple[str, dict[str, Any]] | None:
    if type(part) is not FunctionType or part.__name__ != "<lambda>":
        return None
    try:
        node = locate(part.__code__).node
    except NoSource:
        return None
    names = part.__code__.co_varnames
    if (
        not isinstance(node, ast.Lambda)
        or len(names) != count + 1
        or part.__defaults__
        or part.__code__.co_flags & 12
    ):
        return None
    writer = _Writer(part, {n: "{y}" if i == 0 else f"{{{i - 1}}}" for i, n in enumerate(names)})
    text = writer.text(node.body)
    return None if text is None else (f"({text})", writer.helpers)


class _Writer:
    """Writes an expression of numbers, operators and calls."""

    def __init__(self, part: FunctionType, names: dict[str, str]) -> None:
        self.part, self.names = part, names
        self.captured = dict(zip(part.__code__.co_freevars, part.__closure__ or (), strict=True))
        self.helpers: dict[str, Any] = {}

    def text(self, e: ast.expr) -> str | None:
        """The expression; None for any other."""
        if isinstance(e, ast.Constant) and isinstance(e.value, int | float):
            return repr(e.value)
        if isinstance(e, ast.Name) and e.id in self.names:
            return self.names[e.id]
        if isinstance(e, ast.BinOp) and type(e.op) in _OPERATORS:
            a, b = self.text(e.left), self.text(e.right)
            return None if a is None or b is None else f"({a} {_OPERATORS[type(e.op)]} {b})"
        if isinstance(e, ast.UnaryOp) and isinstance(e.op, ast.USub):
            a = self.text(e.operand)
            return None if a is None else f"(-{a})"
        if isinstance(e, ast.Call) and not e.keywords:
            f, args = self.text(e.func), [self.text(a) for a in e.args]
            return None if f is None or None in args else f"{f}({', '.join(map(str, args))})"
        value = self.value(e)
        if value is _Writer:
            return None
        name = f"h{len(self.helpers)}"
        self.helpers[name] = value
        return f"{{{name}}}"

    def value(self, e: ast.expr) -> Any:
        """What a name from outside stands for, or a function of a module."""
        if isinstance(e, ast.Name):
            if e.id in self.captured:
                return self.captured[e.id].cell_contents
            return self.part.__globals__.get(e.id, getattr(builtins, e.id, _Writer))
        if isinstance(e, ast.Attribute):
            owner = self.value(e.value)
            return getattr(owner, e.attr, _Writer) if isinstance(owner, ModuleType) else _Writer
        return _Writer


_OPERATORS: dict[type, str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**"}
