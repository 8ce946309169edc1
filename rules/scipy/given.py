"""Given: the further arguments that a solver hands on to the functions that it calls.

A function captures those that hold several values, as dictionaries and objects do: its derivative is then by
what it captured, which engines take apart.
"""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np

PLAIN = (int, float, complex, numbers.Number, str, np.generic, np.ndarray, set, frozenset, type(None))
"""What has no parts that engines would take apart."""


def as_tuple(args: Any) -> Any:
    """The further arguments of a user's function, which may be given as one that is no tuple."""
    return args if isinstance(args, tuple) else (args,)


def with_given(f: Any, given: Any) -> Any:
    """A function, and the further arguments that it is to be given: none where it captured them."""
    for v in given:
        if not isinstance(v, PLAIN):
            return closed(f, given), ()
    return f, given


def closed(f: Any, given: Any) -> Any:
    """A function that captured its further arguments."""

    def with_captured(*x: Any) -> Any:
        return f(*x, *given)

    return with_captured
