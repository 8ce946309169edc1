"""Detaching: a result of a call made free of what the pullback of the call may have kept.

A pullback may keep the value that it was made with. Where the program may change that value later, it
goes on with a copy of the arrays in it; what shares memory in the result does so in the copy, and
arrays that were there before the call stay as they are.
"""

from __future__ import annotations

import functools
from collections import OrderedDict, defaultdict, deque
from types import ModuleType
from typing import Any

import numpy as np

from ....core import frule, rrule
from ....core.errors import AliasedMutationError
from ....tangents import NO_TANGENT
from ....tangents.containers import rebuilt
from ....tangents.functions import FUNCTIONS
from ....tangents.structure import fields
from ..locking.layouts import copied_as_it_lies
from ..locking.locks import is_computed_once
from ..locking.overlapping import is_folded
from ..syntax.where import call_chain, show_chain
from ..values.aliases import overlap
from ..values.reaching import plain

Memo = dict[int, tuple[Any, Any]]
"""What was copied already: by the id of an object, itself and its copy."""
_KEPT = (type, ModuleType, *FUNCTIONS)
_HOLDING = frozenset((np.ndarray, list, tuple, dict, deque, OrderedDict, defaultdict))
"""Types whose items are what was put into them, or views."""


def detached(x: Any, *others: Any) -> Any:
    """x, a new result, with copies of its arrays, but for those that share memory with the others.

    An array in which several entries are the same memory stays as it is: a store into it is refused.
    """
    if isinstance(x, np.ndarray):
        return x if _stays(x, others) else copied_as_it_lies(x)
    return x if plain(x) else _free(x, others, {})


def _stays(x: np.ndarray[Any, Any], others: tuple[Any, ...]) -> bool:
    """Whether an array is not copied: a store into it is refused, or it was there before the call."""
    return is_folded(x) or is_computed_once(x) or any(overlap(x, o) for o in others)


def own_part(x: Any, *owners: Any) -> Any:
    """x, read out of an owner: as it is where the owner holds it, detached where that computed it.

    After the owner comes the name of the attribute that was read, None for an item; and so on for what that
    owner was read out of.
    """
    part = x
    for owner, name in zip(owners[::2], owners[1::2], strict=True):
        if plain(x):
            return x
        if not _holds(owner, name, part):
            return _unchanging(x) if _is_cached(owner, name) else detached(x, owner)
        part = owner
    return x


def taken(x: Any, owner: Any, *others: Any) -> Any:
    """x, which a method took out of its owner: as it is where that is a container, which held it."""
    return x if type(owner) in _HOLDING else detached(x, owner, *others)


def _holds(owner: Any, name: str | None, part: Any) -> bool:
    """Whether a part of an owner, by this name, is known to be what was put there, or a view."""
    return type(owner) in _HOLDING or (name is not None and _fields(owner).get(name) is part)


def _is_cached(owner: Any, name: str | None) -> bool:
    return isinstance(getattr(type(owner), name or "", None), functools.cached_property)


def _unchanging(x: Any) -> Any:
    """A value that Python computes once and keeps: the engine computes it anew, so it cannot be changed."""
    if isinstance(x, np.ndarray):  # which is read-only
        return x
    raise AliasedMutationError(
        "what a cached property gave is changed in place, or may be",
        where=show_chain(call_chain()),
        next="change a copy of it, or keep it in a field",
    )


def _fields(x: Any) -> Any:
    """The `__dict__` of an object; whatever its class does where an attribute is read."""
    try:
        return object.__getattribute__(x, "__dict__")
    except AttributeError:
        return {}


def _free(x: Any, others: tuple[Any, ...], memo: Memo) -> Any:
    if plain(x) or isinstance(x, _KEPT) or any(x is o for o in others):
        return x
    if id(x) not in memo:
        memo[id(x)] = x, x  # an object stays itself, and one that holds itself is met once
        memo[id(x)] = x, _inside(x, others, memo)
    return memo[id(x)][1]


def _inside(x: Any, others: tuple[Any, ...], memo: Memo) -> Any:
    if isinstance(x, np.ndarray):
        return x if _stays(x, others) else array_copied(x, memo)
    if isinstance(x, tuple):
        items = [_free(v, others, memo) for v in x]
        if all(a is b for a, b in zip(items, x, strict=True)):
            return x
        return _beside(rebuilt(x, items), others, memo)
    if isinstance(x, list | deque):
        for i, value in enumerate(tuple(x)):
            if (new := _free(value, others, memo)) is not value:
                x[i] = new
    elif isinstance(x, dict):
        for key, value in tuple(x.items()):
            if (new := _free(value, others, memo)) is not value:
                x[key] = new
    elif not (type(x).__module__ or "").startswith("chainrules."):
        for name, value in fields(x).items():
            if (new := _free(value, others, memo)) is not value:
                _set(x, name, new)
    return x


def _beside(made: tuple[Any, ...], others: tuple[Any, ...], memo: Memo) -> tuple[Any, ...]:
    """A tuple that is made, with what it has beside its items detached too."""
    for name, value in _fields(made).items():
        made.__dict__[name] = _free(value, others, memo)
    return made


def _set(x: Any, name: str, value: Any) -> None:
    """Set a field of an object, whatever its class does where one is set."""
    if name in getattr(x, "__dict__", ()):
        x.__dict__[name] = value
    else:
        object.__setattr__(x, name, value)


def array_copied(x: np.ndarray[Any, Any], memo: Memo) -> Any:
    """A copy; of a view, the same view of a copy of what it looks at, where that is one piece of memory."""
    base = x.base
    if not isinstance(base, np.ndarray) or not base.flags.forc or not x.size:
        return copied_as_it_lies(x)
    if id(base) not in memo:
        memo[id(base)] = base, base.copy("K")
    start = x.__array_interface__["data"][0] - base.__array_interface__["data"][0]
    return np.ndarray(x.shape, x.dtype, memo[id(base)][1], start, x.strides)


def _forward(f: Any) -> None:
    @frule(f, complete=True)
    def detached_frule(tangents: Any, x: object, *others: object) -> Any:
        """the identity"""
        return f(x, *others), tangents[0]


def _reverse(f: Any) -> None:
    @rrule(f, complete=True)
    def detached_rrule(x: object, *others: object) -> Any:
        """the identity"""
        nothing = (NO_TANGENT,) * len(others)

        def detached_pullback(y_bar: Any) -> Any:
            return (y_bar, *nothing)

        return f(x, *others), detached_pullback


for _f in (detached, own_part, taken):
    _forward(_f)
    _reverse(_f)
