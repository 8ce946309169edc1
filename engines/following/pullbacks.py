"""Pullbacks of runs: a sweep over the events of one.

One that was made inside another run holds values that vary there, in the pullbacks of its events. It shows
them as a field, so that a rule which is given a function that holds it has their cotangents, too.
"""

from __future__ import annotations

from typing import Any

from ...tangents import NO_TANGENT, ZERO, is_zero
from ...tangents.structure import indivisible
from ..leaves import ALONE, Layout
from .entering import Entered
from .kept import RECORDS
from .natives import NATIVE
from .quick import QUICK
from .reverse import Event, ReverseRun, back_of
from .sweep import Sweep, pruned


class Recorded:
    """A run that ended, its arguments, and where the leaves are in its value that vary."""

    def __init__(self, run: ReverseRun, entered: Entered, layout: Layout, leaves: list[Any]) -> None:
        self.run, self.entered, self.layout, self.leaves = run, entered, layout, leaves

    def pulled(self, events: list[Any], y_bar: Any, *, once: bool = False) -> tuple[Any, ...]:
        """The cotangents of the arguments; `once` lets go of the run."""
        sweep, entered = Sweep(self.run), self.entered
        if self.leaves:
            alone = self.layout is ALONE and type(y_bar) in QUICK
            seeds = (y_bar,) if alone else sweep.call(self.layout.entries, y_bar)
            sweep.back_from(events, list(zip(self.leaves, seeds, strict=True)), once=once)
        found = [sweep.found(v) for v in entered.leaves]
        answers = iter(entered.tangent(found))
        return tuple([_plainly(next(answers, NO_TANGENT)) if v else ZERO for v in entered.varies])


def pulled_alone(run: ReverseRun, entered: Entered, y: float) -> list[Any]:
    """The cotangents of numbers and arrays by the events of a run that no other sees, for the seed 1 of y."""
    sweep = Sweep(run)
    sweep.bars[id(y)] = 1.0
    sweep.back_from(run.events, (), once=True)
    leaves = iter(entered.leaves)
    return [sweep.found(next(leaves)) if v else ZERO for v in entered.varies]


class Pullback:
    """The pullback of a run."""

    def __init__(self, recorded: Recorded) -> None:
        self.recorded = recorded

    def __call__(self, y_bar: Any) -> tuple[Any, ...]:
        return self.recorded.pulled(self.recorded.run.events, y_bar)

    def once(self, y_bar: Any) -> tuple[Any, ...]:
        """The same for a pullback that is called this once: memory is let go on the way."""
        return self.recorded.pulled(self.recorded.run.events, y_bar, once=True)


class InnerPullback:
    """The pullback of a run inside another, with those of its events as a field."""

    def __init__(self, recorded: Recorded) -> None:
        self.recorded = recorded
        self.backs = [back_of(e) for e in recorded.run.events]

    def __call__(self, y_bar: Any) -> tuple[Any, ...]:
        events = [_with(e, back) for e, back in zip(self.recorded.run.events, self.backs, strict=True)]
        return self.recorded.pulled(events, y_bar)


def _plainly(t: Any) -> Any:
    if type(t) in QUICK or t is NO_TANGENT:
        return t
    return ZERO if is_zero(pruned(t)) else t


def _with(event: Any, back: Any) -> Any:
    """An event with another pullback in place of its own."""
    if back is back_of(event):
        return event
    if type(event) is tuple:
        return (back, *event[1:])
    made = Event(back, event.ins, event.out, event.values, event.states)
    made.view, made.place = event.view, event.place
    return made


indivisible(Recorded)
RECORDS.add(Recorded)
indivisible(Pullback)
NATIVE.update((Pullback.__call__, InnerPullback.__call__))
