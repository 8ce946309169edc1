"""Half spectra: of the spectrum of real numbers one half is kept, in which most entries stand for two."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core import non_differentiable


def halves(count: int, n: int, axis: int, ndim: int, dtype: Any) -> Any:
    """One half for the entries of a half spectrum that stand for two of n, one for the others."""
    weights = np.full(count, 0.5, dtype=np.finfo(dtype).dtype)
    weights[0] = 1.0
    if n % 2 == 0:
        weights[n // 2 :] = 1.0
    return np.reshape(weights, (*(1,) * axis, count, *(1,) * (ndim - axis - 1)))


non_differentiable(halves, why="computes with lengths and axes alone")
