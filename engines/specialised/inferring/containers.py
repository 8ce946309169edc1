"""Containers in a recorded run: lists, dictionaries, and objects of classes that are containers.

What can be changed is what the run made itself. `ways` notes what a step did, so that the text does the same.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from ....core.registry import rules_of
from ..reading import listing, objects
from ..reading.declined import Declined, Unkeyed
from ..reading.held import is_moving
from ..reading.kinds import LONG, has_texts, join, kind_of
from ..reading.ordering import SORTED, pairs_in_order
from .holding import Holding, hold_apart
from .observing import tiny


class Key:
    """Gives back what it is indexed with."""

    def __getitem__(self, key: Any) -> Any:
        return key


class Containers(Holding):
    """What the text of a recorded run calls where there are containers."""

    # objects

    def protocol(self, number: int, way: str, f: Any, name: str, args: tuple[Any, ...]) -> Any:
        """What an object does by a method of its class, in the place of a function of Python's."""
        rules = rules_of(f)
        if rules is None or rules.non_differentiable is None:
            objects.hold_rule(f, args)
        return self.through(number, way, objects.method(type(args[0]), name), args)

    def item(self, number: int, base: Any, key: Any) -> Any:
        """An item."""
        if objects.is_object(base):
            return self.protocol(number, "item", operator.getitem, "__getitem__", (base, key))
        if self.ways.get(number) == "item":
            raise Declined("an item of an object or of something else")
        if number in self.noted["operator"] or is_moving(base):
            return self.operator_of_library(number, "getitem", base, key)
        hold_apart(base)
        self._index(number, key)
        return self.value(number, self.as_number(number, base[key]))

    def set_item(self, number: int, base: Any, key: Any, v: Any) -> None:
        """Set an item."""
        if objects.is_object(base):
            self.protocol(number, "item", operator.setitem, "__setitem__", (base, key, v))
            return
        if self.ways.get(number) == "item":
            raise Declined("an item of an object or of something else")
        if type(base) is list and type(key) is slice:
            raise Declined("items of a list that others take the place of")
        self._index(number, key)
        v = self.as_array(number, 1, v) if type(base) is np.ndarray and type(v) in (list, tuple) else v
        self.value(number, v)
        self.stored(base, number)[key] = v

    def _index(self, number: int, key: Any) -> None:
        """Note by what an item is taken or set, where that is a number or a text, the same each time."""
        same = type(key) in (int, str) and self.indices.get(number, key) == key
        self.indices[number] = key if same else None

    def contains(self, number: int, is_in: bool, a: Any, b: Any) -> Any:
        """Whether something is in something else, or is not."""
        if objects.is_object(b):
            found = self.protocol(number, "contains", operator.contains, "__contains__", (b, a))
            return found if is_in else not found
        if number in self.ways:
            raise Declined("a membership in an object or in something else")
        return self.value(number, (a in b) == is_in)

    # lists and dictionaries

    def of_list(self, number: int, name: str, owner: list[Any], *args: Any, **kwargs: Any) -> Any:
        """What a method takes out of a list that the run made, or puts in front."""
        self.way(number, "list")
        if name not in listing.METHODS or kwargs:
            raise Declined(f"the method {name}")
        self.changes.add(number)
        method, args = listing.METHODS[name](args)
        return self.value(number, getattr(self.appended(owner), method)(*args))

    def of_text(self, number: int, name: str, owner: str, args: tuple[Any, ...]) -> Any:
        """What a method of a text says."""
        texts = [v for a in args for v in (a if type(a) in (list, tuple) and name == "join" else [a])]
        self.way(number, "text")
        if not all(type(a) in (str, int) for a in texts):
            raise Declined(f"the method {name}")
        return self.value(number, getattr(owner, name)(*args))

    def maker_of_list(self, f: type, v: Any) -> Any:
        """What makes a list or tuple of this by its items, which are known; None where nothing does."""
        if type(v) is dict:
            return lambda number: self.of_dictionary(number, "keys", v)
        if f is list and listing.holds_objects(v):
            return lambda number: self.items_of(number, list, v)
        if (f is list and listing.holds_texts(v)) or (f is tuple and listing.has_items(v)):
            return lambda number: self.items_of(number, tuple, v)
        if f is list and type(v) is np.ndarray and v.ndim:
            return lambda number: self.entries(number, v)
        return None

    def items_of(self, number: int, f: type, items: Any) -> Any:
        """A list or tuple of so many items of something."""
        kinds = tuple(map(kind_of, items)) if len(items) <= LONG else ()
        known = self.shared.setdefault(number, kinds)
        self.way(number, "items")
        if len(known) != len(items):
            raise Declined("a list or tuple of many items, or of other ones")
        self.shared[number] = tuple(map(join, known, kinds))
        return self.value(number, f(items))

    def entries(self, number: int, array: Any) -> Any:
        """The entries of an array as a list."""
        self.way(number, "entries")
        made = list(array)
        if made:
            self.entries_of[number] = kind_of(array), kind_of(made[0])
        return self.value(number, made)

    def flat(self, number: int, array: Any) -> Any:
        """The entries of an array in their order, that something goes through at once."""
        if "consumed" not in self.reading.every[number].facts:
            raise Declined("the entries of an array that are kept")
        self.way(number, "flat")
        self.samples.setdefault(number, ((tiny(array),), {}))
        return self.value(number, array.ravel())

    def rest(self, number: int, v: Any) -> Any:
        """What a starred target gets: of an array the list of its entries."""
        return self.entries(number, v) if type(v) is np.ndarray else self.value(number, v)

    def of_dictionary(self, number: int, name: str, owner: dict[Any, Any], *args: Any, **kwargs: Any) -> Any:
        """What a dictionary tells of its entries, as a tuple; an entry, or something else in its place."""
        kind_of(owner)  # declined unless its keys are text or numbers
        self.way(number, "dictionary")
        if kwargs:
            raise Declined("a method of a dictionary or something else")
        self.call_of(number, tuple(owner), "dictionary")
        if name in SORTED.values():
            of = owner.items() if name == SORTED[pairs_in_order] else owner
            return self.value(number, tuple(sorted(of)))
        if name != "get":
            return self.value(number, tuple(getattr(owner, name)()))
        return self.value(number, owner.get(*args))

    def keyed(self, number: int, f: Any, *parts: Any) -> Any:
        """A dictionary that is made of others, or of a list of pairs."""
        made = f(*parts)
        _hold_texts(made)
        keys = tuple(made), tuple(tuple(p) if type(p) is dict else None for p in parts)
        self.way(number, "keyed")
        self.same(number, keys, "a dictionary of several forms", sort=Unkeyed)
        return self.value(number, made)

    def updated(self, number: int, owner: dict[str, Any], *args: Any, **kwargs: Any) -> None:
        """What `update` sets in a dictionary that the run made."""
        _hold_texts(owner, *args)
        if len(args) > 1 or not all(type(a) is dict for a in args) or id(owner) in self.session.given:
            raise Declined("an update of a dictionary from elsewhere, or by what is none")
        keys = tuple(args[0]) if args else ()
        self.way(number, "update")
        self.same(number, keys, "a dictionary of several forms", sort=Unkeyed)
        self.changes.add(number)
        owner.update(*args, **kwargs)
        self.value(number, None)

    def entered(self, number: int, base: dict[str, Any]) -> Any:
        """A dictionary of the run's own that gets an entry, whose key the text does not tell."""
        _hold_texts(base)
        self.way(number, "entry")
        if id(base) in self.session.given:
            raise Declined("an entry that is set, of a dictionary from elsewhere")
        return base

    def iterated(self, number: int, v: Any) -> Any:
        """What a loop goes through: of a dictionary its keys."""
        if type(v) is dict:
            return self.of_dictionary(number, "keys", v)
        if objects.is_object(v):
            return self.protocol(number, "iter", iter, "__iter__", (v,))
        if isinstance(v, type):
            raise Declined("a loop over a class")
        if self.ways.get(number):
            raise Declined("a loop over a dictionary or something else")
        return self.value(number, v)

    def set_key(self, number: int, owner: Any, key: str, v: Any) -> None:
        """Set an entry of a dictionary that the run made."""
        if objects.is_object(owner):
            return self.set_item(number, owner, key, v)
        if type(owner) is not dict or id(owner) in self.session.given:
            raise Declined("an entry that is set, of a dictionary from elsewhere")
        _hold_texts(owner)
        self.value(number, v)
        owner[key] = v


def _hold_texts(*given: Any) -> None:
    """Unkeyed where a dictionary that is made or changed has keys that are no texts."""
    for v in given:
        if type(v) is dict and not has_texts(v):
            raise Unkeyed("a dictionary that changes, whose keys are no texts")
