"""Places: indices that are lists or ranges of whole numbers, as the arrays that NumPy makes of them."""

from __future__ import annotations

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


non_differentiable(places_of, why="places")
pure(places_of)
