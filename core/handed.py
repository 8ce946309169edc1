"""Handed on: what a program gave a solver, of which rules call copies as often as they like.

A function or partial has what it stands for as an attribute, which copies of it have, too. Of an object, that
is known beside it, and of a list or dictionary as long as the rule runs.
"""

from __future__ import annotations

import contextlib
import functools
import threading
import types
import weakref
from collections.abc import Iterator
from typing import Any

from .callables import Integer

HANDED = "__chainrules_handed__"
"""Where a copy of a function, which a rule may call more often, has the function itself and its own code."""

_FEW = 64  # items among which functions are looked for
_stand_ins: dict[int, tuple[weakref.ref[Any], Any]] = {}  # objects by the ids of their copies


def hand_on(made: Any, f: Any) -> None:
    """Note that a function or partial stands for another; one that is wrapped around it does not."""
    made.__dict__[HANDED] = f, getattr(made, "__code__", None)


class _Lists(threading.local):
    """The lists and dictionaries that copies stand for, by the ids of these, while rules of solvers run."""

    def __init__(self) -> None:
        self.rules, self.by_copy = 0, dict[int, tuple[Any, Any]]()


_lists = _Lists()


@contextlib.contextmanager
def handing_lists() -> Iterator[None]:
    """While a rule runs: let copies of lists and dictionaries stand for them, too."""
    _lists.rules += 1
    try:
        yield
    finally:
        _lists.rules -= 1
        if not _lists.rules:
            _lists.by_copy.clear()


def stand_in(made: Any, v: Any) -> None:
    """Note that a copy stands for an object, as `HANDED` says of functions."""
    key = id(made)
    try:
        _stand_ins[key] = weakref.ref(made, lambda gone: _stand_ins.pop(key, None)), v
    except TypeError:  # a list or dictionary
        if _lists.rules:
            _lists.by_copy[key] = made, v


def stood_for(made: Any) -> Any:
    """What a copy stands for; itself where it stands for nothing."""
    known = _stand_ins.get(id(made))
    if known is not None and known[0]() is made:
        return known[1]
    return _lists.by_copy[id(made)][1] if id(made) in _lists.by_copy else made


def origin_of(v: Any) -> Any:
    """What the program has, of which this is a copy, or a copy of a copy; itself where it is none."""
    own = stood_for(v)
    return v if own is v else origin_of(own)


def copied_on(v: Any, made: Any) -> None:
    """Let a copy stand for what v stands for, if it does for anything."""
    own = stood_for(v)
    if own is not v:
        stand_in(made, own)


def as_handed(v: Any) -> Any:
    """A function, object or whole number as the program handed it on, also in a tuple, list or dictionary."""
    if type(v) is types.FunctionType or type(v) is functools.partial:
        f, code = v.__dict__.get(HANDED, (v, None))
        return v if f is v or code is not getattr(v, "__code__", None) else as_handed(f)
    if type(v) is types.MethodType:
        owner = as_handed(v.__self__)
        return v if owner is v.__self__ else types.MethodType(v.__func__, owner)
    own = stood_for(v)
    if own is not v:
        return as_handed(own)
    if type(v) in (tuple, list, dict) and 0 < len(v) <= _FEW:
        items = [as_handed(x) for x in (v.values() if type(v) is dict else v)]
        if any(a is not b for a, b in zip(items, v.values() if type(v) is dict else v, strict=True)):
            return dict(zip(v, items, strict=True)) if type(v) is dict else type(v)(items)
    return int(v) if type(v) is Integer else v
