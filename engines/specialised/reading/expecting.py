"""Expecting: what was seen of a step holds in each turn of a loop that is written out.

A loop over things of several classes has one body, and a turn of it may not have been run. What a recorded
run noted, by whom a call was answered or which keys there were, is checked against the kind that a variable
has in that turn. A check is a function of a kind: of something with a class `made`, or with `keys`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

from .objects import after, lookup

Holds = Callable[[Any], bool]


def answered_by(f: Any) -> Holds:
    """It is f, or it does what is asked by f: a function inside, or an object whose class has it."""

    def holds(k: Any) -> bool:
        if type(k) is tuple and k[:1] == ("F",) and (k[1] is f or not isinstance(k[1], type)):
            return k[1] is f
        made = k[1] if type(k) is tuple and k[:1] == ("F",) else getattr(k, "made", None)
        if not isinstance(made, type):
            return made is not None and made is getattr(f, "__code__", None)
        names = {n for Q in made.__mro__ for n in Q.__dict__}
        return any(f is v or f in _behind(v) for v in (lookup(made, n) for n in names))

    return holds


def _behind(v: Any) -> tuple[Any, ...]:
    """The functions of a property, or of a method that is given no object."""
    if isinstance(v, property):
        return v.fget, v.fset
    return (getattr(v, "func" if isinstance(v, cached_property) else "__func__", None),)


def made_as(P: Any) -> Holds:
    """It is an object of this class, or the class."""
    return lambda k: getattr(k, "made", None) is P or (type(k) is tuple and k == ("F", P))


def below(above: tuple[type, str], f: Any) -> Holds:
    """It is an object for which `super()` in a class finds this under a name."""

    def holds(k: Any) -> bool:
        made = getattr(k, "made", None)
        return isinstance(made, type) and above[0] in made.__mro__ and after(made, *above)[1] is f

    return holds


def sharing(name: str, value: Any) -> Holds:
    """Its class has this value under a name."""

    def holds(k: Any) -> bool:
        made = k[1] if type(k) is tuple and k[:1] == ("F",) else getattr(k, "made", None)
        return isinstance(made, type) and lookup(made, name) is value

    return holds


def with_keys(keys: tuple[str, ...]) -> Holds:
    """It is a dictionary of these keys."""
    return lambda k: getattr(k, "keys", None) == keys and getattr(k, "made", None) is None
