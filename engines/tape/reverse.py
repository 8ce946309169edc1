"""Reverse mode: a tape of calls, each with its pullback, and the sweep back over it.

Every recorded value has a place. An entry of the tape is one call: the places of its operands and of its
results, and its pullback. The sweep holds one adjoint for each place. A function under record may compute in
several threads, so a call gets its places and its entry under a lock.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, NamedTuple

from ...core.recording import is_recording
from ...tangents import NO_TANGENT, ZERO, Composite, add, gather, unthunk
from ..leaves import Layout
from .calls import Values, in_reverse, lifted
from .levels import Run, opened
from .value import Value


class Entry(NamedTuple):
    """One call on a tape."""

    back: Callable[[Any], Values]
    inputs: Layout | None  # of the arguments; None where none of them is a structure with values
    operands: list[int | None]  # the place of each value; without a layout, None for each other argument
    out: Layout | None  # of the result; None where it is one value
    first: int  # the place of the first value in the result
    stop: int


class Tape(Run):
    """A run in reverse; a value's note is its place."""

    def __init__(self, engine: Any) -> None:
        super().__init__(engine)
        self.entries: list[Entry] = []
        self.places = 0
        self.lock = threading.Lock()

    def value(self, x: Any) -> Value:
        """A new value of this run."""
        self.places += 1
        return Value(self, x, self.places - 1)

    def step(self, f: Any, args: Values, kwargs: dict[str, Any]) -> Any:
        """A call, recorded by its pullback."""
        given, inputs, own = self.taken(args)
        if inputs is None:
            needs = tuple([v is not None for v in own])
        else:
            needs = tuple([part.count > 0 for part in inputs.parts])
        for x, varies in zip(given, needs, strict=True):
            if not varies:
                self.lend(x)
        y, back = in_reverse(self, f, given, kwargs, needs)
        out, leaves = opened(y)
        if not leaves:
            return y
        places = [None if v is None else v.note for v in own]
        with self.lock:
            first = self.places
            values = [self.value(leaf) for leaf in leaves]
            self.entries.append(Entry(back, inputs, places, out, first, self.places))
        return values[0] if out is None else out.filled(values)

    def sweep(self, seeds: list[tuple[int, Any]], count: int) -> list[Any]:
        """The adjoints of the first `count` values, from seeds of some."""
        adjoints: list[Any] = [ZERO] * self.places
        for place, seed in seeds:
            adjoints[place] = summed(adjoints[place], seed)
        for entry in reversed(self.entries):
            found = [unthunk(t) for t in adjoints[entry.first : entry.stop]]
            if all(t is ZERO for t in found):
                continue
            answers = lifted(entry.back, found[0] if entry.out is None else entry.out.tangent(found))
            if entry.inputs is not None:
                wanted = [place is not None for place in entry.operands]
                answers = entry.inputs.entries(Composite[tuple](*answers), wanted)
            for place, t in zip(entry.operands, answers, strict=True):
                if place is not None and t is not ZERO and t is not NO_TANGENT:
                    adjoints[place] = summed(adjoints[place], t)
        return [unthunk(t) for t in adjoints[:count]]


def summed(adjoint: Any, t: Any) -> Any:
    """adjoint + t; where they hold values of a run that lasts, the sum is recorded there."""
    if adjoint is ZERO:
        return t
    return lifted(add, adjoint, t) if is_recording() else gather(adjoint, t)
