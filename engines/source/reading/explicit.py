"""Explicit: what Python understands from where a method stands, written out.

`self.__x` in a class C means `self._C__x`, and `super()` means `super(__class__, self)`. A program
names attributes as text and may have another first parameter, so both are spelled out in the tree.
The object that `super(…)` gives has one field with a tangent, `__self__`, as a bound method has.
"""

from __future__ import annotations

import ast
from typing import Any

from ....core import frule, rrule
from ....tangents import NO_TANGENT, ZERO, Composite, is_zero
from ..syntax.scopes import evaluated, own_statements


def spell_out(node: ast.FunctionDef | ast.Lambda, class_name: str | None) -> None:
    """Write private attributes and calls of `super()` in full: a method's, and those of classes inside."""
    for inner in [n for n in ast.walk(node) if isinstance(n, ast.ClassDef)]:
        for method in (s for s in inner.body if isinstance(s, ast.FunctionDef)):
            spell_out(method, inner.name)
    for n in ast.walk(node):
        if isinstance(n, ast.Attribute) and class_name is not None:
            n.attr = mangled(n.attr, class_name)
    first = [*node.args.posonlyargs, *node.args.args][:1]
    body = [] if isinstance(node, ast.Lambda) else node.body
    for e in (e for s in own_statements(body) for e in evaluated(s).calls):
        if isinstance(e.func, ast.Name) and e.func.id == "super" and not (e.args or e.keywords) and first:
            names = [ast.Name("__class__", ast.Load()), ast.Name(first[0].arg, ast.Load())]
            e.args = [ast.copy_location(n, e) for n in names]


def mangled(name: str, class_name: str) -> str:
    """The name that a private attribute has in a class."""
    private = name.startswith("__") and not name.endswith("__")
    return f"_{class_name.lstrip('_')}{name}" if private and class_name.strip("_") else name


@frule(super)
def super_frule(tangents: Any, cls: type, obj: object) -> Any:
    """ẏ holds the object's tangent"""
    return super(cls, obj), Composite[super](__self__=tangents[1])


@rrule(super)
def super_rrule(cls: type, obj: object) -> Any:
    """The object's cotangent is what ȳ holds"""

    def super_pullback(y_bar: Any) -> Any:
        return NO_TANGENT, ZERO if is_zero(y_bar) else y_bar.__self__

    return super(cls, obj), super_pullback
