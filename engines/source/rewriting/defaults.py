"""Defaults that are differentiated: a nested function that has them is made by one that is given them.

`def g(z, k=v): …` becomes `def maker(d): def g(z, k=...): …; return g` and `g = maker(v)`, where g begins
with `if k is ...: k = d`. So the default is evaluated once, when g is made, and g captures it.
"""

from __future__ import annotations

import ast
from typing import Any

from ..syntax.scopes import blocks, copied, own_statements, walk
from ..syntax.trees import assign, call, load, place
from .managers import Place, place_of

Def = ast.FunctionDef | ast.Lambda


def defaulted(body: list[ast.stmt], places: frozenset[Place], names: Any) -> list[ast.stmt]:
    """The body with the functions at these places given their defaults by a maker."""
    if not any(place_of(n) in places for s in own_statements(body) for n in walk(s) if isinstance(n, Def)):
        return body
    return _Writer(places, names).block(copied(body))


class _Writer(ast.NodeTransformer):
    def __init__(self, places: frozenset[Place], names: Any) -> None:
        self.places = places
        self.names = names
        self.before: list[ast.stmt] = []

    def block(self, body: list[ast.stmt]) -> list[ast.stmt]:
        return [new for s in body for new in self._statement(s)]

    def _statement(self, s: Any) -> list[ast.stmt]:
        if isinstance(s, ast.FunctionDef):
            if place_of(s) not in self.places:
                return [s]
            maker, given = self._made(s, s)
            return [maker, assign(s.name, call(load(maker.name), given), s)]
        if isinstance(s, ast.AsyncFunctionDef | ast.ClassDef):
            return [s]
        outer, self.before = self.before, []
        for field, value in ast.iter_fields(s):
            if isinstance(value, list):
                setattr(s, field, [self._part(v) for v in value])
            elif isinstance(value, ast.expr):
                setattr(s, field, self.visit(value))
        before, self.before = self.before, outer
        for inner in blocks(s):
            inner[:] = self.block(inner)
        return [*before, s]

    def _part(self, node: Any) -> Any:
        if isinstance(node, ast.match_case) and node.guard:
            node.guard = self.visit(node.guard)
        return self.visit(node) if isinstance(node, ast.expr | ast.keyword | ast.withitem) else node

    def visit_Lambda(self, node: ast.Lambda) -> ast.expr:
        self.generic_visit(node)
        if place_of(node) not in self.places:
            return node
        returned = ast.copy_location(ast.Return(node.body), node)
        inner = ast.FunctionDef(self.names.fresh("function"), node.args, [returned], [], None)
        maker, given = self._made(inner, node)
        self.before.append(maker)
        return place(call(load(maker.name), given), node)

    def _made(self, inner: ast.FunctionDef, node: Def) -> tuple[ast.FunctionDef, list[ast.expr]]:
        """The maker of a function, and what it is called with."""
        a = inner.args
        positional = [*a.posonlyargs, *a.args]
        slots = [
            (a.defaults, i, positional[len(positional) - len(a.defaults) + i].arg)
            for i in range(len(a.defaults))
        ]
        slots += [(a.kw_defaults, i, a.kwonlyargs[i].arg) for i in range(len(a.kw_defaults))]  # type: ignore[misc]  # None where there is none
        given: list[ast.expr] = []
        parameters: list[ast.arg] = []
        first: list[ast.stmt] = []
        for defaults, i, name in slots:
            default = defaults[i]
            if default is None or isinstance(default, ast.Constant):
                continue
            parameters.append(ast.arg(self.names.fresh(f"{name}_default")))
            given.append(default)
            defaults[i] = ast.copy_location(ast.Constant(...), default)
            missing = ast.Compare(load(name), [ast.Is()], [ast.Constant(...)])
            first.append(place(ast.If(missing, [assign(name, load(parameters[-1].arg), node)], []), node))
        inner.body = [*first, *inner.body]
        arguments = ast.arguments([], parameters, None, [], [], None, [])
        returned = ast.Return(load(inner.name))
        maker = ast.FunctionDef(self.names.fresh("maker"), arguments, [inner, returned], [], None)
        if "type_params" in ast.FunctionDef._fields:
            inner.type_params = maker.type_params = []  # type: ignore[attr-defined]  # from Python 3.12 on
        return place(maker, node), given
