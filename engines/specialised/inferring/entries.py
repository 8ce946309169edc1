"""Entries: named tuples that are made, and what dictionaries tell of their entries, as tuples."""

from __future__ import annotations

from typing import Any

from ..reading.declined import Unkeyed
from ..reading.expecting import with_keys
from ..reading.kinds import kind_of
from ..reading.ordering import SORTED, pairs_in_order
from ..reading.steps import Step, is_name, literal
from .frames import Frame
from .writer import Writer


class Entries(Writer):
    """Writes these steps."""

    def _entries(self, s: Step, args: tuple[str, ...], frame: Frame, keys: Any = None) -> list[Step]:
        """The keys or entries of a dictionary as a tuple; an entry, or what is given in its place.

        `keys` are the dictionary's, where they were others in other turns of a loop.
        """
        if keys is None:
            keys = frame.profile.callees_in_order[s.number][0][1]
        if s.op == "call":  # of `list` or `tuple`
            args = args[1:]
        target, out = self._target(s, frame), [self._expected(args[0], with_keys(keys), s, frame)]
        if s.text == "get":
            key = next((k for k in keys if args[1] == f"={k!r}"), None)
            if is_name(args[1]):
                default = args[2] if len(args) > 2 else "=None"
                found = self._new("get", target, (args[0], default), s, frame, args[1])
                found.names = (args[1],)
                return [*out, found]
            if args[1][1:2] not in ("'", '"') and type(literal(args[1])) is not int:
                raise Unkeyed("an entry of a dictionary by what is neither a text nor a whole number")
            if key is not None:
                return [*out, self._new("get", target, args[:1], s, frame, repr(key))]
            return [*out, self._new("copy", target, (args[2] if len(args) > 2 else "=None",), s, frame)]
        if s.text in SORTED.values():
            keys = tuple(sorted(keys))
        items = [f"={k!r}" for k in keys]
        if s.text in ("items", "values", SORTED[pairs_in_order]):
            for i, k in enumerate(keys):
                entry = self._new("get", self.fresh("entry"), args[:1], s, frame, repr(k))
                out.append(entry)
                pair = self._new("tuple", self.fresh("pair"), (items[i], entry.target), s, frame)
                if s.text != "values":
                    out.append(pair)
                items[i] = out[-1].target
        return [*out, self._new("tuple", target, tuple(items), s, frame)]

    def _keyed(self, s: Step, args: tuple[str, ...], frame: Frame) -> list[Step]:
        """A dictionary that is made of others, each entry from the last that has it, or of pairs."""
        keys, parts = frame.profile.shared[s.number]
        args = args[-len(parts) :]
        out: list[Step] = []
        values = []
        for part, of_part in zip(args, parts, strict=True):
            if of_part is not None:
                out.append(self._expected(part, with_keys(of_part), s, frame))
        for i, key in enumerate(keys):
            if parts[0] is None:
                out += self._of_pair(args[0], i, len(keys), key, s, frame)
            else:
                last = max(p for p, has in enumerate(parts) if key in has)
                out.append(self._new("get", self.fresh("entry"), (args[last],), s, frame, repr(key)))
            values.append(out[-1].target)
        target, seen = self._target(s, frame), frame.profile.seen[s.number]
        return [*out, self._new("tuple", target, tuple(values), s, frame, seen=seen, keys=keys)]

    def _of_pair(self, pairs: str, i: int, count: int, key: str, s: Step, frame: Frame) -> list[Step]:
        """The value of one of so many pairs; no run in which its key is another."""
        of_value = frame.profile.seen[s.number][1 + i]
        of_pair = "T", "Z", of_value
        pair = self._new("get", self.fresh("pair"), (pairs,), s, frame, str(i), of_pair, of=count)
        name = self._new("get", self.fresh("key"), (pair.target,), s, frame, "0", "Z")
        same = self._new("compare", self.fresh("t"), (name.target, f"={key!r}"), s, frame, "==")
        held = self._held_to(same.target, s, frame)
        value = self._new("get", self.fresh("entry"), (pair.target,), s, frame, "1", of_value)
        return [pair, name, same, held, value]

    def _updated(self, s: Step, args: tuple[str, ...], frame: Frame) -> list[Step]:
        """What `update` sets in a dictionary."""
        out = []
        if len(args) - len(s.keywords) == 2:
            out.append(self._expected(args[1], with_keys(frame.profile.shared[s.number]), s, frame))
        for key in frame.profile.shared[s.number]:
            entry = self._new("get", self.fresh("entry"), args[1:2], s, frame, repr(key))
            out += [entry, self._new("setkey", "", (args[0], entry.target), s, frame, repr(key))]
        named = args[len(args) - len(s.keywords) :]
        for key, a in zip(s.keywords, named, strict=True):
            out.append(self._new("setkey", "", (args[0], a), s, frame, repr(key)))
        return [*out, self._new("copy", self._target(s, frame), ("=None",), s, frame)]

    def _named_tuple(self, s: Step, args: tuple[str, ...], frame: Frame, P: Any) -> list[Step]:
        """A named tuple that is made."""
        given = dict(zip(P._fields, args[1 : len(args) - len(s.keywords)], strict=False))
        given.update(zip(s.keywords, args[len(args) - len(s.keywords) :], strict=True))
        for n, value in P._field_defaults.items():
            if n not in given:
                given[n] = self.constant(value, kind_of(value))
        fields = tuple(given[n] for n in P._fields)
        return [self._new("tuple", self._target(s, frame), fields, s, frame, keys=P._fields, named=P)]
