"""`explain`: one derivative, watched line by line.

f runs once and its pullback once, in a run that takes notes: what each line called, which rule answered, how
long it took in both directions, how much memory the pullback holds, which cotangents were sparse, or thunks
that nothing forced. What a line calls besides carries no derivative and is listed as such.
"""

from __future__ import annotations

import ast
import operator
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from types import CellType, FrameType, FunctionType
from typing import Any

import numpy as np

from ...core.callables import call_operator, name_of, normalise
from ...core.errors import NotDifferentiableError
from ...core.lookup import find
from ...core.registry import rules_of
from ...tangents import NO_TANGENT, Thunk, ravel, unthunk, zero_tangent
from ...tangents.indexed import IndexedTangent, ItemTangent
from ...tangents.sparse import is_sparse
from ...tangents.thunks import is_waiting
from ..following.entering import Entered
from ..following.pullbacks import Pullback, Recorded
from ..following.reverse import Event, ReverseRun
from ..following.twins import code_of, twin_of
from . import show
from .engine import engine
from .explained import Explanation, Noted, Walked
from .pictured import Graph, Node
from .reading.locate import locate


def explain(f: Callable[..., Any], *x: Any) -> Explanation:
    """What happens when f is differentiated in reverse at x, for each line of its source.

    f runs once, with its effects, and its pullback once, with a seed of ones. `print(…)` shows it in the
    terminal; a notebook shows it as a page of its own. Times include the taking of notes; that of preparing
    f and of finding the rules stands apart. `text` is what `grad` runs in place of f by now; where it runs
    none, `why` says why.

    Raises:  NotDifferentiableError where f is not written in Python; else as `vjp`.
    Example: >>> explanation = explain(lambda x: x * x, 3.0)
             >>> explanation.value, explanation.functions[0].notes[0].callee
             (9.0, 'operator.mul')
    """
    g, args, _ = normalise(f, x, {})
    if type(g) is not FunctionType and rules_of(g) is None:
        call = call_operator(g)
        g, args = (call, (g, *args)) if call is not None else (g, args)
    if type(g) is not FunctionType or rules_of(g) is not None:
        raise NotDifferentiableError(
            f"{name_of(f)} is not followed into Python source, so that there are no lines to explain",
            next="look at rules_for(f), or explain a function that calls it",
        )
    start = time.perf_counter()
    twin_of(g)
    run = _NotingRun()
    run.compiling += time.perf_counter() - start
    entered = Entered(run, args, tuple(zero_tangent(a) is not NO_TANGENT for a in args))
    run.begin(g, entered.args)
    start, found = time.perf_counter(), run.compiling
    y, layout, leaves = entered.run(run, g, {})
    forward = time.perf_counter() - start - (run.compiling - found)
    start = time.perf_counter()
    if zero_tangent(y) is not NO_TANGENT:
        vector, unravel = ravel(zero_tangent(y))
        for answer in Pullback(Recorded(run, entered, layout, leaves))(unravel(np.ones_like(vector))):
            unthunk(answer)
    backward = time.perf_counter() - start
    run.finish(leaves if leaves else (y,), y)
    functions = list(run.functions.values())
    taken = forward, backward, functions, run.compiling, run.graph
    return Explanation(name_of(f), y, *taken, *show.specialised(g, args))


@dataclass(eq=False)
class _Line:
    """A line that runs: its function's notes, and the lines further out that called it."""

    frame: FrameType
    walked: Walked
    outer: list[Noted] = field(default_factory=list)


