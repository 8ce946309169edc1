"""Held: objects of a library that a run makes, as tuples of what they hold.

    spline = CubicSpline(t, y)      own(CubicSpline, t, y), and its fields c and x
    spline(s)                       the program of `CubicSpline.__call__`, of these

The rules of such a class are programs. One that makes an object says with `holding` which values the object
holds, under which names; one of a method reads them. In a text the object is a tuple of what the library made
and of these values. What the library made has no derivative: it tells how it was made, and checks arguments.
"""

from __future__ import annotations

import functools
from types import MethodType
from typing import Any

import numpy as np

from ....core.holdings import note_holding
from ....core.loading import load_for
from ....core.registry import rules_of
from ....tangents.registered import naturals
from .composed import Kind

MADE = "made by the library"
"""Under which name stands what the library made."""
_LIBRARY = ("scipy.", "chainrules.rules.")
_PLAIN = (int, bool, str, type(None))


_OTHERS = (float, int, str, list, tuple, dict, type, np.ndarray, np.generic)


class Held:
    """An object in a recorded run: what the library made, and the values that it holds.

    One that is `still` has no derivative, whatever is read of it.
    """

    __slots__ = ("made", "names", "still", "values")

    def __init__(
        self, made: Any, names: tuple[str, ...] = (), values: tuple[Any, ...] = (), *, still: bool = False
    ) -> None:
        self.made, self.names, self.values, self.still = made, names, values, still


def is_made(v: Any) -> bool:
    """Whether this is an object that a library made, and neither a number, an array nor a container."""
    if isinstance(v, _OTHERS):
        return False
    return is_of_library(type(v))


def is_of_library(P: type) -> bool:
    """Whether a class is one of a library's."""
    return P.__module__.startswith(_LIBRARY)


def is_standing(v: Any) -> bool:
    """Whether what stands outside is an object of a library whose methods have rules, or one of these.

    The object has to be equal to itself alone.
    """
    v = v.__self__ if type(v) is MethodType else v
    P: Any = type(v)
    return is_made(v) and P.__eq__ is object.__eq__ and _has_rules(P)


@functools.lru_cache(256)
def _has_rules(P: type) -> bool:
    load_for((P,))
    methods = [f for Q in P.__mro__[:-1] for f in vars(Q).values() if callable(f)]
    return any(rules_of(f) is not None for f in methods)


def is_moving(v: Any) -> bool:
    """Whether this is an object of a library whose tangent is an array, as that of a rotation."""
    if not is_made(v):
        return False
    load_for((type(v),))
    natural = naturals.of(type(v))
    return natural is not None and natural.T is np.ndarray


def is_answering(v: Any) -> bool:
    """Whether this is an object of a library that can be called, and no function."""
    return type(v) is Held or (is_made(v) and callable(v))


def bare(v: Any) -> Any:
    """What the library made, in the place of an object."""
    return v.made if type(v) is Held else v


def is_of_made(v: Any) -> bool:
    """Whether this is an object of a library, in a recorded run."""
    return type(v) is Held or is_made(v)


def holds_made(v: Any) -> bool:
    """Whether there is an object that a library made in a list or tuple."""
    return type(v) in (list, tuple) and any(is_made(x) or holds_made(x) for x in v)


def held_out(made: Any, names: tuple[str, ...], *values: Any) -> Any:
    """What the library made, which is handed on with the values that it holds.

    One that has no fields gets them.
    """
    note_holding(made, names, values)
    if is_empty(made):
        for name, v in zip(names, values, strict=True):
            setattr(made, name, v)
    return made


def is_empty(made: Any) -> bool:
    """Whether what the library made has no fields, since its methods ask for what a program holds."""
    return getattr(made, "__dict__", None) == {}


def has_fields(v: Held) -> bool:
    """Whether what the library made has what it holds under the same names."""
    return is_empty(v.made) or all(hasattr(v.made, name) for name in v.names)


def hides(v: Any) -> bool:
    """Whether there is an object in a list, tuple or dictionary."""
    if type(v) not in (list, tuple, dict):
        return False
    return any(type(x) is Held or hides(x) for x in (v.values() if type(v) is dict else v))


def kind_of_made(v: Any) -> Kind:
    """The kind of what a library made: its class is known, and nothing else."""
    return "U", type(v)


def is_raw(k: Kind) -> bool:
    """Whether this is the kind of what a library made, without anything that it holds."""
    return getattr(k, "keys", None) == (MADE,)


def is_plain_attribute(v: Any) -> bool:
    """Whether an attribute of what a library made can have no derivative."""
    if type(v) is tuple:
        return all(map(is_plain_attribute, v))
    return type(v) in _PLAIN or isinstance(v, np.dtype)
