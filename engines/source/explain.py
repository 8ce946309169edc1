"""`explain`: one derivative, watched line by line.

f runs once and its pullback once. The program of f, and that of each Python function that it calls
by position, is run with call sites that take notes: what was called, which rule answered, how long
it took in both directions, how much memory the pullback holds, which cotangents were sparse, or
thunks that nothing forced. What a line calls besides carries no derivative and is listed as such.
"""

from __future__ import annotations

import ast
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from types import CellType, FrameType, FunctionType
from typing import Any

import numpy as np

from ...core.callables import call_operator, name_of, normalise
from ...core.errors import NotDifferentiableError
from ...core.lookup import find
from ...core.registry import rules_of
from ...tangents import NO_TANGENT, ZERO, Thunk, ravel, unthunk, zero_tangent
from ...tangents.indexed import IndexedTangent, ItemTangent
from ...tangents.sparse import is_sparse
from ...tangents.thunks import is_waiting
from .calls.outside import lending_of
from .emitting.programs import program, program_for
from .explained import Explanation, Noted, Walked
from .memory.aliased_arguments import form_for
from .pictured import Graph, Node, named_shortly
from .reading.locate import locate
from .syntax.site import Site, site_called
from .values.answers import Placed
from .values.streams import started
from .values.structures import tuple_tangent


