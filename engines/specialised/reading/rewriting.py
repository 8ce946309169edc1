"""Rewriting: the tree of a function with other names for what it captured.

What `*args` is, and a star before a vector whose size is known, are written as single arguments. A
scope inside that binds one of the names for itself is not rewritten.
"""

from __future__ import annotations

import ast
import builtins
import copy
import re
from collections.abc import Callable
from types import CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple

from ...source.reading.locate import locate, names_in
from ...source.reading.recompiling import type_params, without_defaults
from .capturing import KNOWN, NotLifted, is_lasting

_FEW = 50  # so many numbers are handed on one by one
_OWN = r"(given|held|made|known|whole)\d+%s|weight_|lifted_"


class Given(NamedTuple):
    """With how many arguments a function is called, and how many numbers each has of which that is known."""

    many: int
    sizes: dict[int, int]


class Members(ast.NodeTransformer):
    """What modules hold, in the place of reading it from them."""

    def __init__(self, modules: dict[str, Any], constant: Callable[[Any], str]) -> None:
        self.modules, self.constant = modules, constant

    def visit_Attribute(self, n: ast.Attribute) -> ast.AST:
        """A path of names that begins with a module."""
        v = self.value(n)
        return (
            ast.copy_location(ast.Name(self.constant(v), ast.Load()), n)
            if v is not self
            else self.generic_visit(n)
        )

    def visit_Name(self, n: ast.Name) -> ast.AST:
        """A module by itself."""
        if n.id in self.modules:
            raise NotLifted
        return n

    def value(self, e: ast.expr) -> Any:
        """What an expression stands for that is read from a module; this object where it is not."""
        if isinstance(e, ast.Name):
            return self.modules.get(e.id, self)
        owner = self.value(e.value) if isinstance(e, ast.Attribute) else self
        found = (
            getattr(owner, e.attr, self)
            if isinstance(e, ast.Attribute) and isinstance(owner, ModuleType)
            else self
        )
        return (
            found if found is self or isinstance(found, (*KNOWN, FunctionType)) or callable(found) else self
        )


def globals_of(f: FunctionType) -> dict[str, Any]:
    """The modules and functions that a function reads by name; NotLifted where there is something else."""
    found: dict[str, Any] = {}
    for name in f.__code__.co_names:
        v = f.__globals__.get(name, getattr(builtins, name, None))
        if name in f.__globals__ or hasattr(builtins, name):
            if not (is_lasting(v) or isinstance(v, KNOWN)):
                raise NotLifted
            found[name] = v
    return found


def refuse_bound_again(code: CodeType, names: set[str]) -> None:
    """NotLifted where a scope inside binds one of these names for itself."""
    if names & {*code.co_varnames, *code.co_cellvars}:
        raise NotLifted
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            refuse_bound_again(inner, names)


class _Renaming(ast.NodeTransformer):
    """Other names for variables, and single arguments in the place of what is handed on by a star."""

    def __init__(self, names: dict[str, str], spread: str, stars: dict[str, list[str]]) -> None:
        self.names, self.spread, self.stars = names, spread, stars

    def visit_Name(self, n: ast.Name) -> ast.AST:
        """A variable."""
        if n.id == self.spread:
            return ast.copy_location(ast.Tuple(self._parts(n.id, n), ast.Load()), n)
        n.id = self.names.get(n.id, n.id)
        return n

    def visit_Call(self, n: ast.Call) -> ast.AST:
        """A call that hands arguments on."""
        n.args = self._spread(n.args)
        return self.generic_visit(n)

    def visit_Tuple(self, n: ast.Tuple) -> ast.AST:
        """A tuple with them in it."""
        n.elts = self._spread(n.elts)
        return self.generic_visit(n)

    def _parts(self, name: str, at: ast.expr) -> list[ast.expr]:
        """What a star before a name stands for."""
        parts = [ast.parse(text, mode="eval").body for text in self.stars[name]]
        return [ast.copy_location(ast.fix_missing_locations(p), at) for p in parts]

    def _spread(self, items: list[ast.expr]) -> list[ast.expr]:
        given: list[ast.expr] = []
        for a in items:
            if isinstance(a, ast.Starred) and isinstance(a.value, ast.Name) and a.value.id in self.stars:
                given += self._parts(a.value.id, a)
            else:
                given.append(a)
        return given


def renamed(
    f: FunctionType, name: str, names: dict[str, str], given: Given | None
) -> tuple[ast.FunctionDef, dict[str, int]]:
    """A function's tree, of another name and with other names for what it captured; and how many numbers its
    parameters have, of which that is known."""
    own_names = _OWN % re.sub(r"made\d+", "", name)
    if any(re.fullmatch(own_names, n) for n in names_in(f.__code__)):
        raise NotLifted
    node = copy.deepcopy(locate(f.__code__).node)
    args = without_defaults(node.args)
    if args.kwarg or args.kwonlyargs or any(isinstance(n, ast.Nonlocal | ast.Global) for n in ast.walk(node)):
        raise NotLifted
    own = [a.arg for a in (*args.posonlyargs, *args.args)]
    stored = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    sizes = (
        {own[i]: n for i, n in given.sizes.items() if i < len(own) and own[i] not in stored} if given else {}
    )
    spread, stars = "", {p: [f"{p}[{i}]" for i in range(n)] for p, n in sizes.items() if n <= _FEW}
    if args.vararg is not None and given is not None:  # one that is handed on gets what it gets
        if given.many < len(own) or args.vararg.arg in stored:
            raise NotLifted
        spread = args.vararg.arg
        for inner in (c for c in f.__code__.co_consts if isinstance(c, CodeType)):
            refuse_bound_again(inner, {spread})
        stars[spread] = [f"{spread}{i}_" for i in range(given.many - len(own))]
        args.args += [ast.copy_location(ast.arg(p), args.vararg) for p in stars[spread]]
        args.vararg = None
    body = (
        node.body if isinstance(node, ast.FunctionDef) else [ast.copy_location(ast.Return(node.body), node)]
    )
    made = ast.FunctionDef(name, args, [], [], None, **type_params())
    renaming = _Renaming(names, spread, stars)
    made.body = [renaming.visit(s) for s in body]
    return ast.copy_location(made, node), sizes


def given_to(made: ast.FunctionDef, name: str, sizes: dict[str, int]) -> Given | None:
    """With what a function calls another; None where that is not told."""
    found = []
    for c in ast.walk(made):
        if isinstance(c, ast.Call) and isinstance(c.func, ast.Name) and c.func.id == name:
            if c.keywords or any(isinstance(a, ast.Starred) for a in c.args):
                return None
            known = {
                i: sizes[a.id] for i, a in enumerate(c.args) if isinstance(a, ast.Name) and a.id in sizes
            }
            found.append(Given(len(c.args), known))
    return found[0] if found and all(g == found[0] for g in found) else None
