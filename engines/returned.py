"""Bringing back: what a function changed in copies of what it was given, changed in the user's own.

An engine may have to run a function on objects that stand for the user's: with recorded values in them, or
with copies inside another derivative. Each pair of an object and its copy is noted before the run; what the
run changed in the copy is then changed in the object, once; a copy that it put there becomes what it is
a copy of. Types are asked for by `type`, since a recorded value says that it is of the class of what it
records.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from types import CellType, FunctionType, MethodType, SimpleNamespace
from typing import Any

import numpy as np

from ..tangents import NO_TANGENT, zero_tangent
from ..tangents.refilled import base_of
from ..tangents.structure import fields

_EMPTY = CellType()
_SEQUENCES = (list, deque)
_CONTAINERS = (list, deque, dict, SimpleNamespace)
_FLAT = (int, float, complex, str, bytes, bool, type(None), np.generic, type)


def _same(x: Any) -> Any:
    return x


class Pair:
    """An object of the user's, the copy that a function was given, and what the copy held then."""

    __slots__ = ("copy", "held", "own")

    def __init__(self, own: Any, copy: Any) -> None:
        self.own, self.copy, self.held = own, copy, held_by(copy)


Held = tuple[list[Any], dict[Any, Any], dict[str, Any]]
"""What an object holds: its items in order, its entries by key, its fields by name."""


def held_by(x: Any) -> Held:
    """What an object holds."""
    if issubclass(type(x), FunctionType):
        return [_content(c) for c in x.__closure__ or ()], {}, {}
    items = list(x) if issubclass(type(x), _SEQUENCES) else []
    return items, dict(x) if issubclass(type(x), dict) else {}, fields(x)


def _content(cell: CellType) -> Any:
    return cell.cell_contents if cell != _EMPTY else _EMPTY


class Returned:
    """The pairs of one run; `plain` makes of a value of the run what the user's objects hold."""

    def __init__(self, plain: Callable[[Any], Any] = _same) -> None:
        self.plain = plain
        self.pairs: dict[int, Pair] = {}  # by the ids of copies
        self.leaves: dict[int, tuple[Any, Any]] = {}  # of what stands for a value of the user's

    def note(self, own: Any, copy: Any) -> None:
        """Note an object and its copy, and all in them."""
        pending = [(own, copy)]
        while pending:
            own, copy = pending.pop()
            if own is copy or id(copy) in self.pairs or issubclass(type(copy), _FLAT):
                continue
            if issubclass(type(copy), tuple):
                pending += zip(own, copy, strict=True)
            elif type(copy) is not type(own) or not (type(copy) is np.ndarray or _may_hold(copy)):
                self.leaves[id(copy)] = copy, own
            else:
                pair = self.pairs[id(copy)] = Pair(own, copy)
                for mine, made in zip(held_by(own), pair.held, strict=True):
                    pending += _side_by_side(mine, made)

    def changed(self) -> Iterator[tuple[Pair, Any, Any]]:
        """Each part that the run changed, as what was held there and what is; of an array, itself twice."""
        for pair in self.pairs.values():
            if type(pair.copy) is np.ndarray:
                if not _equal(pair.own, pair.copy):
                    yield pair, pair.own, pair.copy
                continue
            for before, now in zip(pair.held, held_by(pair.copy), strict=True):
                if not _identical(before, now):
                    yield pair, before, now

    def carries(self) -> Any:
        """An object of the user's in which a value changed that may carry a derivative; None without one."""
        for pair, before, now in self.changed():
            if type(now) is np.ndarray:
                return pair.own
            for v in _differing(before, now):
                if not issubclass(type(v), int | np.integer) and zero_tangent(v) is not NO_TANGENT:
                    return pair.own
        return None

    def bring(self) -> None:
        """Do to the user's objects what the run did to the copies."""
        for pair, before, now in list(self.changed()):
            own = pair.own
            if type(now) is np.ndarray:
                np.copyto(own, now)
            elif issubclass(type(own), FunctionType):
                for cell, old, new in zip(own.__closure__ or (), before, now, strict=True):
                    if new is not old and new is not _EMPTY:
                        cell.cell_contents = self.of(new)
            elif issubclass(type(now), list):
                own_items, base = [self.of(v) for v in now], base_of(type(own))
                base.clear(own)
                base.extend(own, own_items)
            elif issubclass(type(own), dict) and before is pair.held[1]:
                self._entries(own, before, now)
            else:
                self._fields(own, before, now)

    def _entries(self, own: dict[Any, Any], before: dict[Any, Any], now: dict[Any, Any]) -> None:
        base, keys = base_of(type(own)), list(now)
        if keys[: len(before)] != list(before):  # entries were taken away
            kept = {k: base.__getitem__(own, k) for k in before if k in now and now[k] is before[k]}
            every = {k: kept[k] if k in kept else self.of(v) for k, v in now.items()}
            base.clear(own)
            for key, v in every.items():
                base.__setitem__(own, key, v)
            return
        for key, v in now.items():
            if key not in before or before[key] is not v:
                base.__setitem__(own, key, self.of(v))

    def _fields(self, own: Any, before: dict[str, Any], now: dict[str, Any]) -> None:
        for name in before:
            if name not in now:
                object.__delattr__(own, name)
        for name, v in now.items():
            if name not in before or before[name] is not v:
                object.__setattr__(own, name, self.of(v))

    def of(self, x: Any) -> Any:
        """A value of the run as the user's objects hold it; what the run made has its parts replaced."""
        if issubclass(type(x), _FLAT):
            return self.plain(x)
        if id(x) in self.pairs:
            return self.pairs[id(x)].own
        if id(x) in self.leaves:
            return self.leaves[id(x)][1]
        if issubclass(type(x), list | dict):
            self.pairs[id(x)] = pair = Pair(x, x)
            items, entries, _ = pair.held
            base = base_of(type(x))
            if issubclass(type(x), list):
                base.__setitem__(x, slice(None), [self.of(v) for v in items])
            for key, v in entries.items():
                base.__setitem__(x, key, self.of(v))
            return x
        if type(x) is tuple:
            return tuple([self.of(v) for v in x])
        return self.plain(x)


