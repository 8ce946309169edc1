"""Tables: dictionaries whose keys are known when they run, as a list of entries and the places of the keys.

Sets are like their keys.

    memo = {}                       memo = Table()
    memo[n] = v                     its entries get v at the place of n, or at their end
    g = defaultdict(float)          g = DefaultTable(0.0)

The keys carry no derivative; the entries are a list as any other. A table is an object of a class that is
read in turn, as if it were the program's own.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from ....core import non_differentiable
from ....core.changes import pure

TABLES = __name__
"""The module whose classes are read as if they were a program's own."""


class Places:
    """At which place of a list the entry of each key is; of a set what is in it, in Python's order."""

    __slots__ = ("known",)

    def __init__(self, known: Any) -> None:
        self.known = known


def no_places() -> Places:
    """The places of no keys."""
    return Places({})


def known_of(items: Any) -> Places:
    """What is in a set of some items."""
    return Places(set(items))


def place_of(places: Places, key: Any) -> int:
    """The place of a key; KeyError where it has none."""
    return places.known[key]  # type: ignore[no-any-return]  # a dictionary's


def place_for(places: Places, key: Any) -> int:
    """The place of a key, a new one behind the others where it has none."""
    return places.known.setdefault(key, len(places.known))  # type: ignore[no-any-return]  # a dictionary's


def has(places: Places, key: Any) -> bool:
    """Whether a key has a place, or is in a set."""
    return key in places.known


def place_left(places: Places, key: Any) -> int:
    """Where a key was, which is taken out: those behind it move up. KeyError where it is not in it."""
    place: int = places.known.pop(key)
    for other, i in places.known.items():
        if i > place:
            places.known[other] = i - 1
    return place


def keys_of(places: Places) -> list[Any]:
    """The keys in their order."""
    return [*places.known]


def count_of(places: Places) -> int:
    """How many keys there are."""
    return len(places.known)


def put_into(places: Places, key: Any) -> None:
    """Put a key into a set."""
    places.known.add(key)


def take_from(places: Places, key: Any) -> None:
    """Take a key out of a set, where it is in it."""
    places.known.discard(key)


_OF_TABLES = (no_places, place_of, place_for, place_left, has, keys_of)
for _f in (*_OF_TABLES, known_of, count_of, put_into, take_from):
    non_differentiable(_f, why="looks for a place")
    pure(_f)


class Table:
    """A dictionary of any keys."""

    def __init__(self) -> None:
        self.places = no_places()
        self.entries: list[Any] = []

    def __getitem__(self, key: Any) -> Any:
        return self.entries[place_of(self.places, key)]

    def __setitem__(self, key: Any, value: Any) -> None:
        i = place_for(self.places, key)
        if i == len(self.entries):
            self.entries.append(value)
        else:
            self.entries[i] = value

    def __contains__(self, key: Any) -> bool:
        return has(self.places, key)

    def __len__(self) -> int:
        return len(self.entries)

    def __iter__(self) -> Any:
        return keys_of(self.places)  # what a loop that is read goes through, as the keys were when it began

    def get(self, key: Any, default: Any = None) -> Any:
        """The entry of a key, or something else."""
        if has(self.places, key):
            return self.entries[place_of(self.places, key)]
        return default

    def setdefault(self, key: Any, default: Any) -> Any:
        """The entry of a key, which is set where there is none."""
        if not has(self.places, key):
            self[key] = default
        return self[key]

    def pop(self, key: Any) -> Any:
        """The entry of a key, which is taken out; KeyError where there is none."""
        return self.entries.pop(place_left(self.places, key))

    def copy(self) -> Any:
        """A table of the same entries."""
        made = Table()
        for key in keys_of(self.places):
            made[key] = self[key]
        return made

    def keys(self) -> Any:
        """The keys in their order."""
        return keys_of(self.places)

    def values(self) -> Any:
        """The entries in the order of their keys, as they are when they are read."""
        return self.entries

    def items(self) -> Any:
        """Keys and entries."""
        keys = keys_of(self.places)
        return [(keys[i], self.entries[i]) for i in range(len(keys))]


class Members:
    """A set."""

    def __init__(self, items: Any) -> None:
        self.known = known_of(items)

    def add(self, key: Any) -> None:
        """Put a key into it."""
        put_into(self.known, key)

    def discard(self, key: Any) -> None:
        """Take a key out of it, where it is in it."""
        take_from(self.known, key)

    def remove(self, key: Any) -> None:
        """Take a key out of it; KeyError where it is not in it."""
        if not has(self.known, key):
            raise KeyError(key)
        take_from(self.known, key)

    def __contains__(self, key: Any) -> bool:
        return has(self.known, key)

    def __len__(self) -> int:
        return count_of(self.known)

    def __iter__(self) -> Any:
        return keys_of(self.known)  # what a loop that is read goes through, as it was when it began


def table_of(pairs: Any) -> Any:
    """The table of some pairs of a key and an entry."""
    made = Table()
    for key, entry in pairs:
        made[key] = entry
    return made


class DefaultTable(Table):
    """A dictionary of any keys, which have an entry from the beginning."""

    def __init__(self, default: float) -> None:
        self.places = no_places()
        self.entries = []
        self.default = default

    def __getitem__(self, key: Any) -> Any:
        if not has(self.places, key):
            self[key] = self.default
        return self.entries[place_of(self.places, key)]


class TableOfLists(Table):
    """The same where the entries are lists: what is read of it is of a kind of its own."""


def table_of_lists(pairs: Any) -> Any:
    """The table of some pairs of a key and a list."""
    made = TableOfLists()
    for key, entry in pairs:
        made[key] = entry
    return made


class ListTable(TableOfLists):
    """A dictionary of any keys, whose entries are empty lists at first."""

    def __init__(self) -> None:
        self.places = no_places()
        self.entries = []

    def __getitem__(self, key: Any) -> Any:
        if not has(self.places, key):
            self[key] = []
        return self.entries[place_of(self.places, key)]


STAND_FOR: dict[type, type] = {
    Table: dict,
    TableOfLists: dict,
    DefaultTable: defaultdict,
    ListTable: defaultdict,
    Members: set,
}
"""What `isinstance` takes tables and sets for, which stand in their place."""
