"""Handed on: what a program gave a solver, of which rules call copies as often as they like.

A function or partial has what it stands for as an attribute, which copies of it have, too. Of an object, that
is known beside it.
"""

from __future__ import annotations

import contextlib
import functools
import types
import weakref
from typing import Any

from .callables import Integer

HANDED = "__chainrules_handed__"
"""Where a copy of a function, which a rule may call as often as it likes, has the function itself."""

_FEW = 64  # items among which functions are looked for
_stand_ins: dict[int, tuple[weakref.ref[Any], Any]] = {}  # objects by the ids of their copies


def stand_in(made: Any, v: Any) -> None:
    """Note that a copy stands for an object, as `HANDED` says of functions."""
    key = id(made)
    with contextlib.suppress(TypeError):  # an object that is not followed
        _stand_ins[key] = weakref.ref(made, lambda gone: _stand_ins.pop(key, None)), v


def copied_on(v: Any, made: Any) -> None:
    """Let a copy stand for what v stands for, if it does for anything."""
    known = _stand_ins.get(id(v))
    if known is not None and known[0]() is v:
        stand_in(made, known[1])


def as_handed(v: Any) -> Any:
    """A function, object or whole number as the program handed it on, also in a tuple, list or dictionary."""
    if type(v) is types.FunctionType:
        f = v.__dict__.get(HANDED)
        return as_handed(f) if f is not None and f.__code__ is v.__code__ else v
    if type(v) is functools.partial:
        return as_handed(v.__dict__[HANDED]) if HANDED in v.__dict__ else v
    if type(v) is types.MethodType:
        owner = as_handed(v.__self__)
        return v if owner is v.__self__ else types.MethodType(v.__func__, owner)
    known = _stand_ins.get(id(v))
    if known is not None and known[0]() is v:
        return as_handed(known[1])
    if type(v) in (tuple, list, dict) and 0 < len(v) <= _FEW:
        items = [as_handed(x) for x in (v.values() if type(v) is dict else v)]
        if any(a is not b for a, b in zip(items, v.values() if type(v) is dict else v, strict=True)):
            return dict(zip(v, items, strict=True)) if type(v) is dict else type(v)(items)
    return int(v) if type(v) is Integer else v
