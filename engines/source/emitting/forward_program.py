"""Emit the forward program: the user's function with a tangent beside every varying variable.

Control flow stays as it is and nothing is kept, so a loop runs in constant memory. The tangents of
the varying parameters arrive in one tuple before the user's own parameters; the program returns
`(value, tangent)`.
"""

from __future__ import annotations

import ast
from typing import Any

from ....tangents import ZERO
from ..rewriting.names import Names
from ..syntax.ir import (
    Atom,
    Call,
    Copy,
    Define,
    If,
    Jump,
    Loop,
    Plain,
    Return,
    Statement,
    Try,
    Unpack,
    With,
    Yield,
    touched,
)
from ..syntax.site import site_of
from ..syntax.trees import (
    LOAD,
    STORE,
    assign,
    assign_pair,
    at,
    call,
    load,
    nothing,
    own,
    own_tuple,
    place,
    trying,
    tuple_of,
)
from ..values import structures

_BRANCHING = (If, Loop)


class ForwardEmitter:
    """Emits one function."""

    def __init__(self, names: Names, by_use: dict[str, tuple[str, ...]]) -> None:
        self.names = names
        self.by_use = by_use
        self.tangents = names.fresh("tangents")
        self.zero = names.bind("ZERO", ZERO)
        self.touched: set[str] = set()
        self._dots: dict[str, str] = {}
        self.generator = False

    def emit(
        self,
        body: list[Statement],
        parameters: list[str],
        captured: tuple[str, ...] | None,
        itself: str | None,
        constants: list[str],
        origin: ast.AST,
    ) -> list[ast.stmt]:
        """The statements of the program; `constants` are the parameters that do not vary."""
        self.touched = _varying(body, {*parameters, *(captured or ())})
        inputs = [self._dot(p, STORE) for p in parameters]
        own = self.names.fresh("own") if captured is not None else None
        if own is not None:
            inputs.insert(0, ast.Name(own, STORE))
        out = [assign(tuple_of(inputs, STORE), load(self.tangents), origin)] if inputs else []
        if own is not None:
            if itself is not None:
                out.append(assign(self._dot(itself, STORE), load(own), origin))
            for name in captured or ():
                part = call(self.names_helper("captured"), [load(own), ast.Constant(name)])
                out.append(assign(self._dot(name, STORE), part, origin))
        held = {n for names in self.by_use.values() for n in names}  # by what is called before they are bound
        zeros = *constants, *sorted(held.difference(parameters, captured or (), constants))
        return [*out, *self._zeros(zeros, origin), *self._block(body)]

    def names_helper(self, name: str) -> ast.Name:
        return load(self.names.bind(name, getattr(structures, name)))

    def _dot(self, variable: str, context: ast.expr_context = LOAD) -> ast.Name:
        return own(self._named(variable), context)

    def _named(self, variable: str) -> str:
        """The variable of the tangent of a variable."""
        name = self._dots.get(variable)
        if name is None:
            name = self._dots[variable] = self.names.companion(variable, "_dot")
        return name

    def _tangent(self, a: Atom) -> ast.expr:
        """The tangent of an operand; a function distributed by use gets it now, from what it captured."""
        if a.variable is None:
            return own(self.zero)
        captures = self.by_use.get(a.variable) if self.by_use else None
        return self._dot(a.variable) if captures is None else self._function(captures)

    def _function(self, captured: tuple[str, ...]) -> ast.expr:
        names = tuple_of([ast.Constant(n) for n in captured])
        parts = [self._tangent(Atom(load(n), n)) for n in captured]
        return call(self.names_helper("function_tangent"), [names, *parts])

    def _block(self, body: list[Statement]) -> list[ast.stmt]:
        return [new for s in body for new in self._statement(s)] or [nothing()]

    def _statement(self, s: Statement) -> list[ast.stmt]:
        if isinstance(s, Call):
            return self._call(s)
        if isinstance(s, Plain):
            return [s.statement, *self._zeros(s.binds, s.statement)]
        if isinstance(s, Copy):
            target = tuple_of([ast.Name(s.target, STORE), self._dot(s.target, STORE)], ast.Store())
            return [assign(target, tuple_of([s.source.node, self._tangent(s.source)]), s.origin)]
        if isinstance(s, Unpack):
            values = tuple_of([ast.Name(t, STORE) for t in s.targets], STORE)
            dots = tuple_of([self._dot(t, STORE) for t in s.targets], STORE)
            parts = call(self.names_helper("parts_of"), [self._dot(s.source), ast.Constant(len(s.targets))])
            return [assign(values, load(s.source), s.origin), assign(dots, parts, s.origin)]
        if isinstance(s, Define):
            made = s.node if isinstance(s.node, ast.FunctionDef) else assign(s.target, s.node, s.origin)
            tangent = (
                [] if s.by_use else [assign(self._dot(s.target, STORE), self._function(s.captured), s.origin)]
            )
            return [made, *tangent]
        if isinstance(s, Yield):
            pair = tuple_of([s.value.node, self._tangent(s.value)])
            return [place(ast.Expr(ast.Yield(pair)), s.origin)]
        if isinstance(s, Return) and self.generator:
            return [place(ast.Return(), s.origin)]
        if isinstance(s, Return):
            return [place(ast.Return(tuple_of([s.value.node, self._tangent(s.value)])), s.origin)]
        return [self._compound(s)]

    def _call(self, s: Call) -> list[ast.stmt]:
        site = site_of(s, "forward", [a.variable for a in s.arguments])
        function = self.names.bound_name(site.name, site.function)
        moving = [a for a in s.arguments if a.variable is not None]
        if s.callee != "plain":
            moving.insert(0, s.function)
        dots = (tuple_of if self.by_use else own_tuple)([self._tangent(a) for a in moving])
        operands = [dots, s.function.node]
        if s.callee == "method":
            operands.append(ast.Constant(s.name))
        operands += [a.node for a in s.arguments]
        targets = s.target, self._named(s.target)
        out = [assign_pair(targets, function, operands, s.origin)]
        if s.may_keep:
            check = call(self.names.helper("no_closure"), [load(s.target)])
            out.append(place(ast.Expr(check), s.origin))
        elif s.hands_out:
            names = tuple_of([ast.Constant(name) for name in s.hands_out])
            check = call(self.names.helper("none_handed_out"), [load(s.target), names])
            out.append(place(ast.Expr(check), s.origin))
        return out

    def _compound(self, s: If | Loop | With | Try | Jump) -> ast.stmt:
        if isinstance(s, Jump):
            return s.statement
        if isinstance(s, Try):
            return place(self._try(s), s.origin)
        if isinstance(s, If):
            new: ast.stmt = ast.If(s.test, self._block(s.body), self._block(s.orelse) if s.orelse else [])
        elif isinstance(s, With):
            new = ast.With(s.header.items, self._zeros(s.binds, s.header) + self._block(s.body))
        else:
            body = self._zeros(s.binds, s.header) + self._block(s.body)
            orelse = self._block(s.orelse) if s.orelse else []
            if isinstance(s.header, ast.While):
                new = ast.While(s.header.test, body, orelse)
            else:
                new = ast.For(s.header.target, s.header.iter, body, orelse, None)
        return at(new, s.origin)

    def _try(self, s: Try) -> ast.stmt:
        body, handlers = self._block(s.body), [(h, self._block(b)) for h, b in s.handlers]
        orelse = self._block(s.orelse) if s.orelse else []
        final = self._block(s.final) if s.final else []
        return trying(s.origin, self.names, body, handlers, orelse, final)

    def _zeros(self, names: tuple[str, ...], origin: Any) -> list[ast.stmt]:
        """Names bound to what does not vary lose the tangent they had."""
        lost = [n for n in names if n in self.touched] if names else []
        return [assign(self._dot(n, STORE), own(self.zero), origin) for n in lost]


def _varying(body: list[Statement], names: set[str]) -> set[str]:
    """The variables whose tangent is bound or read somewhere, added to those named."""
    for s in body:
        if type(s) is Call:
            names.update([a.variable for a in s.operands if a.variable is not None], *s.captures.values())
            names.add(s.target)
        elif isinstance(s, _BRANCHING):
            _varying(s.orelse, _varying(s.body, names))
        elif isinstance(s, With):
            _varying(s.body, names)
        elif isinstance(s, Try):
            for part in (s.body, s.orelse, s.final, *(b for _, b in s.handlers)):
                _varying(part, names)
        elif not isinstance(s, Plain):
            names.update(*touched(s))
    return names
