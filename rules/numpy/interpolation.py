"""Interpolation: `interp`, by the points, the coordinates and the values.

At a coordinate the slope is that of the piece to the right, at the last one that of the piece to the left;
outside it is zero. Of coordinates that are the same the last one has the value; where they are the last of
all, the slope is zero. With a period the points and coordinates are brought into one period first. Absent:
derivatives by the period.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core import Array, non_differentiable
from ..written import written_out

_VALUE = Array | None


def piece_of(x: Any, xp: Any) -> Any:
    """The coordinate on the left of each point, the last but one at most."""
    return np.minimum(np.maximum(xp.searchsorted(x, side="right") - 1, 0), max(len(xp) - 2, 0))


def is_number(x: Any) -> bool:
    """Whether this is one point, a real number."""
    return isinstance(x, float)


def place_of(x: Any, xp: Any, fp: Any) -> int | None:
    """The coordinate on the left of one point: -1 before all, how many there are behind all.

    None where the piece behind it is no line: of one coordinate twice, or with values that are not finite.
    """
    if x < xp[0]:
        return -1
    if x > xp[-1]:
        return len(xp)
    j = int(piece_of(x, xp))
    plain = len(xp) > 1 and xp[j] != xp[j + 1] and np.all(np.isfinite((xp[j], xp[j + 1], fp[j], fp[j + 1])))
    return j if plain else None


def in_order(xp: Any) -> Any:
    """The places of the coordinates in ascending order."""
    return np.argsort(xp, kind="stable")


non_differentiable(piece_of, is_number, place_of, in_order, why="returns indices")


@written_out(np.interp)
def interp(x: Array, xp: Array, fp: Array, left: _VALUE = None, right: _VALUE = None, *, period=None):
    """y = f(xⱼ) + (x − xⱼ) (f(xⱼ₊₁) − f(xⱼ)) / (xⱼ₊₁ − xⱼ)        xⱼ ≤ x ≤ xⱼ₊₁"""
    at: Any = np.asarray(xp, float)
    values: Any = fp * np.float64(1.0)
    place = place_of(x, at, values) if period is None and is_number(x) else None
    if place is not None and place < 0:
        return values[0] if left is None else left * np.float64(1.0)
    if place is not None and place == len(at):
        return values[-1] if right is None else right * np.float64(1.0)
    if place is not None:
        slope = (values[place + 1] - values[place]) / (at[place + 1] - at[place])
        return values[place] + slope * (x - at[place])
    points: Any = np.asarray(x, float)
    if period is not None:
        length = abs(period)
        points, at = np.remainder(points, length), np.remainder(at, length)
        order = in_order(at)
        at, values = at[order], values[order]
        at = np.concatenate((at[-1:] - length, at, at[:1] + length))
        values = np.concatenate((values[-1:], values, values[:1]))
    j = piece_of(points, at)
    y: Any = values[j]
    if len(at) > 1:
        start, stop, width, beyond = y, values[j + 1], at[j + 1] - at[j], points - at[j]
        if np.any(width == 0):  # at the last coordinate, where that is there twice
            y, width = np.where(width == 0, stop, y), np.where(width == 0, np.inf, width)
        slope = (stop - start) / width
        if not np.all(np.isfinite(slope)):
            slope = np.where(np.isfinite(slope) | (beyond != 0), slope, 0.0)
        y = y + slope * beyond
    if np.any(points < at[0]):
        y = np.where(points < at[0], values[0] if left is None or period is not None else left, y)[()]
    if np.any(points > at[-1]):
        y = np.where(points > at[-1], values[-1] if right is None or period is not None else right, y)[()]
    return y
