"""Of turns: what was seen of a step in one turn of a loop, where it was another in other turns."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable
from typing import Any

from ..reading.declined import Changing, Declined
from ..reading.kinds import MIXED, Kind, join
from ..reading.steps import Step
from .recording import Profile
from .sharing import needed

_NOTED = (
    *("seen", "sequences", "alike", "ranges", "callees", "callees_in_order", "samples"),
    "samples_in_order",
)
"""What a recorded run noted of steps."""


class OfTurns:
    """Tells turns apart; Inlined has the steps."""

    seen: dict[int, Kind]
    sequences: dict[int, list[Kind]]
    callees: dict[int, tuple[Any, ...]]
    callees_in_order: dict[int, list[tuple[Any, ...] | None]]
    samples: dict[int, tuple[Any, ...]]
    samples_in_order: dict[int, list[tuple[Any, ...]]]
    several: set[int]
    taken: set[tuple[int, bool]]
    _number: Callable[[], int]

    def _note_as(self, known: Any, old: int, new: int) -> None:
        """Note what is known of a step, of a profile or of these steps, under another number."""
        for name in _NOTED:
            noted: dict[int, Any] = getattr(known, name)
            if old in noted:
                getattr(self, name)[new] = noted[old]
        self.taken |= {(new, which) for which in (True, False) if (old, which) in known.taken}
        if old in known.several:
            self.several.add(new)

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
            if all(c == called[0] for c in called):
                self.several.discard(s.number)
                self.callees.update({s.number: called[0]} if called and called[0] else {})
            if s.number in self.samples_in_order:
                self.samples[s.number] = self.samples_in_order[s.number][0]

    def _hold_apart(self, s: Step, profile: Profile, way: str | None) -> None:
        """Changing unless a call of several functions can be told apart once loops are written out."""
        callees = profile.callees_in_order.get(s.number, [])
        mixed = callees and len(callees) != len(profile.sequences.get(s.number, []))
        if way is not None or mixed or any(c is not None and needed(profile.session, c) for c in callees):
            raise Changing("a call with arguments of one kind or another")
