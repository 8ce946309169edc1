"""Emit the reverse program: a forward part that keeps what the pullback needs, and the pullback.

The forward part is the user's function with every active call asking for a pullback beside its
value. The pullback executes the statements backwards, each with one step: take the adjoint of the
target, set it to zero, add what the call's pullback answers to the adjoints of the operands. That
is right under reassignment, so no variable is renamed.

Straight-line code needs no record: its pullback is made of the calls' pullbacks. Under control
flow each basic block that runs puts a record `(block, pullbacks…, the record before it)` onto a
linked trace, and the pullback follows the trace. A trace is never written to, so that a pullback
may run again, and in several threads.
"""

from __future__ import annotations

import ast
from typing import Any

from ..rewriting.names import Names
from ..syntax.ir import Call, Copy, Define, If, Jump, Loop, Plain, Return, Statement, Try, Unpack, With, Yield
from ..syntax.site import site_of
from ..syntax.trees import (
    assign,
    assign_pair,
    at,
    call,
    load,
    nothing,
    number,
    own,
    own_tuple,
    place,
    trying,
    tuple_of,
)
from .actions import Block, Forgotten, Plan, action_of, called

_SIMPLE = (Call, Plain, Copy, Unpack, Define)


class ReverseEmitter:
    """Emits one function; `forward` first, then `plan`."""

    def __init__(self, names: Names, by_use: dict[str, tuple[str, ...]], filename: str) -> None:
        self.names = names
        self.by_use = by_use
        self.filename = filename
        self.blocks: list[Block] = []
        self.kept: list[str] = []
        self.pullbacks: list[str] = []  # the variables for them
        self.current: Block | None = None
        self.depth = 0
        self.trace = names.fresh("trace")
        self.make = names.bind("make_pullback", self)  # bound to what makes pullbacks later
        self.straight = False
        self.trying = 0
        self.generator = False

    # ---------------------------------------------------------------- the forward part

    def forward(self, body: list[Statement]) -> list[ast.stmt]:
        simple = all(isinstance(s, Call | Copy | Unpack | Define | Plain | Return) for s in body)
        self.straight = simple and not self.generator
        statements = self._block(body)
        if not self.straight:
            statements.insert(0, assign(self.trace, ast.Constant(None), body[0]))
        return statements

    def _block(self, body: list[Statement]) -> list[ast.stmt]:
        out: list[ast.stmt] = []
        for s in body:
            if isinstance(s, _SIMPLE):
                if isinstance(s, Call):
                    self._call(s, out)
                else:
                    out.append(self._simple(s))
                if self.trying:  # what ran before an exception has its record
                    out += self._flush(s)
            elif isinstance(s, Return):
                out += self._return(s)
            elif isinstance(s, Yield):
                out += self._yield(s)
            else:
                out += self._flush(s)
                out += self._compound(s)
        if body:
            out += self._flush(body[-1])
        return out or [nothing()]

    def _open(self) -> Block:
        if self.current is None:
            self.current = Block(len(self.blocks) + 1, self.depth)
            self.blocks.append(self.current)
        return self.current

    def _flush(self, origin: Any) -> list[ast.stmt]:
        """End the current block: put its record onto the trace."""
        block, self.current = self.current, None
        if block is None or self.straight:
            return []
        record = [number(block.number), *map(own, block.pullbacks), own(self.trace)]
        return [assign(self.trace, own_tuple(record), origin)]

    def _simple(self, s: Copy | Unpack | Define | Plain) -> ast.stmt:
        self._open().actions.append(action_of(s))
        if isinstance(s, Copy):
            return assign(s.target, s.source.node, s.origin)
        if isinstance(s, Unpack):
            target = tuple_of([ast.Name(t, ast.Store()) for t in s.targets], ast.Store())
            return assign(target, load(s.source), s.origin)
        if isinstance(s, Define):
            return s.node if isinstance(s.node, ast.FunctionDef) else assign(s.target, s.node, s.origin)
        return s.statement

    def _call(self, s: Call, out: list[ast.stmt]) -> None:
        block = self.current or self._open()
        pullback = self._pullback(len(self.kept if self.straight else block.pullbacks))
        block.pullbacks.append(pullback)
        if self.straight:
            self.kept.append(pullback)
        given = s.operands
        variables = [a.variable for a in given]
        where = len(self.kept) - 1 if self.straight else len(block.pullbacks)
        block.actions.append(called(s, variables, pullback, where))
        site = site_of(s, "reverse", variables if given is s.arguments else variables[1:])
        function = self.names.bound_name(site.name, site.function)
        operands = [s.function.node]
        if s.callee == "method":
            operands.append(ast.Constant(s.name))
        operands += [a.node for a in s.arguments]
        out.append(assign_pair((s.target, pullback), function, operands, s.origin))
        if s.may_keep:
            check = call(self.names.helper("no_closure"), [load(s.target)])
            out.append(place(ast.Expr(check), s.origin))
        elif s.hands_out:
            names = tuple_of([ast.Constant(name) for name in s.hands_out])
            check = call(self.names.helper("none_handed_out"), [load(s.target), names])
            out.append(place(ast.Expr(check), s.origin))

    def _pullback(self, place: int) -> str:
        """The variable of a pullback, by its place in the record: each block uses the same ones."""
        if place == len(self.pullbacks):
            self.pullbacks.append(self.names.reserve(f"p{place + 1}"))
        return self.pullbacks[place]

    def _yield(self, s: Yield) -> list[ast.stmt]:
        """An item, with the pullback of the run up to it."""
        self._open().actions.append(action_of(s))
        pair = tuple_of([s.value.node, call(load(self.make), [load(self.trace)])])
        return [*self._flush(s), place(ast.Expr(ast.Yield(pair)), s.origin)]

    def _return(self, s: Return) -> list[ast.stmt]:
        if self.generator:
            return [*self._flush(s), place(ast.Return(), s.origin)]
        block = self._open()
        block.actions.append(action_of(s))
        make = load(self.make)
        flushed = self._flush(s)
        kept = self.kept if self.straight else [self.trace]
        parts = [load(name) for name in kept]
        value = tuple_of([s.value.node, call(make, parts)])
        return [*flushed, place(ast.Return(value), s.origin)]

    def _compound(self, s: If | Loop | With | Try | Jump) -> list[ast.stmt]:
        if isinstance(s, Jump):
            return [s.statement]
        if isinstance(s, Try):
            return [place(self._try(s), s.origin)]
        if isinstance(s, If):
            new: ast.stmt = ast.If(s.test, self._block(s.body), self._orelse(s.orelse))
        elif isinstance(s, With):
            new = ast.With(s.header.items, self._killing(s.binds, s.body))
        else:
            self.depth += 1
            body = self._killing(s.binds, s.body)
            self.depth -= 1
            orelse = self._orelse(s.orelse)
            if isinstance(s.header, ast.While):
                new = ast.While(s.header.test, body, orelse)
            else:
                new = ast.For(s.header.target, s.header.iter, body, orelse, None)
        return [at(new, s.origin)]

    def _try(self, s: Try) -> ast.stmt:
        self.trying += 1
        body = self._block(s.body)
        self.trying -= 1
        handlers = [(h, self._block(b)) for h, b in s.handlers]
        orelse, final = self._orelse(s.orelse), self._orelse(s.final)
        return trying(s.origin, self.names, body, handlers, orelse, final)

    def _orelse(self, body: list[Statement]) -> list[ast.stmt]:
        return self._block(body) if body else []

    def _killing(self, binds: tuple[str, ...], body: list[Statement]) -> list[ast.stmt]:
        """A body whose first block also forgets the adjoints of names that were bound before it."""
        if binds:
            self._open().actions.append(Forgotten(binds))
        return self._block(body)

    def plan(self, parameters: list[str | None], closure: dict[str, str] | None) -> Plan:
        """What the pullback is made from, once `forward` has been asked.

        `parameters`: those that vary, None for others; `closure`: the varying captured names (with the
        function's own name under "", where it calls itself).
        """
        return Plan(
            self.blocks,
            self.straight,
            self.by_use,
            parameters,
            closure,
            self.names,
            self.trace,
            self.filename,
        )
