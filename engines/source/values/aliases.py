"""Aliases: whether two values share an object that can change, and what of one is in the other.

Asked where the syntax leaves it open. Arrays share when their memory overlaps, containers and objects
when they hold the same object. `refreshed(b, a)` is b after something in a was changed in place: b
itself, and in reverse the cotangents of all that the two share go to a, where the change is known.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from ....core import AliasedMutationError, frule, non_differentiable, rrule
from ....core.sequences import reread
from ....tangents import NO_TANGENT, ZERO, Composite, add, is_zero
from ....tangents.slots import join, kind_of, split_plain
from ..locking.frozen import is_kept
from ..locking.overlapping import folded, refuse_kinds
from ..syntax.where import call_chain, show_chain
from .reaching import Path, changeable, hold_objects, objects_in, plain, walked
from .writing import IMMUTABLE


class Shared(NamedTuple):
    """An object that two values share: where it stands in each; for overlapping arrays, which entries."""

    at: Path
    other: Path
    entries: tuple[Any, Any, Any, Any] | None


def overlap(a: Any, b: Any) -> bool:
    """Whether a and b share an object that a store can change."""
    if a is b:
        return not isinstance(a, IMMUTABLE) or isinstance(a, tuple)
    if isinstance(a, np.ndarray) and isinstance(b, np.ndarray) and not hold_objects(a, b):
        return np.shares_memory(a, b) if np.may_share_memory(a, b) else False
    if plain(a) or plain(b):
        return False
    return _meet(a, b)


def may_show(a: Any, changed: Any) -> bool:
    """Whether a may show what was changed: it shares that with it, and is no array that stays as it is."""
    if type(a) is np.ndarray and is_kept(a) and not hold_objects(a):
        return False
    return overlap(a, changed)


def _meet(a: Any, b: Any) -> bool:
    """Whether there are objects that a and b share, or that share memory."""
    others = list(objects_in(b))
    ids, arrays = set(map(id, others)), [y for y in others if isinstance(y, np.ndarray)]
    for x in objects_in(a):
        if id(x) in ids:
            return True
        if isinstance(x, np.ndarray):
            for y in arrays:
                if np.may_share_memory(x, y) and np.shares_memory(x, y):
                    return True
    return False


def _all_shared(a: Any, b: Any) -> Iterator[Shared]:
    """What a and b share, the outermost objects only."""
    for path, x, other, y in _meetings(a, b):
        yield Shared(path, other, None if x is y else _entries(x, y))


def _meetings(a: Any, b: Any) -> Iterator[tuple[Path, Any, Path, Any]]:
    """The outermost objects that a and b share, or that share memory: each with the way to it."""
    others = list(walked(b, (), set()))
    by_id: dict[int, tuple[Path, Any]] = {}
    for path, x in others:
        by_id.setdefault(id(x), (path, x))
    arrays = [(path, x) for path, x in others if isinstance(x, np.ndarray)]
    done: list[Path] = []
    for path, x in walked(a, (), set()):
        if any(path[: len(d)] == d for d in done):
            continue
        if id(x) in by_id:
            done.append(path)
            yield path, x, *by_id[id(x)]
        elif isinstance(x, np.ndarray):
            for other, y in arrays:
                if np.may_share_memory(x, y) and np.shares_memory(x, y):
                    yield path, x, other, y


def _entries(x: np.ndarray[Any, Any], y: np.ndarray[Any, Any]) -> tuple[Any, Any, Any, Any]:
    """Which entries of two overlapping arrays are the same: flat places in each, and both kinds."""
    at_x, at_y = addresses(x), addresses(y)
    places, first = np.unique(at_y, return_index=True)
    if places.size < at_y.size:
        raise folded()
    found = np.minimum(np.searchsorted(places, at_x), places.size - 1)
    in_x = np.flatnonzero(places[found] == at_x)
    in_y = first[found[in_x]]
    if not in_x.size or x.itemsize != y.itemsize:
        raise AliasedMutationError(
            "two arrays read the same memory as numbers of different kinds, and one is changed in place",
            where=show_chain(call_chain()),
            next="store into the array itself: z[k] = v + 1j * z[k].imag",
        )
    return in_x, in_y, kind_of(x), kind_of(y)


def addresses(x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Where in memory each entry of an array is."""
    start = x.__array_interface__["data"][0]
    grids = np.meshgrid(
        *(np.arange(n) * step for n, step in zip(x.shape, x.strides, strict=True)), indexing="ij"
    )
    places: np.ndarray[Any, Any] = start + sum(grids, np.zeros(x.shape, dtype=np.intp))
    return places.ravel()


