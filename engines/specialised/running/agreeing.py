"""Agreeing: whether a specialised program gives the numbers of the ordinary one."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ....tangents import fields_of, is_zero


class Disagreement(AssertionError):
    """A specialised program and the ordinary one gave different answers."""


def rounding(x: tuple[Any, ...], y: Any) -> float:
    """What a gradient that is zero may be instead, since numbers are rounded."""
    sizes = [np.max(np.abs(v), initial=0.0) for v in x if isinstance(v, float) or is_of_floats(v)]
    largest, value = float(max(sizes, default=0.0)), abs(float(y))
    return 1e-13 * value / largest if largest > 0.0 and math.isfinite(value / largest) else 0.0


def is_of_floats(v: Any) -> bool:
    """Whether this is an array of real or complex numbers."""
    return type(v) is np.ndarray and v.dtype.kind in "fc"


def agree(mine: Any, theirs: Any, floor: float = 0.0) -> None:
    """Raise unless two answers are the same numbers of the same types, or differ by less than `floor`."""
    if type(mine) is not type(theirs) and not (isinstance(mine, float) and isinstance(theirs, float)):
        raise Disagreement(f"{type(mine)} and {type(theirs)}")
    if isinstance(mine, tuple):
        if len(mine) != len(theirs):
            raise Disagreement(f"{mine} and {theirs}")
        for a, b in zip(mine, theirs, strict=True):
            agree(a, b, floor)
    elif isinstance(mine, float | int | np.ndarray):
        a, b = np.asarray(mine), np.asarray(theirs)
        if a.shape != b.shape or a.dtype != b.dtype:
            raise Disagreement(f"{a.dtype} {a.shape} and {b.dtype} {b.shape}")
        size = np.max(np.abs(b), initial=0.0, where=np.isfinite(b))
        if not np.allclose(a, b, rtol=1e-7, atol=1e-9 * size + floor, equal_nan=True):
            raise Disagreement(f"{mine} and {theirs}")
    elif not (is_zero(mine) and is_zero(theirs)):
        ours, others = fields_of(mine), fields_of(theirs)
        if isinstance(ours, dict):
            if list(ours) != list(others):
                raise Disagreement(f"{mine} and {theirs}")
            ours, others = tuple(ours.values()), tuple(others.values())
        agree(tuple(ours), tuple(others), floor)