def _side_by_side(mine: Any, made: Any) -> Iterable[tuple[Any, Any]]:
    if issubclass(type(mine), dict):
        return [(v, made[k]) for k, v in mine.items() if k in made]
    return zip(mine, made, strict=False)


def _identical(a: Any, b: Any) -> bool:
    if issubclass(type(a), dict):
        return list(a) == list(b) and all(a[k] is b[k] for k in a)
    return len(a) == len(b) and all(u is v for u, v in zip(a, b, strict=True))


def _differing(before: Any, now: Any) -> list[Any]:
    """The values that are held now and were not, or were and are not; all of a sequence of another length."""
    if issubclass(type(before), dict):
        keys = [k for k in {**before, **now} if before.get(k, _EMPTY) is not now.get(k, _EMPTY)]
        found = [d[k] for d in (before, now) for k in keys if k in d]
    elif len(before) != len(now):
        found = [*before, *now]
    else:
        found = [v for u, w in zip(before, now, strict=True) if u is not w for v in (u, w)]
    return found


def _equal(a: Any, b: Any) -> bool:
    if a.dtype.hasobject:
        return all(u is v for u, v in zip(a.flat, b.flat, strict=True))
    return bool(a.shape == b.shape and a.tobytes() == b.tobytes())


def settle(replaced: Callable[[Any], Any], *roots: Any) -> None:
    """Replace values of a run in objects that it was given as they are, as by an append to a captured list.

    `replaced` gives for a value what belongs in its place, itself where it may stay.
    """
    pending, seen = list(roots), set[int]()
    while pending:
        x = pending.pop()
        if id(x) in seen or not _may_hold(x):
            continue
        seen.add(id(x))
        if type(x) is MethodType:
            pending.append(x.__self__)
        elif type(x) is FunctionType:
            for cell in x.__closure__ or ():
                if cell != _EMPTY and (new := replaced(cell.cell_contents)) is not cell.cell_contents:
                    cell.cell_contents = new
            pending += held_by(x)[0]
        else:
            items, entries, inside = held_by(x)
            for stored in (dict(enumerate(items)) if _may_carry(items) else {}, entries):
                for key, v in stored.items():
                    if (new := replaced(v)) is not v:
                        x[key] = new
                pending += stored.values()
            for name, v in inside.items():
                if (new := replaced(v)) is not v:
                    object.__setattr__(x, name, new)
            pending += inside.values()


def _may_carry(items: list[Any]) -> bool:
    """Whether any of these may be a value of a run or hold one; lists of data are long."""
    return not all(issubclass(kind, (*_FLAT, np.ndarray)) for kind in set(map(type, items)))


def _may_hold(x: Any) -> bool:
    """Whether values are looked for in an object: a container, a function, or an object of a user's class."""
    kind = type(x)
    if kind in (FunctionType, MethodType) or issubclass(kind, _CONTAINERS):
        return True
    if issubclass(kind, (*_FLAT, tuple, np.ndarray)):
        return False
    return (kind.__module__ or "").partition(".")[0] not in _LIBRARIES


_LIBRARIES = frozenset({__name__.partition(".")[0], "numpy"}) | (sys.stdlib_module_names - {"__main__"})
