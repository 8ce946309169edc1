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
import linecache
from dataclasses import dataclass, field
from typing import Any

from .ir import (
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
from .names import Names
from .site import site_of
from .trees import assign, assign_pair, call, clauses, load, place, tuple_of


@dataclass
class Block:
    """A run of statements without control flow: what its backward execution does, and its record."""

    number: int
    depth: int
    actions: list[tuple[Statement, str]] = field(default_factory=list)  # with the pullback's variable
    pullbacks: list[str] = field(default_factory=list)


class ReverseEmitter:
    """Emits one function; `forward` first, then `backward`."""

    def __init__(self, names: Names, by_use: dict[str, tuple[str, ...]], filename: str) -> None:
        self.names = names
        self.by_use = by_use
        self.filename = filename
        self.blocks: list[Block] = []
        self.current: Block | None = None
        self.depth = 0
        self.trace = names.fresh("trace")
        self.make = names.bind("make_pullback", self)  # bound to the compiled text later
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
            if isinstance(s, Call | Copy | Unpack | Define | Plain):
                out += self._simple(s)
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
        return out or [ast.Pass()]

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
        record = [ast.Constant(block.number), *map(load, block.pullbacks), load(self.trace)]
        return [assign(self.trace, tuple_of(record), origin)]

    def _simple(self, s: Call | Copy | Unpack | Define | Plain) -> list[ast.stmt]:
        block = self._open()
        pullback = ""
        if isinstance(s, Call):
            pullback = self.names.fresh("p")
            block.pullbacks.append(pullback)
        block.actions.append((s, pullback))
        if isinstance(s, Call):
            return self._call(s, pullback)
        if isinstance(s, Copy):
            return [assign(s.target, s.source.node, s.origin)]
        if isinstance(s, Unpack):
            target = tuple_of([ast.Name(t, ast.Store()) for t in s.targets], ast.Store())
            return [assign(target, load(s.source), s.origin)]
        if isinstance(s, Define):
            if isinstance(s.node, ast.FunctionDef):
                return [s.node]
            return [assign(s.target, s.node, s.origin)]
        return [s.statement]

    def _call(self, s: Call, pullback: str) -> list[ast.stmt]:
        site = site_of(s, "reverse")
        function = self.names.bind(site.name, site.function)
        operands = [s.function.node, *([ast.Constant(s.name)] if s.callee == "method" else [])]
        operands += [a.node for a in s.arguments]
        statements = [assign_pair((s.target, pullback), function, operands, s.origin)]
        if any(i > 0 or s.callee == "plain" for i in s.captures):
            check = call(self.names.helper("no_closure"), [load(s.target)])
            statements.append(place(ast.Expr(check), s.origin))
        return statements

    def _yield(self, s: Yield) -> list[ast.stmt]:
        """An item, with the pullback of the run up to it."""
        self._open().actions.append((s, ""))
        pair = tuple_of([s.value.node, call(load(self.make), [load(self.trace)])])
        return [*self._flush(s), place(ast.Expr(ast.Yield(pair)), s.origin)]

    def _return(self, s: Return) -> list[ast.stmt]:
        if self.generator:
            return [*self._flush(s), place(ast.Return(), s.origin)]
        block = self._open()
        block.actions.append((s, ""))
        make = load(self.make)
        flushed = self._flush(s)
        kept = [p for b in self.blocks for p in b.pullbacks] if self.straight else [self.trace]
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
        return [place(new, s.origin)]

    def _try(self, s: Try) -> ast.stmt:
        self.trying += 1
        body = self._block(s.body)
        self.trying -= 1
        handlers = [(h, self._block(b)) for h, b in s.handlers]
        passing = clauses(self.names.helper("ChainRulesError"), handlers)
        return ast.Try(body, passing, self._orelse(s.orelse), self._orelse(s.final))

    def _orelse(self, body: list[Statement]) -> list[ast.stmt]:
        return self._block(body) if body else []

    def _killing(self, binds: tuple[str, ...], body: list[Statement]) -> list[ast.stmt]:
        """A body whose first block also forgets the adjoints of names that were bound before it."""
        if binds:
            self._open().actions.append((Plain(ast.Pass(), binds), ""))
        return self._block(body)

    # ---------------------------------------------------------------- the pullback

    def backward(self, parameters: list[str | None], closure: dict[str, str] | None) -> str:
        """The text of `make_pullback`. `parameters`: those that vary, None for others; `closure`: the
        varying captured names (with the function's own name under "", where it calls itself)."""
        writer = _Backward(self, [p for p in parameters if p], list((closure or {}).values()))
        return writer.write(parameters, closure)

    def note(self, origin: Any) -> str:
        line = getattr(origin, "lineno", 0)
        text = linecache.getline(self.filename, line).strip()
        return f"  # line {line}: {text}" if text else ""


class _Backward:
    """Writes the text of the pullback from the blocks."""

    def __init__(self, emitter: ReverseEmitter, parameters: list[str], captured: list[str]) -> None:
        self.emitter = emitter
        self.names = emitter.names
        self.inputs = {*parameters, *captured}
        self.lines: list[str] = []
        self.live: set[str] = set()
        self.indent = "        "
        self.seed = self.names.reserve("result_bar")
        self.shared = self._shared_names()

    def bar(self, variable: str) -> str:
        return self.names.companion(variable, "_bar")

    def _shared_names(self) -> set[str]:
        """Names whose adjoint lives longer than one block's execution."""
        if self.emitter.straight:
            return set()
        home: dict[str, int] = {}
        shared = set(self.inputs)
        moving = set(self.inputs)
        for block in self.emitter.blocks:
            defined: set[str] = set()
            for s, _ in block.actions:
                used, bound = touched(s)
                shared |= used - defined
                defined |= bound
                every = used | bound
                shared.update(n for n in every if home.setdefault(n, block.number) != block.number)
                if not isinstance(s, Plain):
                    moving |= every
        return shared & moving

    def write(self, parameters: list[str | None], closure: dict[str, str] | None) -> str:
        blocks = self.emitter.blocks
        head = [f"    def pullback({self.seed}):"]
        if self.emitter.straight:
            head.insert(0, f"def make_pullback({', '.join(p for b in blocks for p in b.pullbacks)}):")
            for block in blocks:
                self._block(block)
        else:
            trace = self.emitter.trace
            head.insert(0, f"def make_pullback({trace}):")
            if self.shared:
                head.append(f"        {' = '.join(self.bar(n) for n in sorted(self.shared))} = ZERO")
            record = self.names.fresh("record")
            head += [f"        {record} = {trace}", f"        while {record} is not None:"]
            self._dispatch(record)
        answers = [self._final(p) if p else "ZERO" for p in parameters]
        if closure is not None:
            answers.insert(0, self._closure(closure))
        result = ", ".join(answers) + ("," if len(answers) == 1 else "")
        return "\n".join([*head, *self.lines, f"        return ({result})", "    return pullback", ""])

    def _dispatch(self, record: str) -> None:
        ordered = sorted(self.emitter.blocks, key=lambda b: -b.depth)
        for i, block in enumerate(ordered):
            self.lines.append(f"            {'if' if i == 0 else 'elif'} {record}[0] == {block.number}:")
            self.indent = "                "
            self.lines.append(f"{self.indent}{', '.join(['_', *block.pullbacks, record])} = {record}")
            self._block(block)
        self.indent = "        "
        self.live = set(self.shared)

    def _final(self, name: str) -> str:
        return self.bar(name) if name in self.live else "ZERO"

    def _closure(self, closure: dict[str, str]) -> str:
        own = closure.get("")
        names = tuple(n for n in closure.values() if n != own)
        parts = "".join(f", {self._final(n)}" for n in names)
        tangent = f"function_tangent({names!r}{parts})"
        return tangent if own is None or own not in self.live else f"add({tangent}, {self.bar(own)})"

    def _block(self, block: Block) -> None:
        self.live = set(self.shared)
        for s, pullback in reversed(block.actions):
            self._action(s, pullback)
        taken = sorted(self.shared - self.live)
        if taken:
            self._line(f"{' = '.join(self.bar(n) for n in taken)} = ZERO")

    def _action(self, s: Statement, pullback: str) -> None:
        if isinstance(s, Return):
            if s.value.variable is not None:
                self._give(s.value.variable, self.seed)
        elif isinstance(s, Yield):
            item = self.names.fresh("item")
            self._line(f"{item} = {self.seed}.pop()")
            if s.value.variable is not None:
                self._give(s.value.variable, item)
        elif isinstance(s, Plain):
            self.live -= set(s.binds)
        elif isinstance(s, Call):
            self._call(s, pullback)
        elif isinstance(s, Copy):
            seed = self._take(s.target, aside=s.source.variable in self.emitter.by_use)
            if seed and s.source.variable is not None:
                self._give(s.source.variable, seed)
        elif isinstance(s, Unpack):
            seeds = [self._take(t) or "ZERO" for t in reversed(s.targets)][::-1]
            if any(seed != "ZERO" for seed in seeds):
                self._give(s.source, f"tuple_tangent({', '.join(seeds)})")
        elif isinstance(s, Define) and not s.by_use:
            seed = self._take(s.target, aside=True)
            if seed:
                for name in s.captured:
                    self._give(name, f"captured({seed}, {name!r})")

    def _call(self, s: Call, pullback: str) -> None:
        seed = self._take(s.target)
        if not seed:
            return
        answers, later = [], []
        for operand in s.operands:
            variable = operand.variable
            if variable is None:
                answers.append("_")
            elif variable in self.live or variable in self.emitter.by_use or self.bar(variable) in answers:
                answers.append(self.names.fresh("a"))
                later.append((variable, answers[-1]))
            else:
                answers.append(self.bar(variable))
                self.live.add(variable)
        targets = ", ".join(answers) + ("," if len(answers) == 1 else "")
        self._line(f"{targets} = {pullback}({seed}){self.emitter.note(s.origin)}")
        for variable, answer in later:
            self._give(variable, answer)

    def _take(self, name: str, aside: bool = False) -> str:
        """The adjoint of a name, which is zero from here on; empty where it is known to be zero.

        Its variable keeps it until the next statement; `aside` keeps it for several. Blocks end by
        setting to zero what they took and gave nothing back.
        """
        if name not in self.live:
            return ""
        self.live.discard(name)
        if not aside:
            return self.bar(name)
        seed = self.names.fresh("seed")
        self._line(f"{seed} = {self.bar(name)}")
        return seed

    def _give(self, name: str, answer: str) -> None:
        """Add a cotangent to the adjoint of a name, or to those of what it captured."""
        captures = self.emitter.by_use.get(name)
        if captures is not None:
            for captured in captures:
                self._give(captured, f"captured({answer}, {captured!r})")
        elif name in self.live:
            self._line(f"{self.bar(name)} = gather({self.bar(name)}, {answer})")
        else:
            self._line(f"{self.bar(name)} = {answer}")
            self.live.add(name)

    def _line(self, text: str) -> None:
        self.lines.append(f"{self.indent}{text}")
