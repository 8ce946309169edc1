"""The text of a pullback: Python that executes a program's statements backwards.

Each statement has one step: take the adjoint of the target, set it to zero, add what the call's pullback
answers to the adjoints of the operands. That is right under reassignment, so no variable is renamed.
"""

from __future__ import annotations

import ast
import itertools
import linecache
import weakref
from collections.abc import Callable
from types import CodeType
from typing import Any

from ....core.tracebacks import PULLBACKS
from ....tangents import ZERO, add, gather
from ..reading.locate import remember
from ..syntax.where import PULLBACK_FILE
from ..values.structures import captured, function_tangent, tuple_tangent
from .actions import Action, Block, Called, Copied, Forgotten, Given, Plan, Unpacked, touched

_numbers = itertools.count(1)
_FEW = 12
"""Blocks among which a pullback chooses one by one."""


def written(plan: Plan) -> str:
    """The text of `make_pullback`, whose value is the pullback of a run."""
    return _Writer(plan).write()


class _Writer:
    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.names = plan.names
        self.inputs = {p for p in plan.parameters if p}.union((plan.closure or {}).values())
        self.lines: list[str] = []
        self.live: set[str] = set()
        self.indent = "        "
        self.seed = self.names.reserve("result_bar")
        generator = any(isinstance(a, Given) and a.yielded for b in plan.blocks for a in b.actions)
        self.place = self.names.reserve("place") if generator else ""  # of the item that is next
        self.shared = self._shared_names()

    def bar(self, variable: str) -> str:
        return self.names.companion(variable, "_bar")

    def _shared_names(self) -> set[str]:
        """Names whose adjoint lives longer than one block's execution."""
        if self.plan.straight:
            return set()
        home: dict[str, int] = {}
        shared = set(self.inputs)
        moving = set(self.inputs)
        for block in self.plan.blocks:
            defined: set[str] = set()
            for a in block.actions:
                used, bound = touched(a)
                shared |= used - defined
                defined |= bound
                every = used | bound
                shared.update(n for n in every if home.setdefault(n, block.number) != block.number)
                if not isinstance(a, Forgotten):
                    moving |= every
        return shared & moving

    def write(self) -> str:
        """The whole of it."""
        blocks, closure = self.plan.blocks, self.plan.closure
        head = [f"    def pullback({self.seed}):"]
        if self.plan.straight:
            head.insert(0, f"def make_pullback({', '.join(p for b in blocks for p in b.pullbacks)}):")
            for block in blocks:
                self._block(block)
        else:
            trace = self.plan.trace
            head.insert(0, f"def make_pullback({trace}):")
            if self.shared:
                head.append(f"        {' = '.join(self.bar(n) for n in sorted(self.shared))} = ZERO")
            if self.place:
                head.append(f"        {self.place} = len({self.seed})")
            record = self.names.fresh("record")
            head += [f"        {record} = {trace}", f"        while {record} is not None:"]
            self._dispatch(record)
        answers = [self._final(p) if p else "ZERO" for p in self.plan.parameters]
        if closure is not None:
            answers.insert(0, self._closure(closure))
        result = ", ".join(answers) + ("," if len(answers) == 1 else "")
        return "\n".join([*head, *self.lines, f"        return ({result})", "    return pullback", ""])

    def _dispatch(self, record: str) -> None:
        self._choose(self.plan.blocks, record, "            ")
        self.indent = "        "
        self.live = set(self.shared)

    def _choose(self, blocks: list[Block], record: str, indent: str) -> None:
        """What to do for each block: of few, those of inner loops first; of many, by halves."""
        if len(blocks) > _FEW:
            half = len(blocks) // 2
            self.lines.append(f"{indent}if {record}[0] < {blocks[half].number}:")
            self._choose(blocks[:half], record, f"{indent}    ")
            self.lines.append(f"{indent}else:")
            self._choose(blocks[half:], record, f"{indent}    ")
            return
        for i, block in enumerate(sorted(blocks, key=lambda b: -b.depth)):
            self.lines.append(f"{indent}{'if' if i == 0 else 'elif'} {record}[0] == {block.number}:")
            self.indent = f"{indent}    "
            self.lines.append(f"{self.indent}{', '.join(['_', *block.pullbacks, record])} = {record}")
            self._block(block)

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
        for a in reversed(block.actions):
            self._action(a)
        taken = sorted(self.shared - self.live)
        if taken:
            self._line(f"{' = '.join(self.bar(n) for n in taken)} = ZERO")

    def _action(self, a: Action) -> None:
        if isinstance(a, Called):
            self._called(a)
        elif isinstance(a, Forgotten):
            self.live -= set(a.names)
        elif isinstance(a, Given):
            seed = self.seed
            if a.yielded:
                seed = self.names.fresh("item")
                self._line(f"{self.place} -= 1")
                self._line(f"{seed} = {self.seed}[{self.place}]")
            if a.variable is not None:
                self._give(a.variable, seed)
        elif isinstance(a, Copied):
            seed = self._take(a.target, aside=a.source in self.plan.by_use)
            if seed and a.source is not None:
                self._give(a.source, seed)
        elif isinstance(a, Unpacked):
            seeds = [self._take(t) or "ZERO" for t in reversed(a.targets)][::-1]
            if any(seed != "ZERO" for seed in seeds):
                self._give(a.source, f"tuple_tangent({', '.join(seeds)})")
        elif not a.by_use:
            seed = self._take(a.target, aside=True)
            if seed:
                for name in a.captured:
                    self._give(name, f"captured({seed}, {name!r})")

    def _called(self, a: Called) -> None:
        seed = self._take(a.target)
        if not seed:
            return
        answers, later = [], []
        for variable in a.operands:
            if variable is None:
                answers.append("_")
            elif variable in self.live or variable in self.plan.by_use or self.bar(variable) in answers:
                answers.append(self.names.fresh("a"))
                later.append((variable, answers[-1]))
            else:
                answers.append(self.bar(variable))
                self.live.add(variable)
        targets = ", ".join(answers) + ("," if len(answers) == 1 else "")
        note = self.plan.note(a.line)
        self._line(f"{targets} = {a.pullback}({seed}){f'  # {note}' if note else ''}")
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
        captures = self.plan.by_use.get(name)
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


