"""Memos: the caches, written out, of local functions under `functools.cache` that call themselves.

The cache is a dict that the function fills: a change like any other of what a function captured. What is
found in it has the derivative with which it was put there. So only calls are remembered whose arguments
carry none: whole numbers, texts, truth values and tuples of them. That a cache may be bounded changes what
a program costs and nothing else.
"""

from __future__ import annotations

import ast
import functools
from types import FunctionType, ModuleType
from typing import Any

from ....core import non_differentiable
from ..syntax.scopes import Scope, captured, copied, own_statements, parameter_names, walk, yields
from ..syntax.trees import assign, call, load, place
from .names import Names

_CACHES = (functools.cache, functools.lru_cache)
_KEYS = (int, str, bytes, bool, type(None))


def memo_key(*args: Any) -> Any:
    """The key of a call in a cache: its arguments, or what is never found where they may vary."""
    return args if all(map(_is_key, args)) else object()


def _is_key(x: Any) -> bool:
    return all(map(_is_key, x)) if isinstance(x, tuple | frozenset) else isinstance(x, _KEYS)


non_differentiable(memo_key, why="returns a key")


def caches_written(f: FunctionType, body: list[ast.stmt], names: Names) -> list[ast.stmt]:
    """The body of f with such functions written out; the body itself where there is none."""
    found = {s.name for s in own_statements(body) if isinstance(s, ast.FunctionDef) and _is_memo(s, f)}
    if not found:
        return body
    every: list[Any] = [n for s in body for n in walk(s)]
    found -= {n.value.id for n in every if _is_of_name(n)}
    return _Writer(names, found, f).visit(ast.Module(copied(body), [])).body  # type: ignore[no-any-return]  # statements


def _is_of_name(n: Any) -> bool:
    """Whether this is `f.cache_clear`, or another attribute of a name."""
    return isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name)


def _is_memo(s: ast.FunctionDef, f: FunctionType) -> bool:
    """Whether a function that f defines calls itself and has Python's own cache for its one decorator."""
    if len(s.decorator_list) != 1 or s.args.kwarg is not None or s.name not in captured(s):
        return False
    (made,) = s.decorator_list
    if isinstance(made, ast.Call):
        if any(k.arg != "maxsize" for k in made.keywords):  # `typed` tells 1 from True
            return False
        made = made.func
    return any(_global(made, f) is cache for cache in _CACHES) and not yields(s.body)


def _global(e: ast.expr, f: FunctionType) -> Any:
    """What a name, or an attribute of one, stands for in the module of f; None where f has it for itself."""
    if isinstance(e, ast.Attribute):
        owner = _global(e.value, f)
        return getattr(owner, e.attr, None) if isinstance(owner, ModuleType) else None
    code = f.__code__
    own = not isinstance(e, ast.Name) or e.id in (*code.co_varnames, *code.co_cellvars, *code.co_freevars)
    return None if own else f.__globals__.get(e.id)  # type: ignore[attr-defined]  # a name


class _Writer(ast.NodeTransformer):
    def __init__(self, names: Names, found: set[str], f: FunctionType) -> None:
        self.names = names
        self.found = found
        self.f = f

    def visit_FunctionDef(self, s: ast.FunctionDef) -> Any:
        if s.name not in self.found or not _is_memo(s, self.f):
            return s
        cache, key = self.names.fresh("cache"), self.names.fresh("key")
        named = call(load(self.names.bind("memo_key", memo_key)), [*map(load, parameter_names(s.args))])
        found = ast.Subscript(load(cache), load(key), ast.Load())
        known = ast.Compare(load(key), [ast.In()], [load(cache)])
        head = [assign(key, named, s), place(ast.If(known, [ast.Return(found)], []), s)]
        filling = _Filling(cache, key, self.names.fresh("value"))
        body = filling.visit(ast.Module(s.body, [])).body
        new = ast.FunctionDef(s.name, s.args, [*head, *body], [], None)
        return [assign(cache, ast.Dict([], []), s), ast.copy_location(new, s)]

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.Lambda:
        return node


class _Filling(ast.NodeTransformer):
    """Puts what a function returns into its cache."""

    def __init__(self, cache: str, key: str, value: str) -> None:
        self.cache = cache
        self.key = key
        self.value = value

    def visit(self, node: ast.AST) -> Any:
        return node if isinstance(node, Scope | ast.expr) else super().visit(node)

    def visit_Return(self, s: ast.Return) -> list[ast.stmt]:
        put = ast.Subscript(load(self.cache), load(self.key), ast.Store())
        value = s.value or ast.Constant(None)
        made = [assign(self.value, value, s), assign(put, load(self.value), s)]
        return [*made, place(ast.Return(load(self.value)), s)]
