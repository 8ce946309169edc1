"""Listing: what methods do to lists, as steps.

    y = l.pop(k)            y = l[k], and the item is dropped
    l.insert(k, v)          v is put before the item at k
    y = l.copy()            y = l[:]

A deque without a limit is read as a list, with what it does at its left end.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from .declined import Declined
from .kinds import LONG
from .steps import Step, is_name, plain

New = Callable[..., Step]
_PLAIN = (int, float, complex, str, np.ndarray, np.number)


def _inserts(args: tuple[Any, ...]) -> tuple[str, tuple[Any, ...]]:
    if len(args) != 2 or type(args[0]) is not int:
        raise Declined("an insert of which it is not known where it is")
    return "insert", args


METHODS: Mapping[str, Callable[[tuple[Any, ...]], tuple[str, tuple[Any, ...]]]] = MappingProxyType(
    {
        "pop": lambda args: ("pop", args),
        "popleft": lambda args: ("pop", (0, *args)),
        "insert": _inserts,
        "appendleft": lambda args: ("insert", (0, *args)),
        "copy": lambda args: ("copy", args),
    }
)
"""What each does, as a method of a list and its arguments."""


def holds_objects(v: Any) -> bool:
    """Whether this is a tuple of a few things that are no numbers or arrays."""
    return type(v) is tuple and 0 < len(v) <= LONG and not any(isinstance(x, _PLAIN) for x in v)


def holds_texts(v: Any) -> bool:
    """Whether this is a tuple of a few texts, such as the keys of a dictionary."""
    return type(v) is tuple and 0 < len(v) <= LONG and all(type(x) is str for x in v)


def has_items(v: Any) -> bool:
    """Whether this is a list, or an array with axes."""
    return type(v) is list or (type(v) is np.ndarray and v.ndim > 0)


def steps_of(s: Step, target: str, args: tuple[str, ...], new: New) -> list[Step]:
    """The steps of such a method of `args[0]`; `new(op, target, args, text)` makes one."""
    base, *given = args
    if s.text in ("insert", "appendleft"):
        key = given[0] if s.text == "insert" else "=0"
        put = new("put", "", (base, given[-1]), _place(key))
        put.names = _names(key)
        return [put, new("copy", target, ("=None",))]
    if s.text == "copy":
        return [new("get", target, (base,), ":")]
    key = "=0" if s.text == "popleft" else given[0] if given else "=-1"
    text = _place(key)
    taken, dropped = new("get", target, (base,), text), new("drop", "", (base,), text)
    taken.names = dropped.names = _names(key)
    return [taken, dropped]


def _place(key: str) -> str:
    """The text of where an item is."""
    if not is_name(key) and not re.fullmatch(r"-?\d+", plain(key)):
        raise Declined("an item of which it is not known where it is")
    return plain(key)


def _names(key: str) -> tuple[str, ...]:
    """The variables in that text."""
    return (key,) if is_name(key) else ()
