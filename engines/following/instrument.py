"""Instrument: the tree of a function, with every operation that could carry a derivative as a call of a site.

Names, control flow, displays of containers, generators and nested functions stay as they are written.
"""

from __future__ import annotations

import ast
from types import FunctionType
from typing import Any

from ..source.reading.explicit import mangled
from ..source.reading.recompiling import type_params
from ..source.syntax.patterns import match_as_if
from .deciding import PREFIX, compared, either, helper, truth
from .joining import BINARY, Joiner

_NATIVE = frozenset({"super", "locals", "globals", "vars", "dir"})  # which look at the function that calls


class Instrumenter(ast.NodeTransformer):
    """Rewrites one function's body; nested functions keep theirs."""

    def __init__(self, class_name: str | None, f: FunctionType | None = None) -> None:
        """Expressions of several operations are joined in f; nowhere without it."""
        self.count = 0
        self.class_name = class_name
        self.joiner = Joiner(f, self)

    def name(self, attr: str) -> ast.Constant:
        """The name of an attribute, as it is in a class."""
        return ast.Constant(attr if self.class_name is None else mangled(attr, self.class_name))

    def function(self, node: Any) -> ast.FunctionDef | ast.Lambda:
        if isinstance(node, ast.Lambda):
            return ast.copy_location(ast.Lambda(node.args, self.visit(node.body)), node)
        body = self.statements(node.body)
        made = ast.FunctionDef(node.name, node.args, body, [], None, **type_params())
        return ast.copy_location(made, node)

    def statements(self, body: list[ast.stmt]) -> list[ast.stmt]:
        out: list[ast.stmt] = []
        for s in body:
            made = self.visit(s)
            out += made if isinstance(made, list) else [made]
        return out

    def fresh(self) -> str:
        self.count += 1
        return f"{PREFIX}t{self.count}"

    # nested functions: bodies stay

    def visit_FunctionDef(self, node: Any) -> Any:
        node.decorator_list = [self.visit(d) for d in node.decorator_list]
        node.args.defaults = [self.visit(d) for d in node.args.defaults]
        node.args.kw_defaults = [d and self.visit(d) for d in node.args.kw_defaults]
        if not node.decorator_list:
            return node
        decorators, node.decorator_list = node.decorator_list, []
        value: ast.expr = ast.Name(node.name, ast.Load())
        for d in reversed(decorators):
            value = helper("call", d, value, at=node)
        return [node, ast.copy_location(ast.Assign([ast.Name(node.name, ast.Store())], value), node)]

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> Any:
        return self.visit_FunctionDef(node)

    def visit_Lambda(self, node: ast.Lambda) -> Any:
        node.args.defaults = [self.visit(d) for d in node.args.defaults]
        node.args.kw_defaults = [d and self.visit(d) for d in node.args.kw_defaults]
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> Any:
        body: list[ast.stmt] = []
        for s in node.body:
            if isinstance(s, ast.FunctionDef | ast.AsyncFunctionDef):
                body.append(s)
            elif isinstance(s, ast.AnnAssign):
                s.value = s.value and self.visit(s.value)
                body.append(s)
            else:
                made = self.visit(s)
                body += made if isinstance(made, list) else [made]
        node.body = body
        node.bases = [self.visit(b) for b in node.bases]
        for k in node.keywords:
            k.value = helper("class_keyword", self.visit(k.value), at=k.value)
        return node

    # expressions

    def visit_BinOp(self, node: ast.BinOp) -> Any:
        return self.joiner.joined(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Any:
        if not isinstance(node.op, ast.Not):
            return node if isinstance(node.operand, ast.Constant) else self.joiner.joined(node)
        self.generic_visit(node)
        node.operand = truth(node.operand)
        return node

    def visit_Compare(self, node: ast.Compare) -> Any:
        self.generic_visit(node)
        return compared(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> Any:
        self.generic_visit(node)
        return either(node)

    def visit_IfExp(self, node: ast.IfExp) -> Any:
        self.generic_visit(node)
        node.test = truth(node.test)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        if isinstance(node.ctx, ast.Load):
            return self.joiner.joined(node)
        self.generic_visit(node)
        return node

    def visit_Subscript(self, node: ast.Subscript) -> Any:
        if isinstance(node.ctx, ast.Load):
            return self.joiner.joined(node)
        node.value, node.slice = self.visit(node.value), self.index(node.slice)
        return node

    def index(self, node: ast.expr) -> Any:
        if isinstance(node, ast.Slice):
            bounds = [
                ast.Constant(None) if b is None else self.visit(b)
                for b in (node.lower, node.upper, node.step)
            ]
            return helper("slice", *bounds, at=node)
        if isinstance(node, ast.Tuple):
            node.elts = [self.index(e) for e in node.elts]
            return node
        return self.visit(node)

    def visit_Call(self, node: ast.Call) -> Any:
        if isinstance(node.func, ast.Name) and node.func.id in _NATIVE - {"vars" if node.args else ""}:
            self.generic_visit(node)
            return node
        if self.joiner.is_by_rule(node):
            return self.joiner.joined(node)
        self.generic_visit(node)
        for k in node.keywords:
            if k.arg is None:
                k.value = helper("mapped", k.value, at=k.value)
        return helper("call", node.func, *node.args, at=node, keywords=node.keywords)

    def visit_Dict(self, node: ast.Dict) -> Any:
        self.generic_visit(node)
        pairs = zip(node.keys, node.values, strict=True)
        node.values = [helper("mapped", v, at=v) if k is None else v for k, v in pairs]
        return node

    def visit_Starred(self, node: ast.Starred) -> Any:
        self.generic_visit(node)
        if isinstance(node.ctx, ast.Load):
            node.value = helper("items", node.value, at=node)
        return node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> Any:
        parts: list[ast.expr] = []
        for v in node.values:
            if isinstance(v, ast.FormattedValue):
                spec = ast.Constant("") if v.format_spec is None else self.visit(v.format_spec)
                part = ast.Tuple([self.visit(v.value), ast.Constant(v.conversion), spec], ast.Load())
                parts.append(ast.copy_location(part, node))
            else:
                parts.append(v)
        return helper("text", *parts, at=node)

    def visit_YieldFrom(self, node: ast.YieldFrom) -> Any:
        self.generic_visit(node)
        node.value = helper("iterated", node.value, at=node)
        return node

    def comprehension(self, node: Any) -> Any:
        for g in node.generators:
            g.iter = self.visit(g.iter)
            g.iter = helper("iterated", g.iter, at=g.iter)
            if isinstance(g.target, ast.Tuple | ast.List):
                g.iter = helper("unpacked_items", g.iter, _pattern(g.target), at=g.iter)
            g.ifs = [truth(self.visit(i)) for i in g.ifs]
        for field in ("elt", "key", "value"):
            if hasattr(node, field):
                setattr(node, field, self.visit(getattr(node, field)))
        return node

    def visit_ListComp(self, node: ast.ListComp) -> Any:
        return self.comprehension(node)

    def visit_SetComp(self, node: ast.SetComp) -> Any:
        return self.comprehension(node)

    def visit_DictComp(self, node: ast.DictComp) -> Any:
        return self.comprehension(node)

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> Any:
        return self.comprehension(node)

    # statements

    def body_of(self, node: Any) -> None:
        for field in ("body", "orelse", "finalbody"):
            if getattr(node, field, None):
                setattr(node, field, self.statements(getattr(node, field)))

    def visit_If(self, node: Any) -> Any:
        node.test = truth(self.visit(node.test))
        self.body_of(node)
        return node

    def visit_While(self, node: ast.While) -> Any:
        return self.visit_If(node)

    def visit_Assert(self, node: ast.Assert) -> Any:
        self.generic_visit(node)
        node.test = truth(node.test)
        return node

    def visit_Try(self, node: Any) -> Any:
        self.body_of(node)
        for h in node.handlers:
            if h.type is not None:
                h.type = self.visit(h.type)
            self.body_of(h)
        return node

    def visit_TryStar(self, node: Any) -> Any:
        return self.visit_Try(node)

    def visit_With(self, node: ast.With) -> Any:
        for item in node.items:
            item.context_expr = helper("manager", self.visit(item.context_expr), at=item.context_expr)
        before = self.targets([item.optional_vars for item in node.items], node)
        for item, name in zip(node.items, before[0], strict=True):
            item.optional_vars = name
        self.body_of(node)
        node.body = [*before[1], *node.body]
        return node

    def targets(self, targets: list[Any], at: ast.AST) -> tuple[list[Any], list[ast.stmt]]:
        """Names in place of targets, and the statements that bind the targets to them."""
        names: list[Any] = []
        out: list[ast.stmt] = []
        plain = all(t is None or isinstance(t, ast.Name) for t in targets)
        for t in targets:
            if t is None or plain:
                names.append(t)
            else:  # all of them, since they are bound from left to right
                name = self.fresh()
                names.append(ast.copy_location(ast.Name(name, ast.Store()), t))
                out += self.bind(t, ast.Name(name, ast.Load()), at)
        return names, out

    def visit_Match(self, node: ast.Match) -> Any:
        return self.statements(match_as_if(node, lambda name: self.fresh()))

    def visit_For(self, node: ast.For) -> Any:
        node.iter = helper("iterated", self.visit(node.iter), at=node.iter)
        names, before = self.targets([node.target], node)
        node.target = names[0]
        self.body_of(node)
        node.body = [*before, *node.body]
        return node

    def visit_Assign(self, node: ast.Assign) -> Any:
        value = self.visit(node.value)
        if len(node.targets) == 1:
            return self.bind(node.targets[0], value, node)
        name = self.fresh()
        out: list[ast.stmt] = [ast.copy_location(ast.Assign([ast.Name(name, ast.Store())], value), node)]
        for t in node.targets:
            out += self.bind(t, ast.Name(name, ast.Load()), node)
        return out

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        if node.value is None:
            return ast.copy_location(ast.Pass(), node) if not isinstance(node.target, ast.Name) else node
        return self.bind(node.target, self.visit(node.value), node)

    def bind(self, target: ast.expr, value: ast.expr, at: ast.AST) -> list[ast.stmt]:
        if isinstance(target, ast.Subscript):
            call = helper("setitem", value, self.visit(target.value), self.index(target.slice), at=at)
            return [ast.copy_location(ast.Expr(call), at)]
        if isinstance(target, ast.Attribute):
            call = helper("setattr", value, self.visit(target.value), self.name(target.attr), at=at)
            return [ast.copy_location(ast.Expr(call), at)]
        if isinstance(target, ast.Tuple | ast.List):
            starred = [isinstance(t, ast.Starred) for t in target.elts]
            inside = [t.value if isinstance(t, ast.Starred) else t for t in target.elts]
            names, after = self.targets(inside, at)
            elts = [ast.Starred(n, ast.Store()) if s else n for n, s in zip(names, starred, strict=True)]
            made = ast.Assign([ast.Tuple(elts, ast.Store())], helper("items", value, at=at))
            return [ast.copy_location(made, at), *after]
        return [ast.copy_location(ast.Assign([target], value), at)]

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        if isinstance(node.target, ast.Name):
            return [ast.copy_location(ast.Assign([node.target], self.joiner.changed(node)), node)]
        op, value, target = "i" + BINARY[type(node.op)].strip("_"), self.visit(node.value), node.target
        owner, key = self.fresh(), self.fresh()
        out: list[ast.stmt] = [ast.Assign([ast.Name(owner, ast.Store())], self.visit(target.value))]
        own = ast.Name(owner, ast.Load())
        if isinstance(target, ast.Attribute):
            read = helper("attr", own, self.name(target.attr), at=node)
            write = helper("setattr", helper(op, read, value, at=node), own, self.name(target.attr), at=node)
        else:
            out.append(ast.Assign([ast.Name(key, ast.Store())], self.index(target.slice)))
            at_key = ast.Name(key, ast.Load())
            read = helper("getitem", own, at_key, at=node)
            write = helper("setitem", helper(op, read, value, at=node), own, at_key, at=node)
        out.append(ast.Expr(write))
        return [ast.copy_location(s, node) for s in out]

    def visit_Delete(self, node: ast.Delete) -> Any:
        out: list[ast.stmt] = []
        for t in node.targets:
            if isinstance(t, ast.Subscript):
                call = helper("delitem", self.visit(t.value), self.index(t.slice), at=node)
                out.append(ast.copy_location(ast.Expr(call), node))
            elif isinstance(t, ast.Attribute):
                call = helper("delattr", self.visit(t.value), self.name(t.attr), at=node)
                out.append(ast.copy_location(ast.Expr(call), node))
            else:
                out.append(ast.copy_location(ast.Delete([t]), node))
        return out


def _pattern(target: ast.expr) -> ast.expr:
    """A target as a constant: None for a name, a tuple for what is unpacked."""
    if isinstance(target, ast.Starred):
        target = target.value
    if isinstance(target, ast.Tuple | ast.List):
        return ast.Tuple([_pattern(t) for t in target.elts], ast.Load())
    return ast.Constant(None)
