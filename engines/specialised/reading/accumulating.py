"""`np.add.at(a, indices, b)` as `a[:] = accumulated(a, b, indices)`: a store like any other."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....core import Array, frule, rrule
from ....core.broadcasting import unbroadcast
from ....core.changes import pure
from ....tangents import materialize


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
