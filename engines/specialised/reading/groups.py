"""Groups: functions defined inside that call themselves or one another.

    def f(x):
        def go(i):
            return x[i] + go(i + 1) if i < 9 else 0.0

What `go` captured are `x` and `go`. It is read as a function of `x` and `i` that begins by defining `go`
once more, from what it was given, so that nothing captured holds itself. So it does with all functions of its
scope that it reaches.
"""

from __future__ import annotations

import ast
from types import CodeType
from typing import Any, NamedTuple

from .closures import code_of, default_of, defaults_of
from .declined import Declined

Function = ast.FunctionDef | ast.Lambda


class Definition(NamedTuple):
    """What is known of a function that is defined inside another."""

    code: CodeType
    names: tuple[str, ...]
    """The variables that it captures, the boxes of what is in boxes."""
    boxes: dict[str, str]
    defaults: tuple[Any, ...]
    words: tuple[tuple[str, Any], ...]
    """The defaults of what is given by name alone."""
    computed: dict[str, ast.expr]
    """Those that are computed where it is defined."""
    group: dict[str, Definition]
    """The functions that it defines for itself, in an order in which that can be."""

    @property
    def fields(self) -> tuple[str, ...]:
        """What it holds: what it captured, and its defaults that were computed."""
        return *self.names, *map(default_of, self.computed)


class Groups:
    """The definitions of one function's scope."""

    def __init__(self, outer: CodeType, body: list[ast.stmt], boxes: dict[str, str]) -> None:
        self.outer, self.boxes = outer, boxes
        self.functions = dict(_functions_of(body))
        self.made: dict[str, Definition] = {}

    def of(self, node: Function) -> Definition:
        """What is known of a function."""
        name = next((n for n, f in self.functions.items() if f is node), "")
        return self._named(name) if name else self._plain(node)

    def _named(self, name: str) -> Definition:
        if name not in self.made:
            found = self._plain(self.functions[name])
            reached: list[str] = []
            self._reach(name, reached, set())
            if name in reached:
                each = [self._plain(self.functions[n]) for n in reached]
                names = tuple(dict.fromkeys(v for d in each for v in d.names if v not in reached))
                boxes = {v: b for d in each for v, b in d.boxes.items()}
                found = found._replace(names=names, boxes=boxes)
            self.made[name] = found
            if name in reached:
                if found.computed:
                    raise Declined("a function that calls itself, whose defaults are computed")
                found.group.update((n, self._named(n)) for n in reached)
        return self.made[name]

    def _plain(self, node: Function) -> Definition:
        code = code_of(self.outer, node)
        boxes = {n: b for n, b in self.boxes.items() if n in code.co_freevars}
        names = tuple(dict.fromkeys(boxes.get(n, n) for n in code.co_freevars))
        return Definition(code, names, boxes, *defaults_of(node), {})

    def _reach(self, name: str, reached: list[str], seen: set[str]) -> None:
        """Add the functions that one reaches, each after those that it reaches."""
        for n in self._plain(self.functions[name]).names:
            if n in self.functions and n not in seen:
                seen.add(n)
                self._reach(n, reached, seen)
                reached.append(n)


def _functions_of(body: list[ast.stmt]) -> Any:
    for s in body:
        if isinstance(s, ast.FunctionDef):
            yield s.name, s
        elif isinstance(s, ast.Assign | ast.AnnAssign) and isinstance(s.value, ast.Lambda):
            for t in s.targets if isinstance(s, ast.Assign) else [s.target]:
                if isinstance(t, ast.Name):
                    yield t.id, s.value
