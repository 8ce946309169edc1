"""Watching: what varies stays as it is while code runs of which no derivative is taken.

A test, and all that carries no derivative, is evaluated as it is written. A function of which nothing is
known may change there what it is given, and the derivative of the change would be lost. So arrays are locked
meanwhile, and what lists, dicts and objects hold is compared with what they held before.
"""

from __future__ import annotations

import functools
from collections import deque
from collections.abc import Iterator, Mapping
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from ....core import frule, non_differentiable, rrule
from ....core.errors import AliasedMutationError
from ....tangents import NO_TANGENT
from ....tangents.structure import fields
from ..locking.locks import lock, unlock
from ..syntax.where import call_chain, show_chain
from ..values.reaching import plain

_LEAVES = frozenset((float, int, str, bool, complex, type(None)))
_LISTED = (list, tuple, deque)


class Watched(NamedTuple):
    """What `lock` answered, and each container and object with what it held."""

    locked: int
    held: list[tuple[Any, Mapping[Any, Any]]]


def watch(*values: Any) -> Watched:
    """Lock the arrays in these values, and take note of what everything else in them holds."""
    arrays: list[np.ndarray[Any, Any]] = []
    held: list[tuple[Any, Mapping[Any, Any]]] = []
    pending, seen = deque(values), set[int]()
    while pending:
        x = pending.popleft()
        if isinstance(x, np.ndarray):
            arrays.append(x)
            pending += x.flat if x.dtype.hasobject else ()
        elif type(x) not in _LEAVES and id(x) not in seen and not (plain(x) or _is_opaque(x)):
            seen.add(id(x))
            inside = _contents(x)
            held.append((x, inside))
            pending += inside.values()
    return Watched(lock(*arrays), held)


def but_for(watched: Watched, ordered: Any) -> Watched:
    """The same without a list that was put in order, which has a derivative; its items stay watched."""
    return Watched(watched.locked, [(x, before) for x, before in watched.held if x is not ordered])


def unchanged(watched: Watched, value: Any) -> Any:
    """A value that was computed since `watch`, once nothing that could have a derivative was changed."""
    unlock(watched.locked, value)
    for x, before in watched.held:
        for name in _changed(x, before, _contents(x)):
            raise AliasedMutationError(
                f"{name} of a {type(x).__qualname__} is changed where no derivative is taken, as in a test",
                where=show_chain(call_chain()),
                next="hand over `stop_gradient(x)` where no derivative is meant, or change it in a "
                "statement of its own, by a function that is called by its name",
            )
    return value


def _is_opaque(x: Any) -> bool:
    return isinstance(x, type | ModuleType) or (type(x).__module__ or "").startswith("chainrules.")


def _contents(x: Any) -> Mapping[Any, Any]:
    """What a container or an object holds, each by its key, place or name."""
    if isinstance(x, _LISTED):
        return dict(enumerate(x))
    return dict(x) if isinstance(x, dict) else fields(x)


def _changed(x: Any, before: Mapping[Any, Any], after: Mapping[Any, Any]) -> Iterator[str]:
    """What was put into x, or taken out, that may have a derivative: not texts, whole numbers or the like."""
    if before.keys() == after.keys() and all(after[k] is v for k, v in before.items()):
        return
    for key in {**before, **after}:
        old, new = before.get(key), after.get(key)
        computed = isinstance(key, str) and isinstance(getattr(type(x), key, None), functools.cached_property)
        if new is not old and not computed and not (_counts(old) and _counts(new)):
            yield f"`{key}`" if isinstance(key, str) else f"item {key!r}"


def _counts(x: Any) -> bool:
    """Whether x is nothing that has a derivative."""
    return x is None or isinstance(x, int | str | bytes | np.integer | np.bool_)


@frule(unchanged, complete=True)
def unchanged_frule(tangents: Any, watched: Watched, value: object) -> Any:
    """the identity"""
    return unchanged(watched, value), tangents[1]


@rrule(unchanged, complete=True)
def unchanged_rrule(watched: Watched, value: object) -> Any:
    """the identity"""

    def unchanged_pullback(y_bar: Any) -> Any:
        return NO_TANGENT, y_bar

    return unchanged(watched, value), unchanged_pullback


non_differentiable(watch, but_for, why="keeps values as they are")