_BACKWARD = {
    "ZERO": ZERO,
    "add": add,
    "gather": gather,
    "captured": captured,
    "function_tangent": function_tangent,
    "tuple_tangent": tuple_tangent,
}


def compiled(text: str, name: str, users: str) -> Callable[..., Any]:
    """The maker of pullbacks from its text, which tracebacks can show; `users` is the file of f."""
    filename = f"{PULLBACK_FILE}{name} {next(_numbers)}>"
    PULLBACKS[filename] = users
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    namespace = dict(_BACKWARD)
    code = compile(text, filename, "exec", dont_inherit=True)
    renamed = tuple(_rename(c, name) for c in code.co_consts)
    exec(code.replace(co_consts=renamed), namespace)
    make: Any = namespace["make_pullback"]
    remember(make.__code__, lambda: _function_in(text))
    weakref.finalize(make.__code__, _forget, filename).atexit = False
    return make  # type: ignore[no-any-return]  # what the text defines


def _forget(filename: str) -> None:
    linecache.cache.pop(filename, None)
    PULLBACKS.pop(filename, None)


def _function_in(text: str) -> ast.FunctionDef:
    (node,) = ast.parse(text).body
    assert isinstance(node, ast.FunctionDef)
    return node


def _rename(constant: Any, name: str) -> Any:
    """`pullback` inside `make_pullback` named after the function, as tracebacks show it."""
    if not isinstance(constant, CodeType):
        return constant
    inner = tuple(_rename(c, name) for c in constant.co_consts)
    if constant.co_name != "pullback":
        return constant.replace(co_consts=inner)
    return constant.replace(co_qualname=f"{name}_pullback", co_consts=inner)