def refreshed(b: Any, a: Any) -> Any:
    """b, after what it shares with a was changed in place; a view of a dict is read anew."""
    return reread(b)


def shared_by(b: Any, a: Any) -> list[Shared]:
    """What b shares with a, which was changed in place; refused where it cannot be told."""
    found = list(_all_shared(b, a))
    refuse_kinds([kind for s in found for kind, _ in (*s.at, *s.other)])
    if any(kind.P is types.BuiltinMethodType for s in found for kind, _ in s.at):
        raise AliasedMutationError(
            "an object is changed in place after a method of it, such as `rows.append`, was kept",
            where=show_chain(call_chain()),
            next="keep the object and call its method, or keep the method after the change",
        )
    return found


non_differentiable(overlap, changeable, shared_by, why="compare identities and memory")


def moved(b_bar: Any, a_bar: Any, shared: list[Shared]) -> tuple[Any, Any]:
    """The cotangents of b and a after all that they share was moved from b's to a's."""
    for s in shared:
        b_bar, piece = _take(b_bar, s.at, s.entries, 0)
        if not is_zero(piece):
            a_bar = add(a_bar, _place(s.other, s.entries, piece))
    return b_bar, a_bar


def _take(t: Any, path: Path, entries: Any, side: int) -> tuple[Any, Any]:
    """A tangent without what is at a path, and that."""
    if is_zero(t):
        return ZERO, ZERO
    if path:
        kind, key = path[0]
        rest, inner = split_plain(t, key, kind)
        inner, piece = _take(inner, path[1:], entries, side)
        return (rest if is_zero(inner) else join(rest, key, inner, kind)), piece
    if entries is None:
        return ZERO, t
    kind = entries[2 + side]
    places = np.unravel_index(entries[side], kind.shape)
    return split_plain(t, places, kind)


def _place(path: Path, entries: Any, piece: Any) -> Any:
    """The tangent of a that has a piece at a path, and is zero elsewhere."""
    if entries is not None:
        kind, places = entries[3], np.unravel_index(entries[1], entries[3].shape)
        if isinstance(piece, np.ndarray):
            made = np.zeros(kind.shape, np.result_type(piece, kind.dtype))
            np.add.at(made, places, piece)  # a broadcast view has an entry several times
            piece = made
        else:
            piece = join(ZERO, places, piece, kind)
    for kind, key in reversed(path):
        piece = join(ZERO, key, piece, kind)
    return piece


def copied(db: Any, da: Any, shared: list[Shared]) -> Any:
    """The tangent of b with all that it shares with a taken from that of a."""
    for s in shared:
        db = _set(db, s.at, s.entries, _look(da, s.other, s.entries))
    return db


def _look(t: Any, path: Path, entries: Any) -> Any:
    for kind, key in path:
        t = split_plain(t, key, kind)[1]
    if entries is None or is_zero(t):
        return t
    return split_plain(t, np.unravel_index(entries[1], entries[3].shape), entries[3])[1]


