"""Desugar: shorter forms of Python written out as statements, for what asks what a function changes.

    y = [g(v) for v in rows if v]       for v1 in rows:
                                            if v1:
                                                items = [g(v1)]
                                        y = items

That is, `items` holds any of them. So it is with a generator, as if all its items were taken at once. An
assignment in an expression (`:=`) becomes a statement before it, a decorator a call, and `match` is written
out in patterns.py. What comes of it is looked at and never run: what is evaluated may stand in another order.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from .kinds import ATOMS, COMPREHENSIONS, DEFINITIONS
from .patterns import match_as_if
from .scopes import captured, copied, own, own_statements, remembered, walk
from .trees import assign, load, place

Fresh = Callable[[str], str]


def desugar(body: list[ast.stmt], fresh: Fresh) -> list[ast.stmt]:
    """The statements of a function body, written out; the body itself where nothing is to be done."""
    if not any(map(is_sweet, own_statements(body))):
        return body
    return _Writer(fresh).block(copied(body))


@remembered
def is_sweet(s: ast.stmt) -> bool:
    """Whether a statement is, or contains, a shorter form."""
    mine = own(s)
    if mine.comprehensions or mine.named or isinstance(s, ast.Match):
        return True
    return _is_chain(s) or (isinstance(s, ast.FunctionDef) and bool(s.decorator_list))


def _is_chain(s: ast.stmt) -> bool:
    """Whether this is `a = b = v`, and v more than a number or a name."""
    return isinstance(s, ast.Assign) and len(s.targets) > 1 and not isinstance(s.value, ATOMS)


class _Writer(ast.NodeTransformer):
    """Rewrites the expressions of one statement; `before` are the statements to stand before it."""

    def __init__(self, fresh: Fresh) -> None:
        self.fresh = fresh
        self.before: list[ast.stmt] = []

    def block(self, body: list[ast.stmt]) -> list[ast.stmt]:
        return [new for s in body for new in self._statement(s)]

    def _statement(self, s: Any) -> list[ast.stmt]:
        if isinstance(s, ast.FunctionDef) and s.decorator_list and s.name not in captured(s):
            return self.block(self._decorated(s))
        if isinstance(s, DEFINITIONS):
            return [s]
        if isinstance(s, ast.Match):
            return self.block(match_as_if(s, self.fresh))
        if _is_chain(s):
            return self.block(self._unchained(s))
        outer, self.before = self.before, []
        self.generic_visit(s)
        before, self.before = self.before, outer
        return [*before, s]

    def visit(self, node: ast.AST) -> Any:
        """A node written out; a statement inside another as several."""
        if isinstance(node, ast.stmt):
            return self._statement(node)
        return self._comprehension(node) if isinstance(node, COMPREHENSIONS) else super().visit(node)

    def visit_Lambda(self, node: ast.Lambda) -> ast.expr:
        return node  # it is asked by itself

    def visit_NamedExpr(self, node: ast.NamedExpr) -> ast.expr:
        self.before.append(assign(node.target, self.visit(node.value), node))
        return ast.copy_location(load(node.target.id), node)

    def _comprehension(self, node: Any) -> ast.expr:
        """What holds what a comprehension gives, after loops before the statement."""
        if any(g.is_async for g in node.generators):
            return node  # type: ignore[no-any-return]  # an expression
        out, (first, *others) = self.fresh("items"), node.generators
        source = self.visit(first.iter)
        _rename(node, {n.id: self.fresh(n.id) for n in _variables(node)}, first.iter)
        outer, self.before = self.before, []
        if isinstance(node, ast.DictComp):
            made: ast.expr = ast.Dict([self.visit(node.key)], [self.visit(node.value)])
        else:
            made = ast.List([self.visit(node.elt)], ast.Load())
        sources = [source, *(self.visit(g.iter) for g in others)]
        tests = [[self.visit(t) for t in g.ifs] for g in node.generators]
        body, self.before = [*self.before, assign(out, made, node)], outer
        for g, iterable, asked in reversed([*zip(node.generators, sources, tests, strict=True)]):
            for test in reversed(asked):
                body = [ast.If(test, body, [])]
            body = [ast.For(g.target, iterable, body, [], None)]
        self.before.append(place(body[0], node))
        return ast.copy_location(load(out), node)

    def _decorated(self, s: ast.FunctionDef) -> list[ast.stmt]:
        """`@d` above `def f` as `def f1: …; f = d(f1)`."""
        name, s.name, decorators, s.decorator_list = s.name, self.fresh(s.name), s.decorator_list, []
        value: ast.expr = load(s.name)
        for decorator in reversed(decorators):
            value = ast.Call(decorator, [value], [])
        return [s, assign(name, value, s)]

    def _unchained(self, s: ast.Assign) -> list[ast.stmt]:
        """`a = b = v` as `t = v; a = t; b = t`."""
        name = self.fresh("value")
        return [assign(name, s.value, s), *(assign(t, load(name), s) for t in s.targets)]


def _variables(node: Any) -> list[ast.Name]:
    """The variables of a comprehension; asked of no node, which would remember them by their names."""
    return [n for g in node.generators for n in walk(g.target) if isinstance(n, ast.Name)]


def _rename(node: ast.AST, names: dict[str, str], but: ast.AST) -> None:
    """Give the variables of a comprehension names of their own, also in functions inside."""
    outside = {id(n) for n in walk(but)}
    for n in walk(node):
        if id(n) not in outside:
            if isinstance(n, ast.Name):
                n.id = names.get(n.id, n.id)
            elif isinstance(n, ast.arg):
                n.arg = names.get(n.arg, n.arg)
