"""Packing: objects in lists, as tuples of their fields.

    path.append(body)       path.append((body__pos, body__vel))
    b = path[i]             b__pos, b__vel = path[i]

That is done in lists of the text's own. The objects of one list are of one class, which its tuples do not
tell, and do not change: a field that is set belongs to an object of which it is known where it was made.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

from .declined import Declined
from .kinds import Kind, has_list, has_object, is_tuple, keys_of, made_of
from .steps import GROWS, Step, is_name, walk

_PUTS = (*GROWS, "list", "set")


class Packed:
    """Which lists are the same, and what is put into them."""

    def __init__(self, steps: list[Step], kind: Callable[[str], Kind]) -> None:
        self.kind = kind
        self.same: dict[str, str] = {}
        every = [*walk(steps)]
        for s in every:
            lists = [n for n in (s.target, *s.args) if n and is_name(n) and kind(n) == "L"]
            for a, b in itertools.pairwise(lists):
                self.same[self._first(a)] = self._first(b)
        self.put: dict[str, list[Kind]] = {}
        for s in every:
            if s.op in _PUTS and kind(base := s.target or s.args[0]) == "L":
                given = s.args if s.op == "list" else s.args[1:]
                self.put.setdefault(self._first(base), []).extend(map(kind, given))

    def _first(self, name: str) -> str:
        while name in self.same and self.same[name] != name:
            name = self.same[name]
        return name

    def holds(self, name: str) -> bool:
        """Whether a list has objects as tuples."""
        put = self.put.get(self._first(name), [])
        if not any(map(has_object, put)):
            return False
        if any(has_object(k) and has_list(k) for k in put):
            raise Declined("an object with a list, in a list")
        if len({_form(k) for k in put if k != "L"}) > 1:
            raise Declined("objects of several classes, or an object and something else, in a list")
        return True


def mark_packed(steps: list[Step], kind: Callable[[str], Kind]) -> None:
    """Note which steps take an object out of a list that has it as a tuple."""
    packed = Packed(steps, kind)
    for s in walk(steps):
        if s.op == "get" and kind(s.args[0]) == "L" and has_object(kind(s.target)):
            s.facts["packed"] = packed.holds(s.args[0])


def boxed(k: Kind) -> Kind:
    """The kind of the tuple in the place of an object, or of what has objects in it."""
    return ("T", *map(boxed, k[1:])) if has_object(k) else k


def _form(k: Kind) -> Any:
    """The class of an object, and those of what it holds."""
    return (made_of(k), keys_of(k), *map(_form, k[1:])) if is_tuple(k) else None
