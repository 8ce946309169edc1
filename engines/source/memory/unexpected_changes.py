"""Changes that nobody foresaw: refused before they happen, by the name that would show them.

A function that is called changes what its caller handed over to it for that, and nothing else; which that is
was told from its source. What the source does not tell is asked here, as the program runs.
"""

from __future__ import annotations

import operator
import types
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ....core import non_differentiable
from ....core.errors import AliasedMutationError
from ..locking.frozen import is_still, looked_through
from ..syntax.where import call_chain, show_chain
from ..values.aliases import overlap
from ..values.protocols import python_method
from ..values.reaching import objects_in, plain

_LARGE = 100
"""From so many items on, what is in a container is looked up again only where its items are others."""


def foreseen(mine: Any, owner: Any, name: str, deep: bool) -> None:
    """Refuse to change what the caller did not hand over: it could not know, and would not see it.

    What changes is the owner itself, as a list by `append`; if `deep`, what is inside it too. An array is
    made read-only instead: a call that may change it, or keep it, need not do so.
    """
    if _sees(mine, owner, deep) and not (type(owner) is np.ndarray and is_still(owner)):
        raise AliasedMutationError(
            f"this call modifies `{name}`, and the code that makes it cannot see that",
            where=show_chain(call_chain()),
            next=f"give what `{name}` is to the function that is differentiated, as an argument, or return "
            "the new value",
        )


def unshared(mine: Any, owner: Any, name: str, deep: bool, again: bool, *returned: Any) -> None:
    """Refuse a change that a captured variable sees: the function that it belongs to would not know.

    Where this function does not read the variable `again`, it does know of what is `returned` to it; and a
    function that captured the variable too may change something else.
    """
    if not again and (isinstance(owner, types.FunctionType) or any(overlap(r, owner) for r in returned)):
        return
    if _sees(mine, owner, deep):
        raise AliasedMutationError(
            f"what `{name}` holds is changed in place under another name, in a function that captured it",
            where=show_chain(call_chain()),
            next=f"pass `{name}` as an argument, or change a copy",
        )


def apart_or_still(owner: Any, *places: Any) -> None:
    """The same before a call that may change it; an array is made read-only instead."""
    if type(owner) is np.ndarray:
        places = tuple([p for p in places if _is_seen_by(p, owner)])
    if places and not (type(owner) is np.ndarray and is_still(owner)):
        apart(owner, *places)


def apart(owner: Any, *places: Any) -> None:
    """Refuse a change of what a variable of a module or of a class holds, under another name."""
    for place in places:
        if _is_seen_by(place, owner):
            raise AliasedMutationError(
                f"what `{place.shown}` holds counts as constant, and is changed in place under another name",
                where=show_chain(call_chain()),
                closest="a variable of the function, or an argument, may be changed in place",
                next=f"pass `{place.shown}` as an argument, or change a copy",
            )


def _is_seen_by(place: Any, owner: Any) -> bool:
    """Whether what a variable outside holds shows a change of an object."""
    mine = place.read()
    return owner is getattr(mine, "__dict__", None) or _sees(mine, owner, False, _is_in_outside)


def unkeyed(owner: Any, method: str) -> None:
    """Refuse a key that varies where a class that nobody foresaw may compute with it."""
    if python_method(owner, method) is not None:
        raise AliasedMutationError(
            f"{type(owner).__name__}.{method} is given a key that varies; this cannot be seen from the call",
            where=show_chain(call_chain()),
            next=f"pass the {type(owner).__name__} as an argument, or make it in the function",
        )


def _is_in(mine: Any, owner: Any) -> bool:
    """Whether an object is another, or is in it."""
    return any(x is owner for x in objects_in(mine))


def _sees(mine: Any, owner: Any, deep: bool, is_in: Callable[[Any, Any], bool] = _is_in) -> bool:
    """Whether a change of an object, or of what is inside it, is one of something that is mine."""
    if plain(owner) or isinstance(owner, type):  # into which nothing that varies can be put
        return False
    if isinstance(mine, type | types.ModuleType):
        return any(v is owner for v in _variables(mine))
    if deep or isinstance(owner, np.ndarray):
        return overlap(mine, owner)
    return is_in(mine, owner)


def _is_in_outside(mine: Any, owner: Any) -> bool:
    """The same of what a variable outside holds: it may be large, and asked of in each turn of a loop."""
    if not isinstance(mine, list | dict | tuple | deque) or len(mine) < _LARGE:
        return _is_in(mine, owner)
    items = tuple(mine.values() if isinstance(mine, dict) else mine)
    known = looked_through().get(id(mine))
    if known is None or len(known[0]) != len(items) or not all(map(operator.is_, known[0], items)):
        known = looked_through()[id(mine)] = items, {id(x): x for x in objects_in(mine)}
    return id(owner) in known[1]


def _variables(namespace: Any) -> Iterator[Any]:
    """What the variables of a class or a module hold."""
    for space in namespace.__mro__ if isinstance(namespace, type) else (namespace,):
        yield from vars(space).values()


def whole(old: Any, more: Any, name: str) -> None:
    """Refuse to count in a captured variable by what is no whole number: the caller would not see it."""
    if not isinstance(old, int) or not isinstance(more, int):
        raise AliasedMutationError(
            f"`{name}` is changed in place, in a function that captured it and that is handed on",
            where=show_chain(call_chain()),
            next="pass it as an argument, or return the new value",
        )


non_differentiable(foreseen, unshared, apart, apart_or_still, whole, why="asks about objects")
