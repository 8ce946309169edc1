"""Explicit: what Python understands from where a method stands, written out.

`self.__x` in a class C means `self._C__x`, and `super()` means `super(__class__, self)`. A program
names attributes as text and may have another first parameter, so both are spelled out in the tree.
The object that `super(…)` gives has one field with a tangent, `__self__`, as a bound method has.
"""

from __future__ import annotations

import ast
import functools
from types import BuiltinMethodType
from typing import Any

from ....core import frule, non_differentiable, rrule
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


def super_function(cls: Any, owner: Any, name: str) -> Any:
    """The function that `super(cls, owner).name` calls, to be called with owner first."""
    found = getattr(super(cls, owner), name)
    function = getattr(found, "__func__", None)
    if function is not None:
        return function
    if name == "__setattr__" and found.__objclass__ is object:
        return object.__setattr__
    if getattr(found, "__objclass__", None) is object or name == "__init_subclass__":
        return _of_object
    if isinstance(found, BuiltinMethodType) and not isinstance(owner, type):
        return _after(cls, type(owner), name)
    return getattr(found, "__objclass__", type(owner)).__dict__.get(name, found)


def _after(cls: type, P: type, name: str) -> Any:
    """What the classes that come after cls in P have by a name, as it stands there."""
    mro = P.__mro__
    return next((b.__dict__[name] for b in mro[mro.index(cls) + 1 :] if name in b.__dict__), None)


def super_getter(cls: Any, owner: Any, name: str) -> Any:
    """The function that reading `super(cls, owner).name` runs, to be called with owner."""
    if not isinstance(owner, type):
        raw = _after(cls, type(owner), name)
        if isinstance(raw, property):
            return raw.fget
    return functools.partial(_read_from_super, cls, name)


def _read_from_super(cls: Any, name: str, owner: Any) -> Any:
    return getattr(super(cls, owner), name)


def _of_object(owner: Any) -> None:
    """What `object.__init__` does."""


non_differentiable(super_function, super_getter, why="finds a function")


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
