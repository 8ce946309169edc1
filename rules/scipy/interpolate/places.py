"""Where points are among breakpoints: the piece of each, whether it is inside, and its place in a period.

A breakpoint belongs to the piece that begins there, the last one to the last piece: the derivative there
is that of this piece. Points that are not inside have the value nan where nothing is extrapolated, and no
slope.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....core import UnsupportedArgument, non_differentiable


def piece_of(x: Any, points: Any) -> Any:
    """The number of the piece of each point, between breakpoints that ascend or descend."""
    if x[-1] < x[0]:
        x, points = -x, -points
    return np.clip(np.searchsorted(x, points, side="right") - 1, 0, len(x) - 2)


def inside(points: Any, start: Any, end: Any) -> Any:
    """Which points are between two ends, in whichever order these are."""
    return (points >= np.minimum(start, end)) & (points <= np.maximum(start, end))


non_differentiable(piece_of, inside, why="returns indices or truth values")


def real_numbers(f: Any, *numbers: Any) -> None:
    """Refuse arrays, of which SciPy takes the first number, and complex numbers, of which it takes a part."""
    for x in numbers:
        if np.ndim(x) or np.iscomplexobj(x):
            raise UnsupportedArgument(f, "a limit", x, supported=["a real number"])


def real_points(f: Any, *points: Any) -> None:
    """Refuse complex points, of which SciPy takes the real part."""
    for x in points:
        if np.iscomplexobj(x):
            raise UnsupportedArgument(f, "a point", x, supported=["a real number"])


def in_a_row(f: Any, x: Any) -> None:
    """Refuse points in several rows, of each of which SciPy makes a list."""
    if np.ndim(x) > 1:
        raise UnsupportedArgument(f, "x", x, supported=["a number", "points in a row"])


non_differentiable(real_numbers, real_points, in_a_row, why="checks an argument")


def wrapped(points: Any, start: Any, end: Any) -> Any:
    """The points brought into a period by whole periods."""
    return start + np.remainder(points - start, end - start)


def periods(points: Any, start: Any, end: Any) -> Any:
    """How many whole periods were left out."""
    return np.floor_divide(points - start, end - start)


def spread(weights: Any, trailing: int) -> Any:
    """Weights of points with an axis of length 1 for each of the trailing axes of values."""
    return np.reshape(weights, (*np.shape(weights), *(1,) * trailing))


def only(where: Any, values: Any) -> Any:
    """The values where that is true, nan elsewhere."""
    if np.all(where):
        return values
    return np.where(spread(where, np.ndim(values) - np.ndim(where)), values, np.nan)


def delivered(values: Any, shape: tuple[int, ...], axis: int) -> Any:
    """Values of flat points in the shape of the points, which stands at the axis of interpolation."""
    y = np.reshape(values, (*shape, *np.shape(values)[1:]))
    if axis == 0:
        return y
    n = len(shape)
    order = (*range(n, n + axis), *range(n), *range(n + axis, np.ndim(y)))
    return np.transpose(y, order)
