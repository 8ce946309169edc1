"""Places: indices that are lists or ranges of whole numbers, as the arrays that NumPy makes of them.

And the places of an array one after the other, as tuples; those of a diagonal; and `np.add.at(a, i, b)` as
`a[:] = accumulated(a, b, i)`, a store like any other.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ....core import Array, frule, non_differentiable, rrule
from ....core.broadcasting import unbroadcast
from ....core.changes import pure
from ....tangents import materialize


def places_of(given: Any) -> Any:
    """The array that stands for a list of places; ValueError for one of lists, or of anything else."""
    made = np.array(given)
    if made.ndim == 1 and not made.size:
        return made.astype(np.intp)
    if made.ndim != 1 or made.dtype.kind not in "ib":
        raise ValueError("places along several axes")
    return made


def count_of(shape: Any) -> int:
    """How many places an array of a shape has, or one of so many entries."""
    return shape if isinstance(shape, int) else math.prod(shape)


def place_of(count: int, shape: Any) -> tuple[int, ...]:
    """The place with a number, where the last axis is counted first."""
    place = []
    for n in reversed((shape,) if isinstance(shape, int) else shape):
        count, i = divmod(count, n)
        place.append(i)
    return tuple(place[::-1])


def diagonal_of(shape: tuple[int, ...]) -> Any:
    """The places of a matrix's diagonal, along each axis."""
    return np.arange(min(shape))


for _f in (places_of, count_of, place_of, diagonal_of):
    non_differentiable(_f, why="places")
    pure(_f)


def accumulated(a: Any, b: Any, indices: Any) -> Any:
    """A copy of a to which b is added at places, once for each time that a place is named."""
    y = a.copy()
    np.add.at(y, indices, b)
    return y


@frule(accumulated)
def accumulated_frule(tangents: Any, a: np.ndarray, b: Array, *, indices: Any) -> Any:
    """y = a, y[i] += b        ẏ = ȧ, ẏ[i] += ḃ"""
    da, db = (materialize(t, like=x) for t, x in zip(tangents, (a, b), strict=True))
    return accumulated(a, b, indices), accumulated(da, db, indices)


@rrule(accumulated)
def accumulated_rrule(a: np.ndarray, b: Array, *, indices: Any) -> Any:
    """y = a, y[i] += b        ā = ȳ,  b̄ = ȳ[i]"""

    def accumulated_pullback(y_bar: Any) -> Any:
        return y_bar, unbroadcast(y_bar[indices], np.shape(b))

    return accumulated(a, b, indices), accumulated_pullback


pure(accumulated)
