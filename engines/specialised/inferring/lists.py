"""Lists: what methods do to lists, and lists of the entries of an array, as steps of a text."""

from __future__ import annotations

from typing import Any

from ..reading import listing, wording
from ..reading.steps import Step
from .entries import Entries
from .frames import Frame


class OfLists(Entries):
    """Writes these steps; Inlined makes and names them."""

    def _entries_of(self, s: Step, args: tuple[str, ...], frame: Frame) -> list[Step]:
        """The entries of an array as a list."""
        whole, of_item = frame.profile.entries_of.get(s.number, ("?", "?"))
        array, target, counter = args[-1], self._target(s, frame), self.fresh("i")
        before = []
        if s.op == "get":  # what a starred target gets
            array = self.fresh("rest")
            before.append(self._new("get", array, args, s, frame, s.text, whole, least=s.facts["rest"]))
        size = self._counting_call(len, array, s, frame)
        over = self._counting_call(range, size.target, s, frame)
        item = self._new("get", self.fresh("item"), (array,), s, frame, counter, of_item)
        item.names = (counter,)
        loop = self._new("loop", counter, (over.target,), s, frame, seen="i")
        loop.body = [item, self._new("append", "", (target, item.target), s, frame)]
        return [*before, self._new("list", target, (), s, frame), size, over, loop]

    def _flat(self, s: Step, args: tuple[str, ...], frame: Frame) -> list[Step]:
        """The entries of an array in their order."""
        seen = frame.profile.seen[s.number]
        made = self._new("method", self._target(s, frame), args, s, frame, "ravel", seen)
        self.samples[made.number] = frame.profile.samples[s.number]
        return [made]

    def _of_text(self, s: Step, args: tuple[str, ...], frame: Frame) -> list[Step]:
        """What a method of a text says, as a call of a function."""
        f = wording.METHODS[s.text]
        target, given = self._target(s, frame), (self.constant(f, ("F", f)), *args)
        seen = frame.profile.seen[s.number]
        made = self._new("call", target, given, s, frame, seen=seen, wording=s.text)
        self.samples[made.number] = tuple("" for _ in args), {}
        return [made]

    def _items_of(self, s: Step, args: tuple[str, ...], frame: Frame) -> list[Step]:
        """A list or tuple of the items of something."""
        kinds, seen = frame.profile.shared[s.number], frame.profile.seen[s.number]
        out = [
            self._new("get", self.fresh("item"), args[-1:], s, frame, str(i), k, of=len(kinds))
            for i, k in enumerate(kinds)
        ]
        items, op = tuple(x.target for x in out), "list" if seen == "L" else "tuple"
        return [*out, self._new(op, self._target(s, frame), items, s, frame, seen=seen)]

    def _counting_call(self, f: Any, a: str, s: Step, frame: Frame) -> Step:
        given = self.constant(f, ("F", f)), a
        return self._new("call", self.fresh("n"), given, s, frame, counts=f.__name__)

    def _of_list(self, s: Step, args: tuple[str, ...], frame: Frame) -> list[Step]:
        """What a method does to a list."""
        made = listing.steps_of(
            s,
            self._target(s, frame),
            args,
            lambda op, target, given, text="": self._new(op, target, given, s, frame, text),
        )
        if s.number in frame.profile.seen:
            self.seen.update({x.number: frame.profile.seen[s.number] for x in made if x.op == "get"})
        return made
