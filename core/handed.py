"""Handed on: what a program gave a solver, of which rules call copies as often as they like.

A function or partial has what it stands for as an attribute, which copies of it have, too. Of an object, that
is known beside it, and of a list or dictionary as long as the rule runs.

A copy stands for what it was made of until the rule has called the solver itself. What the rule calls after
that, for the derivative, are the copies, also where a function of the program calls another solver.
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
"""Where a copy of a function, which a rule may call more often, has what it stands for, as a `Link`."""

_FEW = 64  # items among which functions are looked for


class Standing:
    """Whether the copies that a rule was given stand for what they were made of."""

    __slots__ = ("on",)

    def __init__(self) -> None:
        self.on = True


class Link:
    """What a copy stands for, and how long; `code` is that of a function, not of one around it."""

    __slots__ = ("code", "of", "standing")

    def __init__(self, of: Any, standing: Standing | None, code: Any = None) -> None:
        self.of, self.standing, self.code = of, standing, code

    def __deepcopy__(self, memo: Any) -> Link:
        return self


_stand_ins: dict[int, tuple[weakref.ref[Any], Link]] = {}  # objects by the ids of their copies


def hand_on(made: Any, f: Any, standing: Standing | None = None) -> None:
    """Note that a function or partial stands for another; one that is wrapped around it does not."""
    made.__dict__[HANDED] = Link(f, standing, getattr(made, "__code__", None))


class _Lists(threading.local):
    """The lists and dictionaries that copies stand for, by the ids of these, while rules of solvers run."""

    def __init__(self) -> None:
        self.rules, self.by_copy = 0, dict[int, tuple[Any, Link]]()


_lists = _Lists()


@contextlib.contextmanager
def while_standing(standing: Standing) -> Iterator[None]:
    """While a rule runs: copies, those of lists and dictionaries too, stand for what they were made of."""
    _lists.rules += 1
    try:
        yield
    finally:
        standing.on = False
        _lists.rules -= 1
        if not _lists.rules:
            _lists.by_copy.clear()


def stand_in(made: Any, v: Any, standing: Standing | None = None) -> None:
    """Note that a copy stands for an object, as `HANDED` says of functions."""
    key, link = id(made), v if type(v) is Link else Link(v, standing)
    try:
        _stand_ins[key] = weakref.ref(made, lambda gone: _stand_ins.pop(key, None)), link
    except TypeError:  # a list or dictionary
        if _lists.rules:
            _lists.by_copy[key] = made, link


def link_of(made: Any) -> Link | None:
    """What a copy stands for, and how long; None where it stands for nothing."""
    if type(made) is types.FunctionType or type(made) is functools.partial:
        link: Link | None = made.__dict__.get(HANDED)
        return link if link is not None and link.code is getattr(made, "__code__", None) else None
    known = _stand_ins.get(id(made))
    if known is not None and known[0]() is made:
        return known[1]
    return _lists.by_copy[id(made)][1] if id(made) in _lists.by_copy else None


def origin_of(v: Any) -> Any:
    """What the program has, of which this is a copy, or a copy of a copy; itself where it is none."""
    link = link_of(v)
    return v if link is None else origin_of(link.of)


def copied_on(v: Any, made: Any) -> None:
    """Let a copy stand for what v stands for, if it does for anything."""
    link = link_of(v)
    if link is not None and type(v) is not types.FunctionType:
        stand_in(made, link)


def as_handed(v: Any, always: bool = False) -> Any:
    """A function, object or whole number as the program handed it on, also in a tuple, list or dictionary.

    `always`: also where the rule has called what it was handed.
    """
    link = link_of(v)
    if link is not None:
        stands = always or link.standing is None or link.standing.on
        return as_handed(link.of, always) if stands else v
    if type(v) is types.MethodType:
        owner = as_handed(v.__self__, always)
        return v if owner is v.__self__ else types.MethodType(v.__func__, owner)
    if type(v) in (tuple, list, dict) and 0 < len(v) <= _FEW:
        items = [as_handed(x, always) for x in (v.values() if type(v) is dict else v)]
        if any(a is not b for a, b in zip(items, v.values() if type(v) is dict else v, strict=True)):
            return dict(zip(v, items, strict=True)) if type(v) is dict else type(v)(items)
    return int(v) if type(v) is Integer else v


def taken_back(v: Any) -> None:
    """Let copies that were handed on stand for nothing any longer."""
    link = link_of(v)
    if link is not None:
        if link.standing is not None:
            link.standing.on = False
        taken_back(link.of)
    elif type(v) is types.MethodType:
        taken_back(v.__self__)
    elif type(v) in (tuple, list, dict) and 0 < len(v) <= _FEW:
        for x in v.values() if type(v) is dict else v:
            taken_back(x)
