"""Copies: `copy.copy` and `copy.deepcopy`, the identity on tangents.

A shallow copy holds the very items and field values of what it is a copy of, so that a change of one of
them is seen in both; an engine asks for identities. A class with a `__copy__` or `__deepcopy__` of its own,
or one that says how it is reduced, is not copied here: what that computes has another derivative.
"""

from __future__ import annotations

import copy
from collections import deque
from typing import Any

import numpy as np

from ...core import frule, non_differentiable, rrule
from ...core.errors import copied_otherwise

_PLAIN = (list, dict, tuple, deque, np.ndarray, np.generic)
_OWN = ("__copy__", "__deepcopy__", "__reduce__", "__reduce_ex__", "__getstate__", "__setstate__")


def _plainly(x: Any) -> None:
    """Refuse an object whose class says how it is copied."""
    P = type(x)
    own = [name for name in _OWN if getattr(P, name, None) is not getattr(object, name, None)]
    if own and not isinstance(x, (*_PLAIN, float, int, complex, str)):
        raise copied_otherwise(P, own[0])


non_differentiable(_plainly, why="checks a type")


def _register(make: Any) -> None:
    @frule(make)  # lint: catch-all, whatever can be copied
    def copy_frule(tangents, x):
        """the identity"""
        _plainly(x)
        return make(x), tangents[0]

    @rrule(make)  # lint: catch-all, whatever can be copied
    def copy_rrule(x):
        """the identity"""
        _plainly(x)

        def copy_pullback(y_bar):
            return y_bar

        return make(x), copy_pullback


_register(copy.copy)
_register(copy.deepcopy)
