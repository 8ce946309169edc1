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
            before.append(self._new("get", self.fresh("rest"), args, s, frame, s.text))
            array, self.seen[before[0].number] = before[0].target, whole
            before[0].facts["least"] = s.facts["rest"]
        size = self._counting_call(len, array, s, frame)
        over = self._counting_call(range, size.target, s, frame)
        item = self._new("get", self.fresh("item"), (array,), s, frame, counter)
        item.names = (counter,)
        loop = self._new("loop", counter, (over.target,), s, frame)
        loop.body = [item, self._new("append", "", (target, item.target), s, frame)]
        self.seen[loop.number], self.seen[item.number] = "i", of_item
        return [*before, self._new("list", target, (), s, frame), size, over, loop]

    def _flat(self, s: Step, args: tuple[str, ...], frame: Frame) -> list[Step]:
        """The entries of an array in their order."""
        made = self._new("method", self._target(s, frame), args, s, frame, "ravel")
        self.seen[made.number] = frame.profile.seen[s.number]
        self.samples[made.number] = frame.profile.samples[s.number]
        return [made]

    def _of_text(self, s: Step, args: tuple[str, ...], frame: Frame) -> list[Step]:
        """What a method of a text says, as a call of a function."""
        f = wording.METHODS[s.text]
        made = self._new("call", self._target(s, frame), (self.constant(f, ("F", f)), *args), s, frame)
        self.seen[made.number] = frame.profile.seen[s.number]
        self.samples[made.number] = tuple("" for _ in args), {}
        made.facts["wording"] = s.text
        return [made]

    def _items_of(self, s: Step, args: tuple[str, ...], frame: Frame) -> list[Step]:
        """A list or tuple of the items of something."""
        out = []
        for i, k in enumerate(frame.profile.shared[s.number]):
            out.append(self._new("get", self.fresh("item"), args[-1:], s, frame, str(i)))
            self.seen[out[-1].number] = k
            out[-1].facts["of"] = len(frame.profile.shared[s.number])
        items, op = tuple(x.target for x in out), "list" if frame.profile.seen[s.number] == "L" else "tuple"
        made = self._new(op, self._target(s, frame), items, s, frame)
        self.seen[made.number] = frame.profile.seen[s.number]
        return [*out, made]

    def _counting_call(self, f: Any, a: str, s: Step, frame: Frame) -> Step:
        made = self._new("call", self.fresh("n"), (self.constant(f, ("F", f)), a), s, frame)
        made.facts["counts"] = f.__name__
        return made

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
