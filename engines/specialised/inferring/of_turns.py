"""Of turns: what was seen of a step in one turn of a loop, where it was another in other turns."""

from __future__ import annotations

import contextlib
import copy
import functools
from collections.abc import Callable
from typing import Any

from ..reading.declined import Changing, Declined, Unkeyed
from ..reading.kinds import MIXED, join
from ..reading.steps import Step
from .frames import Frame
from .sharing import needed
from .writer import Writer


class PutOff:
    """A call that was put off, and the function that it stands in."""

    def __init__(self, step: Step, frame: Frame) -> None:
        self.step, self.frame = step, frame


class OfTurns(Writer):
    """Tells turns apart; Inlined has the steps."""

    _entries: Callable[..., list[Step]]

    def _of_turn(self, s: Step, turn: int, count: int, inside: bool) -> None:
        """Give a step of one turn the kind that was seen there, where the kinds changed from turn to turn.

        `inside`: whether it is in a loop inside the loop, whose turns follow one another.
        """
        several = s.number in self.several
        if self.seen.get(s.number) != MIXED and not several:
            return
        old, s.number = s.number, self._number()
        self._note_as(self, old, s.number)
        for in_order in (self.sequences, self.callees_in_order, self.samples_in_order):
            every: Any = in_order.get(old, [])
            size, rest = divmod(len(every), count)
            if size and not rest:
                part = every[turn * size : (turn + 1) * size] if inside else every[turn::count]
                in_order[s.number] = part
        with contextlib.suppress(Declined):
            self.seen[s.number] = functools.reduce(join, self.sequences.get(s.number, [MIXED]))
        if several:
            called = self.callees_in_order.get(s.number, [])
            if called and all(c == called[0] for c in called):
                self.several.discard(s.number)
            if s.number in self.samples_in_order:
                self.samples[s.number] = self.samples_in_order[s.number][0]

    def _put_off(self, s: Step, args: tuple[str, ...], frame: Frame) -> Step:
        """A call of several functions, until it is known which of them its turn calls."""
        made = self._renamed(s, args, frame)
        made.line = s.line if frame.top else frame.line
        made.facts["put off"] = PutOff(s, frame)
        return made

    def _called_now(self, steps: list[Step]) -> list[Step]:
        """The steps with calls in the place of those that were put off; Changing where that is not known."""
        out: list[Step] = []
        for s in steps:
            s.body, s.orelse = self._called_now(s.body), self._called_now(s.orelse)
            known = s.facts.pop("put off", None)
            if known is None:
                out.append(s)
                continue
            way, callee = self.callees_in_order[s.number][0]
            if s.number in self.several and way == "dictionary":
                raise Unkeyed("a dictionary of several forms")
            if s.number in self.several:
                raise Changing("a call with arguments of one kind or another")
            frame = copy.copy(known.frame)
            frame.names = copy.copy(frame.names)
            if callee is None or (way is None and not needed(self.session, callee)):
                if callee is not None:
                    self.callees[s.number] = callee
                    _, s.args = self._by_position(known.step, s.args, callee[0], frame)
                    s.keywords = ()
                out.append(s)
                continue
            frame.names[known.step.target] = s.target
            if way == "dictionary":
                out += self._entries(known.step, s.args, frame, callee)
            else:
                out += self._called(known.step, s.args, frame, callee, way)
        return out
