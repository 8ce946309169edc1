"""The first pullback of a program, run from its actions before there is a text of it.

Writing and compiling the text of a pullback takes longer than running it once. So the first one is run
as it stands, action by action, which gives the same answers; the text is made when a second one is
asked for, when the first is differentiated itself, or where a long trace makes it worth while.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from types import CellType, FrameType
from typing import Any

from ....core.tracebacks import RUNNERS
from ....tangents import ZERO, add, gather
from ..values.answers import Answer, Between
from ..values.structures import captured, function_tangent, tuple_tangent
from .actions import Action, Called, Copied, Defined, Forgotten, Given, Plan, Unpacked
from .pullback_text import written

_LONG = 1000
"""Records from which on a text is made at once: running it is quicker then, by what making it takes."""
_writing = threading.Lock()


class Maker:
    """What the forward part of a program calls for its pullback, until the text is there."""

    def __init__(self, plan: Plan, name: str, compiled: Callable[[str], Callable[..., Any]]) -> None:
        self.plan = plan
        self.name = name
        self.cell = CellType(self)
        self._compiled = compiled
        self._function: Callable[..., Any] | None = None
        self._met = False

    @functools.cached_property
    def text(self) -> str:
        """The text of the function that makes pullbacks, written by one thread."""
        with _writing:
            return self.__dict__.get("text") or written(self.plan)

    @functools.cached_property
    def actions(self) -> dict[int, list[Action]]:
        """The actions of each block, in the order in which they run backwards."""
        return {b.number: b.actions[::-1] for b in self.plan.blocks}

    def settle(self) -> Callable[..., Any]:
        """The function that the text defines, which takes the place of this object in the program."""
        made = self._function
        if made is None:
            made = self._function = self.cell.cell_contents = self._compiled(self.text)
        return made

    def __call__(self, *kept: Any) -> Any:
        """A pullback of a run that kept these."""
        if self._met or not (self.plan.straight or _is_short(kept[0])):
            return self.settle()(*kept)
        self._met = True
        return FirstPullback(self, kept)


def _is_short(record: Any) -> bool:
    for _ in range(_LONG):
        if record is None:
            return True
        record = record[-1]
    return False


class FirstPullback(Between):
    """A pullback that is run from the actions, once; `back` is the one of the text, of the same run."""

    __slots__ = ("kept", "maker", "ran")

    def __init__(self, maker: Maker, kept: tuple[Any, ...]) -> None:
        self.maker = maker
        self.kept = kept
        self.ran = False

    @property
    def back(self) -> Any:
        return self.maker.settle()(*self.kept)

    def __call__(self, y_bar: Any) -> Answer:
        if self.ran:
            return self.back(y_bar)  # type: ignore[no-any-return]  # a tuple
        self.ran = True
        run = _Run(self.maker, y_bar)
        blocks = self.maker.actions
        if self.maker.plan.straight:
            for actions in reversed(blocks.values()):
                run.block(actions, self.kept)
        else:
            (record,) = self.kept
            while record is not None:
                run.block(blocks[record[0]], record)
                record = record[-1]
        return run.answers()


class _Run:
    """The adjoints of one run, by name; what is not there is zero."""

    def __init__(self, maker: Maker, seed: Any) -> None:
        self.maker = maker
        self.by_use = maker.plan.by_use
        self.seed = seed
        self.bars: dict[str, Any] = {}

    def block(self, actions: list[Action], parts: Any) -> None:
        """The actions of a block, whose pullbacks are among `parts`."""
        bars, by_use = self.bars, self.by_use
        for a in actions:
            if type(a) is not Called:
                self.other(a)
                continue
            target, operands, _, _, place, line = a
            seed = bars.pop(target, ZERO)
            if seed is ZERO:
                continue
            try:
                answers = parts[place](seed)
            except Exception as error:
                error.add_note(f"in {self.maker.name}, {self.maker.plan.note(line)}")
                raise
            for variable, answer in zip(operands, answers, strict=True):
                if variable is None or answer is ZERO:
                    continue
                if variable in bars:
                    bars[variable] = gather(bars[variable], answer)
                elif variable in by_use:
                    self.give(variable, answer)
                else:
                    bars[variable] = answer

    def other(self, a: Action) -> None:
        """An action that calls no pullback."""
        bars = self.bars
        if isinstance(a, Forgotten):
            for name in a.names:
                bars.pop(name, None)
        elif isinstance(a, Given):
            seed = self.seed.pop() if a.yielded else self.seed
            if a.variable is not None:
                self.give(a.variable, seed)
        elif isinstance(a, Unpacked):
            seeds = [bars.pop(t, ZERO) for t in reversed(a.targets)]
            if any(seed is not ZERO for seed in seeds):
                self.give(a.source, tuple_tangent(*reversed(seeds)))
        elif (seed := bars.pop(a.target, ZERO)) is ZERO:
            return
        elif isinstance(a, Copied):
            if a.source is not None:
                self.give(a.source, seed)
        elif isinstance(a, Defined) and not a.by_use:
            for name in a.captured:
                self.give(name, captured(seed, name))

    def give(self, name: str, answer: Any) -> None:
        """Add a cotangent to the adjoint of a name, or to those of what it captured."""
        if name in self.by_use:
            for inner in self.by_use[name]:
                self.give(inner, captured(answer, inner))
        else:
            bars = self.bars
            bars[name] = gather(bars[name], answer) if name in bars else answer

    def answers(self) -> Answer:
        """What the pullback answers: for the function itself if it varies, and for each parameter."""
        plan, bars = self.maker.plan, self.bars
        answers = tuple(bars.get(p, ZERO) if p else ZERO for p in plan.parameters)
        if (closure := plan.closure) is None:
            return answers
        itself = closure.get("")
        names = tuple(n for n in closure.values() if n != itself)
        tangent = function_tangent(names, *(bars.get(n, ZERO) for n in names))
        return (tangent if itself not in bars else add(tangent, bars[itself]), *answers)


def _run_by(frame: FrameType) -> tuple[str, int, str]:
    """Where the line is that a frame of `_Run.block` runs backwards, and a name for it."""
    maker, line = frame.f_locals["self"].maker, frame.f_locals.get("line", 0)
    return maker.plan.filename, line, maker.name


RUNNERS[_Run.block.__code__] = _run_by
