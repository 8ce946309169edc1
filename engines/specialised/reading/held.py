"""Held: objects of a library that a run makes, as tuples of what they hold.

    spline = CubicSpline(t, y)      own(CubicSpline, t, y), and its fields c and x
    spline(s)                       the program of `CubicSpline.__call__`, of these

The rules of such a class are programs. One that makes an object says with `holding` which values the object
holds, under which names; one of a method reads them. In a text the object is a tuple of what the library made
and of these values. What the library made has no derivative: it tells how it was made, and checks arguments.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .composed import Kind

MADE = "made by the library"
"""Under which name stands what the library made."""
_LIBRARY = "scipy."
_PLAIN = (int, bool, str, type(None))


class Held:
    """An object in a recorded run: what the library made, and the values that it holds."""

    __slots__ = ("made", "names", "values")

    def __init__(self, made: Any, names: tuple[str, ...] = (), values: tuple[Any, ...] = ()) -> None:
        self.made, self.names, self.values = made, names, values


def is_made(v: Any) -> bool:
    """Whether this is an object that a library made, and neither a number, an array nor a container."""
    if isinstance(v, type | dict | tuple | np.ndarray | np.generic):
        return False
    return is_of_library(type(v))


def is_of_library(P: type) -> bool:
    """Whether a class is one of a library's."""
    return P.__module__.startswith(_LIBRARY)


def is_answering(v: Any) -> bool:
    """Whether this is an object of a library that can be called, and no function."""
    return type(v) is Held or (is_made(v) and callable(v))


def bare(v: Any) -> Any:
    """What the library made, in the place of an object."""
    return v.made if type(v) is Held else v


def hides(v: Any) -> bool:
    """Whether there is an object in a list, tuple or dictionary."""
    if type(v) not in (list, tuple, dict):
        return False
    return any(type(x) is Held or hides(x) for x in (v.values() if type(v) is dict else v))


def kind_of_made(v: Any) -> Kind:
    """The kind of what a library made: its class is known, and nothing else."""
    return "U", type(v)


def is_plain_attribute(v: Any) -> bool:
    """Whether an attribute of what a library made can have no derivative."""
    return type(v) in _PLAIN or (type(v) is tuple and all(map(is_plain_attribute, v)))