class _NotingRun(ReverseRun):
    """A run in reverse that takes notes."""

    joins, apart = False, True

    def __init__(self) -> None:
        super().__init__(engine)
        self.functions: dict[Any, Walked] = {}
        self.frames: dict[int, FrameType] = {}  # of followed functions whose calls are noted
        self.counted: dict[int, Any] = {}  # arrays that were counted
        self.waiting: list[tuple[Noted, int, Thunk]] = []
        self.compiling = 0.0  # seconds in which functions were prepared and rules looked up
        self.graph = Graph()
        self.boxes: dict[Any, int] = {}  # by code and instruction, their numbers in the graph

    def begin(self, f: FunctionType, args: tuple[Any, ...]) -> None:
        """Draw the arguments."""
        self.kept(args)
        self._walked(f.__code__)
        names = f.__code__.co_varnames[: f.__code__.co_argcount]
        for i, x in enumerate(args):
            self.graph.gives(self.graph.add(Node(names[i] if i < len(names) else f"argument {i}", "")), x)

    def of_one(self, f: Any, a: Any) -> Any:
        return self._noting(super().of_one, f, (a,), {}, f, a)

    def of_two(self, f: Any, a: Any, b: Any) -> Any:
        return self._noting(super().of_two, f, (a, b), {}, f, a, b)

    def item(self, x: Any, i: Any) -> Any:
        return self._noting(super().item, operator.getitem, (x, i), {}, x, i)

    def step(self, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any], marks: Any) -> Any:
        return self._noting(super().step, f, args, kwargs, f, args, kwargs, marks)

    def write(self, a: Any, index: Any, v: Any, varies: bool) -> None:
        super().write(a, index, v, varies)
        line = self._line()
        noted = line.walked.note(
            line.frame.f_lineno, "operator.setitem", "its shadow: memory that is written into"
        )
        noted.runs += 1
        self._drawn(line, noted, (v, a), a)

    def _noting(self, does: Any, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any], *given: Any) -> Any:
        count, start = len(self.events), time.perf_counter()
        y = does(*given)
        taken = time.perf_counter() - start
        if y is NotImplemented or len(self.events) == count:
            return y
        start = time.perf_counter()
        line = self._line()
        found = find("reverse", f, args, kwargs)
        method = "its source" if found is None or found.method is None else str(found.method)
        noted = line.walked.note(line.frame.f_lineno, name_of(f), method)
        noted.runs += 1
        for one in (noted, *line.outer):
            one.forward += taken
        node = self._drawn(line, noted, (*args, *kwargs.values()), y)
        node.forward += taken
        event = self.events[-1]
        back = event[0] if type(event) is tuple else event.back
        noted.bytes += self.kept((y, back))
        watched = self._watched(back, (noted, *line.outer), node)
        if type(event) is tuple:
            self.events[-1] = (watched, *event[1:])
        elif type(event) is Event:
            event.back = watched
        self.compiling += time.perf_counter() - start
        return y

    def _line(self) -> _Line:
        """The line of a followed function that runs, with the calls that led there noted."""
        frames, frame = [], sys._getframe(2)
        while frame is not None:
            if code_of(frame.f_code) is not None:
                frames.append(frame)
                self._walked(frame.f_code).active.add(_place(frame))
            frame = frame.f_back  # type: ignore[assignment]  # None at the end
        line = _Line(frames[0], self._walked(frames[0].f_code))
        for inner, outer in pairwise(frames):
            code = code_of(inner.f_code)
            place = f"its source {code.co_filename}:{code.co_firstlineno}"
            name = f"{inner.f_globals.get('__name__', '')}.{code.co_qualname}"
            noted = self._walked(outer.f_code).note(outer.f_lineno, name, place)
            if id(inner) not in self.frames:
                self.frames[id(inner)] = inner
                noted.runs += 1
            line.outer.append(noted)
        return line

    def _walked(self, code: Any) -> Walked:
        code = code_of(code) or code
        if code not in self.functions:
            source = locate(code)
            name = source.code.co_qualname
            node = source.written
            calls = [n for n in ast.walk(node) if isinstance(n, ast.Call)]
            last = node.end_lineno or 0
            self.functions[code] = Walked(name, source.filename, node.lineno, last, calls=calls)
        return self.functions[code]

    def _drawn(self, line: _Line, noted: Noted, values: tuple[Any, ...], y: Any) -> Node:
        """The box of a call: one for each place in the text."""
        place = line.frame.f_code, line.frame.f_lasti
        number = self.boxes.get(place)
        if number is None:
            number = self.boxes[place] = self.graph.add(Node(noted.callee, f"line {noted.line}"))
        self.graph.takes(number, values)
        self.graph.gives(number, y)
        return self.graph.nodes[number]

    def _watched(self, back: Any, notes: tuple[Noted, ...], node: Node) -> Callable[..., Any]:
        def noting_pullback(*seeds: Any) -> Any:
            start = time.perf_counter()
            answers = back(*seeds)
            taken = time.perf_counter() - start
            node.backward += taken
            for note in notes:
                note.backward += taken
            for i, t in enumerate(answers if type(answers) is tuple else ()):
                if isinstance(t, Thunk):
                    self.waiting.append((notes[0], i, t))
                elif isinstance(t, IndexedTangent | ItemTangent) or is_sparse(t):
                    notes[0].say(f"the cotangent of operand {i} was sparse")
            return answers

        return noting_pullback

    def kept(self, x: Any, depth: int = 8) -> int:
        """The bytes of the arrays that are held here and were not counted before."""
        if depth == 0 or id(x) in self.counted:
            return 0
        if isinstance(x, np.ndarray):
            owner: Any = x
            while isinstance(owner.base, np.ndarray):
                owner = owner.base
            new = id(owner) not in self.counted
            self.counted[id(x)] = self.counted[id(owner)] = owner
            return int(owner.nbytes) if new else 0
        inside = _inside(x)
        if inside:
            self.counted[id(x)] = x
        return sum(self.kept(part, depth - 1) for part in inside)

    def finish(self, leaves: Any, y: Any) -> None:
        """Draw the value, and note what carried no derivative and the thunks that nothing forced."""
        value = self.graph.add(Node("value", ""))
        self.graph.takes(value, tuple(leaves))
        self.graph.gives(value, y)
        self.graph.made.clear()
        for noted, i, thunk in self.waiting:
            if is_waiting(thunk):
                noted.say(f"the cotangent of operand {i} was a thunk that nothing forced")
        self.frames.clear()


def _place(frame: FrameType) -> tuple[int | None, int | None]:
    """Where the expression begins that a frame is at."""
    line, _, column, _ = list(frame.f_code.co_positions())[frame.f_lasti // 2]
    return line, column


def _inside(x: Any) -> list[Any]:
    """What a pullback, or a container, holds."""
    if isinstance(x, tuple | list):
        return list(x)
    if isinstance(x, dict):
        return list(x.values())
    if isinstance(x, FunctionType):
        return [c.cell_contents for c in x.__closure__ or () if c != CellType()]
    if type(x).__module__.startswith("chainrules."):
        names = [n for cls in type(x).__mro__ for n in getattr(cls, "__slots__", ())]
        return [getattr(x, n, None) for n in (names if type(names) is list else [])]
    return []