def _set(t: Any, path: Path, entries: Any, piece: Any) -> Any:
    if path:
        kind, key = path[0]
        if entries is None and len(path) == 1:
            return join(t, key, piece, kind)
        inner = split_plain(t, key, kind)[1]
        return join(t, key, _set(inner, path[1:], entries, piece), kind)
    if entries is None:
        return piece
    return join(t, np.unravel_index(entries[0], entries[2].shape), piece, entries[2])


@frule(refreshed, complete=True)
def refreshed_frule(tangents: Any, b: object, a: object) -> Any:
    """ḃ has ȧ where the two share"""
    return refreshed(b, a), copied(tangents[0], tangents[1], shared_by(b, a))


@rrule(refreshed, complete=True)
def refreshed_rrule(b: object, a: object) -> Any:
    """What the two share has its cotangent in ā"""
    shared = shared_by(b, a)

    def refreshed_pullback(y_bar: Any) -> Any:
        return moved(y_bar, ZERO, shared)

    return refreshed(b, a), refreshed_pullback


@frule(moved, complete=True)
def moved_frule(tangents: Any, b_bar: object, a_bar: object, shared: object) -> Any:
    """linear"""
    db_bar, da_bar, _ = tangents
    y = moved(b_bar, a_bar, shared)  # type: ignore[arg-type]  # a list of Shared
    return y, Composite[tuple](*moved(db_bar, da_bar, shared))  # type: ignore[arg-type]  # a list of Shared


@rrule(moved, complete=True)
def moved_rrule(b_bar: object, a_bar: object, shared: object) -> Any:
    """linear: b̄ and ā have what the two share from ā"""

    def moved_pullback(y_bar: Any) -> Any:
        if is_zero(y_bar):
            return ZERO, ZERO, NO_TANGENT
        b, a = y_bar
        return copied(b, a, shared), a, NO_TANGENT  # type: ignore[arg-type]  # a list of Shared

    return moved(b_bar, a_bar, shared), moved_pullback  # type: ignore[arg-type]  # a list of Shared


_references = sys.getrefcount


def held_twice(*objects: Any) -> bool:
    """Whether more than one item may hold one of these, beside the program's own variable for it."""
    return any(_references(x) > _ONCE or _is_view(x) for x in objects)


def parts_held_twice(x: Any) -> bool:
    """Whether what is inside an object, which goes over nothing, may be held by something else too."""
    parts = objects_in(x)
    return _counted_parts(x, parts) > _ONCE_PART and not any(hasattr(type(p), "__next__") for p in parts)


def _counted_parts(x: Any, parts: list[Any]) -> int:
    return max([_references(part) for part in parts if part is not x], default=0)


def _count_part() -> int:
    """The references to an object that one list holds, as `parts_held_twice` counts them."""
    holder = [[0.0]]
    parts = objects_in(holder)
    return _counted_parts(holder, parts)


def changed_inside(owner: Any, old: Any, new: Any) -> bool:
    """Whether `x[k] op= v` changed what x held, and something else may hold that too."""
    if new is not old or isinstance(owner, np.ndarray) or plain(new):
        return False
    return _references(new) > _ONCE_INSIDE or _is_view(new)


def _is_view(x: Any) -> bool:
    return isinstance(x, np.ndarray) and x.base is not None


def _count_once() -> int:
    """The references to an object that one list and one variable hold, as `held_twice` counts them."""
    holder = [[0.0]]
    x = holder[0]
    return _counted(x)


def _counted(*objects: Any) -> int:
    return max([_references(x) for x in objects])


def _count_once_inside() -> int:
    """The same, as `changed_inside` counts them."""
    holder = [[0.0]]
    old = holder[0]
    new = old
    return _counted_inside(holder, old, new)


def _counted_inside(owner: Any, old: Any, new: Any) -> int:
    return _references(new)


_ONCE, _ONCE_INSIDE, _ONCE_PART = _count_once(), _count_once_inside(), _count_part()

non_differentiable(held_twice, parts_held_twice, changed_inside, why="asks about objects")
