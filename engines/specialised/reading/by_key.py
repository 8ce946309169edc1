"""By key: an entry of a dictionary by a key that only a run knows, as an item of a list of its entries.

    iv[d]                   entries = [iv__0, iv__1]; place = place_of(d)
                            entries[place]

The entries are of one kind. `iv.get(d, v)` has v as the last of the items.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from .composed import Keyed, Kind
from .declined import Changing, Unkeyed
from .kinds import NUMBERS, axes, is_tuple, join
from .steps import Step


def is_by_key(s: Step, base: Kind) -> bool:
    """Whether a step reads an entry by a variable."""
    return s.op == "get" and type(base) is Keyed and s.names == (s.text,)


def is_missing(s: Step, base: Kind) -> bool:
    """Whether a step reads an entry that is none, as may stand where nobody comes: Python raises there."""
    keyed = s.op == "get" and type(base) is Keyed and not s.names and ":" not in s.text
    return keyed and all(repr(key) != s.text for key in base.keys)


def kind_by_key(base: Kind, key: Kind, default: list[Kind]) -> Kind:
    """The kind of such an entry, which may be what is given in its place."""
    try:
        found = functools.reduce(join, (*base[1:], *default))
    except (Changing, TypeError):
        found = "N"
    if is_tuple(found) or key not in ("i", "q", "Z") or not (found in NUMBERS or axes(found)):
        raise Unkeyed("an entry of a dictionary that is not known")
    return found


class ByKey:
    """Takes such steps apart."""

    kinds: dict[str, Kind]
    profile: Any
    _opened: Callable[..., None]

    def _by_key(self, s: Step, base: Any) -> list[Step]:
        entries, at = f"entries__{s.number}", f"place__{s.number}"
        self._opened([(s.args[0], base)])
        self.kinds.update({entries: "L", at: "i"})
        place = _placer(base.keys, len(s.args) > 1)
        items = (*(f"{s.args[0]}__{i}" for i in range(len(base) - 1)), *s.args[1:])
        found = Step("get", s.target, (entries,), s.line, at, names=(at,), number=s.number)
        return [
            Step("list", entries, items, s.line),
            Step("call", at, (self.profile.constant(place, ("F", place)), s.text), s.line),
            found,
        ]


def _placer(keys: tuple[Any, ...], has_default: bool) -> Callable[[Any], int]:
    """The place of a key; behind all others where it is none of them, which is an error without a default."""
    places = {key: i for i, key in enumerate(keys)}

    def place_of(key: Any) -> int:
        return places.get(key, len(places)) if has_default else places[key]

    return place_of
