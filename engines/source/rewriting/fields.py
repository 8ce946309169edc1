"""The dict of an object's fields: `x.__dict__` and `vars(x)`, written out as what is done to the fields.

Read, it is a dict of them made anew, where nothing can change it: its items are asked for, or it is copied,
unpacked, or passed to `dict`. `x.__dict__[name] = v` and `x.__dict__.update(…)` set attributes past the
class's own way to set them. Everything else that can be done with it is refused as a call without a rule,
and so are fields by whose names the class has something that is asked first.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from types import FunctionType
from typing import Any

from ....core import non_differentiable
from ....core.errors import UnsupportedSyntaxError
from ..syntax.scopes import Scope, copied
from ..syntax.trees import assign, call, load, place
from ..syntax.where import call_chain, show_chain
from ..values.protocols import kind_of_member
from .names import Names

_BUILTINS = {"vars": vars, "dict": dict, "len": len, "object": object, "range": range}
_READING = frozenset(("copy", "get", "items", "keys", "values"))
_GIVING = frozenset(("dict", "len", "list", "set", "sorted", "tuple"))


def is_plain(x: Any, name: str) -> bool:
    """Whether an attribute of this name is the field in the object's dict: no class sets it itself."""
    return kind_of_member(type(x), name) in ("field", "absent", "method")


def names_of_fields(x: Any) -> tuple[str, ...]:
    """The names of the fields in an object's dict."""
    for name in vars(x):
        if not is_plain(x, name):
            raise UnsupportedSyntaxError(
                f"`{name}` in the dict of a {type(x).__name__}, whose class sets that attribute itself,"
                " is not differentiated",
                where=show_chain(call_chain()),
                next=f"keep it as a field of another name, as in `_{name}`",
            )
    return tuple(vars(x))


def keys_of(entries: dict[str, Any]) -> tuple[str, ...]:
    """The keys of a dict."""
    return tuple(entries)


non_differentiable(is_plain, keys_of, names_of_fields, why="look at names")


def fields_of(x: Any) -> dict[str, Any]:
    """A dict of an object's fields, made anew."""
    return dict(vars(x))


def fields_followed(x: Any) -> dict[str, Any]:
    """The same of an object that varies."""
    return {name: getattr(x, name) for name in names_of_fields(x)}


def fields_named(f: FunctionType, body: list[ast.stmt], names: Names) -> list[ast.stmt]:
    """The body of f with that written out; the body itself where nothing is to be done."""
    if names.taken.isdisjoint(("__dict__", "vars")) or any(map(_is_own(f), _BUILTINS)):
        return body
    return _Writer(names).visit(ast.Module(copied(body), [])).body  # type: ignore[no-any-return]  # statements


def _is_own(f: FunctionType) -> Callable[[str], bool]:
    """Whether f, or its module, uses a name for something else than Python does."""
    code = f.__code__
    local = {*code.co_varnames, *code.co_cellvars, *code.co_freevars}
    return lambda name: name in local or f.__globals__.get(name, _BUILTINS[name]) is not _BUILTINS[name]


def _owner(e: Any) -> ast.expr | None:
    """x, where an expression is `x.__dict__` or `vars(x)`."""
    if isinstance(e, ast.Attribute) and e.attr == "__dict__":
        return e.value
    if isinstance(e, ast.Call) and isinstance(e.func, ast.Name) and e.func.id == "vars":
        return e.args[0] if len(e.args) == 1 and not e.keywords else None
    return None


