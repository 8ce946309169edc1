"""Of held: objects of a library in a text, as tuples of what that made and of what they hold."""

from __future__ import annotations

from ..reading.composed import Kind
from ..reading.held import MADE
from ..reading.steps import Step
from .frames import Frame
from .lists import OfLists


class OfHeld(OfLists):
    """Writes these steps; Inlined makes and names them."""

    def _holding(self, s: Step, args: tuple[str, ...], frame: Frame) -> list[Step]:
        """An object that is put together."""
        k = frame.profile.seen[s.number]
        made, out = self._bare(args[1], s, frame)
        values = args[len(args) + 1 - len(k.keys) :]
        target = self._target(s, frame)
        return [*out, self._new("tuple", target, (made, *values), s, frame, keys=k.keys, made=k.made)]

    def _bare(self, a: str, s: Step, frame: Frame) -> tuple[str, list[Step]]:
        """What the library made, of an object, and the step that takes it."""
        step = self._new("attr", self.fresh("made"), (a,), s, frame, MADE)
        return step.target, [step]

    def _of_library(self, s: Step, args: tuple[str, ...], frame: Frame) -> list[Step]:
        """How an object was made."""
        made, out = self._bare(args[0], s, frame)
        seen = frame.profile.seen[s.number]
        step = self._new("attr", self._target(s, frame), (made,), s, frame, s.text, seen)
        return [*out, step, *self._as_held(step, s, frame)]

    def _bared(self, s: Step, args: tuple[str, ...], frame: Frame) -> tuple[list[Step], tuple[str, ...]]:
        """The arguments of a call of a library's function, of objects what that made."""
        out: list[Step] = []
        first = s.op == "call"
        given = list(args[first:])
        for i, is_held in enumerate(frame.profile.noted["bared"].get(s.number, ())):
            if is_held:
                given[i], steps = self._bare(given[i], s, frame)
                out += steps
        return out, (*args[:first], *given)

    def _as_held(self, made: Step, s: Step, frame: Frame) -> list[Step]:
        """The step that makes an object of what a call returned, if that is one of a library's."""
        if s.number in frame.profile.axisless:
            made.facts["without axes"] = True
        if s.number not in frame.profile.raw:
            return []
        k: Kind = frame.profile.seen[s.number]
        target, made.target = made.target, self.fresh("made")
        self.seen[made.number] = k[1]
        return [self._new("tuple", target, (made.target,), s, frame, keys=k.keys, made=k.made)]
