"""Straight: a function that is entered as in the call before.

Whether a function changes what it is given is asked at each call, since that may change: by a rule, by
another function in a captured variable. One that captured nothing but numbers and arrays, and is given
nothing else, does what it did in the call before.
"""

from __future__ import annotations

from types import FunctionType
from typing import Any

import numpy as np

from ....core.engine import default_engine
from ...boundary import finished
from ...following.twins import twin_of
from ...source.analysis.held_functions import captured_by
from ...source.analysis.writers import writes
from ...source.reruns import changes
from ...warned import warn_of_zeros

_NUMBERS = frozenset((float, int, complex, bool, np.float64, np.int64, np.ndarray))
"""The types of what is neither called nor holds anything else."""


class Straight:
    """A function with such arguments, of which some vary."""

    __slots__ = ("argnums", "arrays", "engine", "needs", "twin")

    def __init__(self, f: FunctionType, argnums: Any, needs: tuple[bool, ...], arrays: bool) -> None:
        self.argnums, self.needs, self.arrays = argnums, needs, arrays
        self.engine: Any = default_engine()
        self.twin = twin_of(f)

    def answer(self, f: FunctionType, x: tuple[Any, ...]) -> Any:
        """Value and gradients; None where the call may mean something else than the one before."""
        twin = self.twin
        if f.__defaults__ is not twin.__defaults__ or f.__kwdefaults__ is not twin.__kwdefaults__:
            return None
        if (self.arrays and writes(f)) or (f.__closure__ and not _captures_numbers(f)):
            return None
        i = self.argnums
        y, cotangents = self.engine.value_and_cotangents(f, twin, x, self.needs)
        if type(i) is int and type(x[i]) is float and type(cotangents[i]) is float:
            return y, cotangents[i]
        warn_of_zeros(f, x, {}, cotangents, i, None)
        return y, finished(x, cotangents, i, None)


def straight_for(f: FunctionType, argnums: Any, x: tuple[Any, ...]) -> Straight | None:
    """How a call of f with such arguments is entered straight; None where it is not."""
    if len(x) != f.__code__.co_argcount or f.__code__.co_kwonlyargcount:
        return None
    wanted = argnums if isinstance(argnums, tuple | list) else (argnums,)
    if any(type(i) is not int or not 0 <= i < len(x) for i in wanted):
        return None
    if any(type(v) not in _NUMBERS for v in x) or not _captures_numbers(f) or changes(f, x, {}):
        return None
    needs = tuple([i in wanted for i in range(len(x))])
    return Straight(f, argnums, needs, any(type(v) is np.ndarray for v in x))


def _captures_numbers(f: FunctionType) -> bool:
    """Whether neither what a function captured nor its defaults can be called or hold anything."""
    held = f.__closure__ or f.__defaults__ or f.__kwdefaults__
    return not held or all(type(v) in _NUMBERS for v in captured_by(f))
