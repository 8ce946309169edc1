"""Places: indices that are lists or ranges of whole numbers, as the arrays that NumPy makes of them.

And the places of an array one after the other, as tuples.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ....core import non_differentiable
from ....core.changes import pure


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


for _f in (places_of, count_of, place_of):
    non_differentiable(_f, why="places")
    pure(_f)