class _Writer(ast.NodeTransformer):
    def __init__(self, names: Names) -> None:
        self.names = names

    def visit(self, node: ast.AST) -> Any:
        return node if isinstance(node, Scope) else super().visit(node)

    def _read(self, e: ast.expr) -> ast.expr:
        owner = _owner(e)
        if owner is None:
            return self.visit(e)  # type: ignore[no-any-return]  # an expression
        helper = load(self.names.bind("fields_of", fields_of))
        return place(call(helper, [self.visit(owner)]), e)

    def visit_Call(self, e: ast.Call) -> Any:
        if isinstance(e.func, ast.Attribute) and e.func.attr in _READING:
            e.func.value = self._read(e.func.value)
        else:
            e.func = self.visit(e.func)
        gives = isinstance(e.func, ast.Name) and e.func.id in _GIVING
        e.args = [self._read(a) if gives else self.visit(a) for a in e.args]
        for k in e.keywords:
            k.value = self._read(k.value) if k.arg is None else self.visit(k.value)
        return e

    def visit_Subscript(self, e: ast.Subscript) -> Any:
        e.value = self._read(e.value) if isinstance(e.ctx, ast.Load) else self.visit(e.value)
        e.slice = self.visit(e.slice)
        return e

    def visit_Dict(self, e: ast.Dict) -> Any:
        e.values = [
            self._read(v) if k is None else self.visit(v) for k, v in zip(e.keys, e.values, strict=True)
        ]
        return e

    def visit_Compare(self, e: ast.Compare) -> Any:
        e.left = self.visit(e.left)
        e.comparators = [
            self._read(c) if isinstance(op, ast.In | ast.NotIn) else self.visit(c)
            for op, c in zip(e.ops, e.comparators, strict=True)
        ]
        return e

    def visit_comprehension(self, e: ast.comprehension) -> Any:
        e.iter = self._read(e.iter)
        e.ifs = [self.visit(test) for test in e.ifs]
        return e

    def visit_For(self, s: ast.For) -> Any:
        s.iter = self._read(s.iter)
        return self.generic_visit(s)

    def visit_Assign(self, s: ast.Assign) -> Any:
        (target, *more) = s.targets
        owner = _owner(target.value) if isinstance(target, ast.Subscript) and not more else None
        if not isinstance(target, ast.Subscript) or owner is None:
            return self.generic_visit(s)
        value, name = self.names.fresh("value"), self.names.fresh("name")
        made = [assign(value, self.visit(s.value), s)]
        owner = self._named(owner, made, s)
        made.append(assign(name, self.visit(target.slice), s))
        return [*made, self._set(owner, load(name), load(value), s)]

    def _named(self, owner: ast.expr, made: list[ast.stmt], s: ast.stmt) -> ast.Name:
        """The object as a variable, which these statements bind where it is none."""
        if isinstance(owner, ast.Name):
            return owner
        name = self.names.fresh("object")
        made.append(assign(name, self.visit(owner), s))
        return load(name)

    def visit_Expr(self, s: ast.Expr) -> Any:
        e = s.value
        updated = isinstance(e, ast.Call) and isinstance(e.func, ast.Attribute) and e.func.attr == "update"
        owner = _owner(e.func.value) if updated else None  # type: ignore[attr-defined]  # a call of a method
        if not isinstance(e, ast.Call) or owner is None:
            return self.generic_visit(s)
        first: list[ast.stmt] = []
        owner = self._named(owner, first, s)
        entries, keys, i = map(self.names.fresh, ("entries", "keys", "i"))
        made = self.visit_Call(ast.Call(load("dict"), e.args, e.keywords))
        listed = call(load(self.names.bind("keys_of", keys_of)), [load(entries)])
        name = ast.Subscript(load(keys), load(i), ast.Load())
        value = ast.Subscript(load(entries), copied(name), ast.Load())
        places = call(load("range"), [call(load("len"), [load(keys)])])
        loop = ast.For(ast.Name(i, ast.Store()), places, [self._set(owner, name, value, s)], [], None)
        return [*first, assign(entries, made, s), assign(keys, listed, s), place(loop, s)]

    def _set(self, owner: ast.expr, name: ast.expr, value: ast.expr, s: ast.stmt) -> ast.stmt:
        """A field set past the class, or as it was written where that is not the attribute."""
        setter = ast.Attribute(load("object"), "__setattr__", ast.Load())
        plain = call(load(self.names.bind("is_plain", is_plain)), [owner, name])
        put = ast.Expr(call(setter, [copied(owner), copied(name), value]))
        held = ast.Attribute(copied(owner), "__dict__", ast.Load())
        written = ast.Assign([ast.Subscript(held, copied(name), ast.Store())], copied(value))
        return place(ast.If(plain, [put], [written]), s)