def explain(f: Callable[..., Any], *x: Any) -> Explanation:
    """What happens when f is differentiated in reverse at x, for each line of its source.

    f runs once, with its effects, and its pullback once, with a seed of ones. `print(…)` shows it in the
    terminal; a notebook shows it as a page of its own. Times include the taking of notes; that of making the
    program and of finding the rules stands apart.

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
    watch = _Watch(args)
    watch.begin(g)
    start = time.perf_counter()
    needs = tuple(zero_tangent(a) is not NO_TANGENT for a in args)
    changed = lending_of(g, args, {})
    watch.compiling += time.perf_counter() - start
    lent = () if changed is None else changed.lent
    y, back = watch.run(g, args, needs, lent)
    if lent:
        y, back = y[0], _of_value(back, len(lent))
    forward = time.perf_counter() - start - watch.compiling
    start = time.perf_counter()
    if zero_tangent(y) is not NO_TANGENT:
        vector, unravel = ravel(zero_tangent(y))
        for answer in back(unravel(np.ones_like(vector))):
            unthunk(answer)
    backward = time.perf_counter() - start
    watch.finish(y)
    functions = list(watch.functions.values())
    return Explanation(name_of(f), y, forward, backward, functions, watch.compiling, watch.graph)


def _of_value(back: Callable[..., Any], states: int) -> Callable[..., Any]:
    """The pullback of a function that returns states after its value, for its value alone."""

    def pullback(y_bar: Any) -> Any:
        return back(tuple_tangent(y_bar, *(ZERO,) * states))

    return pullback


@dataclass
class _Watch:
    """The notes taken so far, and the arrays that have been counted."""

    inputs: Any
    functions: dict[Any, Walked] = field(default_factory=dict)
    counted: dict[int, Any] = field(default_factory=dict)
    waiting: list[tuple[Noted, int, Thunk]] = field(default_factory=list)
    compiling: float = 0.0  # seconds in which programs were made and rules looked up
    graph: Graph = field(default_factory=Graph)
    boxes: dict[Any, int] = field(default_factory=dict)  # by code and instruction, their numbers in the graph

    def __post_init__(self) -> None:
        self.kept(self.inputs)

    def begin(self, f: FunctionType) -> None:
        """Draw the arguments."""
        names = f.__code__.co_varnames[: f.__code__.co_argcount]
        for i, x in enumerate(self.inputs):
            self.graph.gives(self.graph.add(Node(names[i] if i < len(names) else f"argument {i}", "")), x)

    def run(
        self, f: FunctionType, args: tuple[Any, ...], needs: tuple[bool, ...], lent: tuple[int, ...] = ()
    ) -> tuple[Any, Any]:
        """Value and pullback of a Python function, its sites taking notes."""
        start = time.perf_counter()
        made = program_for(f, len(args), (), needs, False, lent)
        ready = program(f, form_for(made.form, f, args, {}))
        bound = ready.bind(f)
        assert isinstance(bound, FunctionType)
        walked = self.functions.setdefault(ready.code, _walked(f, ready.code, ready.helpers))
        cells = tuple(self._noting(c, walked) for c in bound.__closure__ or ())
        noting = FunctionType(bound.__code__, bound.__globals__, bound.__name__, bound.__defaults__, cells)
        noting.__kwdefaults__ = bound.__kwdefaults__
        self.compiling += time.perf_counter() - start
        y, back = started(noting(*args), ready.form)
        return y, back if made.picks is None else Placed(back, made.picks)

    def _noting(self, cell: CellType, walked: Walked) -> CellType:
        try:
            site = site_called(cell.cell_contents)
        except ValueError:  # not bound yet
            return cell
        return cell if site is None else CellType(self._site(site, walked))

    def _site(self, site: Site, walked: Walked) -> Callable[..., Any]:
        def noting(f: Any, *values: Any) -> Any:
            frame = sys._getframe(1)
            start = time.perf_counter()
            called = _called(site, f, values)
            self.compiling += time.perf_counter() - start
            start, compiling = time.perf_counter(), self.compiling
            followed = site.plain and type(f) is FunctionType and rules_of(f) is None
            result = self.run(f, values, site.mask) if followed else site.function(f, *values)
            taken = time.perf_counter() - start - (self.compiling - compiling)
            y, back, rest = result[0], result[1], result[2:]
            noted = walked.note(frame.f_lineno, *called)
            noted.runs += 1
            noted.forward += taken
            noted.bytes += self.kept((y, back))
            node = None if followed else self._drawn(frame, noted, values, y)
            if node is not None:
                node.forward += taken
            return y, self._pullback(back, noted, node), *rest

        return noting

    def _drawn(self, frame: FrameType, noted: Noted, values: tuple[Any, ...], y: Any) -> Node:
        """The box of a call: one for each place in the text."""
        place = frame.f_code, frame.f_lasti
        number = self.boxes.get(place)
        if number is None:
            node = Node(named_shortly(noted.callee), f"line {noted.line}")
            number = self.boxes[place] = self.graph.add(node)
        self.graph.takes(number, values)
        self.graph.gives(number, y)
        return self.graph.nodes[number]

    def _pullback(self, back: Any, noted: Noted, node: Node | None) -> Callable[..., Any]:
        def noting_pullback(*seeds: Any) -> Any:
            start = time.perf_counter()
            answers = back(*seeds)
            taken = time.perf_counter() - start
            noted.backward += taken
            if node is not None:
                node.backward += taken
            for i, t in enumerate(answers if type(answers) is tuple else ()):
                if isinstance(t, Thunk):
                    self.waiting.append((noted, i, t))
                elif isinstance(t, IndexedTangent | ItemTangent) or is_sparse(t):
                    noted.say(f"the cotangent of operand {i} was sparse")
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

    def finish(self, y: Any) -> None:
        """Draw the value, and note the thunks that nothing forced."""
        value = self.graph.add(Node("value", ""))
        self.graph.takes(value, (y,))
        self.graph.gives(value, y)
        self.graph.made.clear()
        for noted, i, thunk in self.waiting:
            if is_waiting(thunk):
                noted.say(f"the cotangent of operand {i} was a thunk that nothing forced")


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


def _called(site: Site, f: Any, values: tuple[Any, ...]) -> tuple[str, str]:
    """The name of what a site calls, and what answered for its derivative."""
    operands = values
    if site.callee == "method":
        f, operands = getattr(f, values[0]), values[1:]
    args, kwargs, _ = site.layout.spread(operands)
    g, every, keywords = normalise(f, args, kwargs)
    rules = rules_of(g)
    if rules is None:
        code = getattr(g, "__code__", None)
        return name_of(g), "its source" + (f" {code.co_filename}:{code.co_firstlineno}" if code else "")
    if rules.non_differentiable is not None:
        return name_of(g), f"no derivative: {rules.non_differentiable}"
    found = find("reverse", g, every, keywords)
    return name_of(g), str(found.method) if found is not None and found.method is not None else "its source"


def _walked(f: FunctionType, code: Any, helpers: dict[str, CellType]) -> Walked:
    """The lines of a function, with the calls that no site stands for."""
    source = locate(f.__code__)
    sites = {n for n, c in helpers.items() if site_called(c.cell_contents) is not None}
    active = {
        (n.lineno, n.col_offset)
        for n in ast.walk(locate(code).node)
        if isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id in sites
    }
    walked = Walked(name_of(f), source.filename, source.node.lineno, source.node.end_lineno or 0)
    for n in ast.walk(source.node):
        if isinstance(n, ast.Call) and (n.lineno, n.col_offset) not in active:
            walked.inactive.setdefault(n.lineno, []).append(ast.unparse(n.func))
    return walked
