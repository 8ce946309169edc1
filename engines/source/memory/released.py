"""What a call lets go of: an object that the call changed, and put another in the place of.

After a call the names of the caller that share something with what the call changed have it as it is now.
A function that stores into `l[0]` and then binds `l[0]` anew gives back an l that holds the old array no
more, so that another name of the caller for it would have the derivative from before the store. Which
objects other names share is noted before the call. Afterwards those that are no longer in it must be as
they were, or the change is refused.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from ....core import AliasedMutationError, non_differentiable
from ....tangents.structure import fields
from ..locking.noting import Note
from ..syntax.where import call_chain, show_chain
from ..values.aliases import addresses
from ..values.reaching import plain, walked


class Seen(NamedTuple):
    """What another name holds, and the objects in it that a call may change, with what they held before."""

    name: str
    holder: Any
    before: dict[int, tuple[Any, Any]]
    note: Note


def seen_by(changed: Any, names: tuple[str, ...], *others: Any) -> list[Seen]:
    """What others share with the inside of an object, before a call that may change it."""
    if plain(changed) or (type(changed) is np.ndarray and not changed.dtype.hasobject):
        return []  # it has no inside that could be let go of
    inside = {id(x): x for _, x in walked(changed, (), set()) if x is not changed}
    arrays = [x for x in inside.values() if isinstance(x, np.ndarray)]
    found: list[Seen] = []
    contents: dict[int, tuple[Any, Any]] = {}
    note = Note()
    for name, other in zip(names, others, strict=True):
        before: dict[int, tuple[Any, Any]] = {}
        for _, x in walked(other, (), {id(changed)}):
            if id(x) in inside or any(_meet(x, a) for a in arrays):
                if id(x) not in contents:
                    contents[id(x)] = (x, _content(x))
                before[id(x)] = contents[id(x)]
        if before:
            found.append(Seen(name, other, before, note))
    return found


def still_seen(found: list[Seen], *changed: Any) -> None:
    """Refuse what a call changed and let go of, if another name has it."""
    if not found:
        return
    found[0].note.close()
    inside = {id(x): x for c in changed for _, x in walked(c, (), set())}
    arrays = [x for x in inside.values() if isinstance(x, np.ndarray)]
    for name, holder, before, note in found:
        for _, x in walked(holder, (), set(inside)):
            if id(x) in before and _differs(x, before[id(x)][1], [a for a in arrays if _meet(x, a)], note):
                raise AliasedMutationError(
                    f"what `{name}` holds is changed in place by a call, which then lets go of it",
                    where=show_chain(call_chain()),
                    closest="such a change is seen under other names while what the call was given holds it",
                    next="change a copy in the function that is called, as with `l[0] = l[0].copy()`,"
                    f" or read `{name}` after the call",
                )


def _meet(x: Any, a: np.ndarray[Any, Any]) -> bool:
    return isinstance(x, np.ndarray) and np.may_share_memory(x, a) and np.shares_memory(x, a)


def _content(x: Any) -> Any:
    """What tells whether an object was changed itself: a copy of an array, or the objects that it holds."""
    return x.copy() if isinstance(x, np.ndarray) else list(_held(x))


def _held(x: Any) -> Iterator[Any]:
    if isinstance(x, dict):
        yield from x.keys()
        yield from x.values()
    elif isinstance(x, list | deque):
        yield from x
    else:
        for name, value in fields(x).items():
            yield name
            yield value


def _differs(x: Any, before: Any, still: list[np.ndarray[Any, Any]], note: Note) -> bool:
    """Whether x is not what it was, apart from entries that are in arrays which the call gave back."""
    if not isinstance(x, np.ndarray):
        now = list(_held(x))
        return len(now) != len(before) or any(a is not b for a, b in zip(now, before, strict=True))
    if x.dtype.hasobject:
        return any(a is not b for a, b in zip(x.flat, before.flat, strict=True))
    apart = x != before
    if x.dtype.kind in "fc":
        apart &= ~(np.isnan(x) & np.isnan(before))
    places = addresses(x)
    changed = apart.ravel() | np.isin(places, _places(w for w in note.written if _meet(x, w)))
    return bool(np.any(changed & ~np.isin(places, _places(still))))


def _places(arrays: Iterable[np.ndarray[Any, Any]]) -> np.ndarray[Any, Any]:
    return np.concatenate([np.empty(0, np.intp), *map(addresses, arrays)])


non_differentiable(seen_by, still_seen, why="compares identities")
