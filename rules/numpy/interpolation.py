"""Interpolation: `interp`, by the points, the coordinates and the values.

At a coordinate the slope is that of the piece to the right, at the last one that of the piece to the left;
outside it is zero. With a period the points and coordinates are brought into one period first. Absent:
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
    return np.clip(np.searchsorted(xp, x, side="right") - 1, 0, max(len(xp) - 2, 0))


def in_order(xp: Any) -> Any:
    """The places of the coordinates in ascending order."""
    return np.argsort(xp, kind="stable")


non_differentiable(piece_of, in_order, why="returns indices")


@written_out(np.interp)
def interp(x: Array, xp: Array, fp: Array, left: _VALUE = None, right: _VALUE = None, *, period=None):
    """y = f(xⱼ) + (x − xⱼ) (f(xⱼ₊₁) − f(xⱼ)) / (xⱼ₊₁ − xⱼ)        xⱼ ≤ x ≤ xⱼ₊₁"""
    x, xp, fp = np.asarray(x, float), np.asarray(xp, float), fp * 1.0
    if period is not None:
        length = abs(period)
        x, xp = np.remainder(x, length), np.remainder(xp, length)
        order = in_order(xp)
        xp, fp = xp[order], fp[order]
        xp = np.concatenate((xp[-1:] - length, xp, xp[:1] + length))
        fp = np.concatenate((fp[-1:], fp, fp[:1]))
    j = piece_of(x, xp)
    y: Any = fp[j]
    if len(xp) > 1:
        y = y + (x - xp[j]) / (xp[j + 1] - xp[j]) * (fp[j + 1] - fp[j])
    y = np.where(x < xp[0], fp[0] if left is None or period is not None else left, y)
    return np.where(x > xp[-1], fp[-1] if right is None or period is not None else right, y)[()]
