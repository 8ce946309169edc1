"""Cached properties: Python computes one once and keeps it; the engine computes it anew at each read.

So its derivative is that of the fields which it is computed from, whether it was cached before or not. The
value is what was computed first, as in Python. Where the two differ, a field was changed between two reads,
or what the first one gave: Python goes on with what it kept, whose derivative nobody kept. That is refused.
An array that a cached property gave is read-only.
"""

from __future__ import annotations

import weakref
from typing import Any

import numpy as np

from ....core import frule, rrule
from ....core.errors import AliasedMutationError
from ....tangents import NO_TANGENT
from ....tangents.structure import named_parts
from ..locking.locks import computed_once, read_only
from ..syntax.where import call_chain, show_chain

_PLAIN = (int, float, complex, str, bytes, np.generic, type(None))
_ABSENT = object()


def once(x: Any, name: str, value: Any) -> Any:
    """`x.name`, of which `value` was computed now: what was computed first.

    Raises:  AliasedMutationError where that is not the same.
    """
    known, key = computed_once(), (id(x), name)
    owner, first = known.get(key, (None, _ABSENT))
    if owner is None or owner() is not x:
        first = vars(x).get(name, _ABSENT)
        kept = read_only(value if first is _ABSENT else first)
        known[key] = _reference(x, known, key), kept
    else:
        kept = first
    if first is not _ABSENT and not _same(first, value, set()):
        raise AliasedMutationError(
            f"the cached `{name}` of a {type(x).__qualname__}, or what it is computed from, was changed "
            "after it was computed",
            where=show_chain(call_chain()[1:]),
            next="read it after the change only, or make it a property, which is computed at each read",
        )
    return kept


def _reference(x: Any, known: dict[Any, Any], key: Any) -> Any:
    """What gives x while x lives; with it goes what is known of it."""
    try:
        return weakref.ref(x, lambda _: known.pop(key, None))
    except TypeError:
        return lambda: x


def _same(a: Any, b: Any, seen: set[int]) -> bool:
    """Whether two values are equal in all their parts; what cannot be looked into counts as the same."""
    if a is b or id(a) in seen:
        return True
    if type(a) is not type(b):
        return False
    if isinstance(a, _PLAIN):
        return bool(a == b or (a != a and b != b))
    if isinstance(a, np.ndarray):
        return a.dtype == b.dtype and np.array_equal(a, b, equal_nan=a.dtype.kind in "fc")
    seen.add(id(a))
    ours, theirs = named_parts(a), named_parts(b)
    if isinstance(ours, dict):
        return ours.keys() == theirs.keys() and all(_same(v, theirs[k], seen) for k, v in ours.items())
    return len(ours) == len(theirs) and all(_same(v, w, seen) for v, w in zip(ours, theirs, strict=True))


@frule(once, complete=True)
def once_frule(tangents: Any, x: object, name: object, value: object) -> Any:
    """the identity in what is computed"""
    return once(x, str(name), value), tangents[2]


@rrule(once, complete=True)
def once_rrule(x: object, name: object, value: object) -> Any:
    """the identity in what is computed"""

    def once_pullback(y_bar: Any) -> Any:
        return NO_TANGENT, NO_TANGENT, y_bar

    return once(x, str(name), value), once_pullback
