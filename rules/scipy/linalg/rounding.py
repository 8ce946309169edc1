"""What is rounding in a part of a cotangent, compared with the whole of it."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....core import non_differentiable


def against(part: Any, whole: Any) -> Any:
    """A part, zero where it is rounding in comparison to the whole.

    Example: >>> against(np.array([1e-15, 0.5]), np.array([3.0, 1.0]))
             array([0. , 0.5])
    """
    size = np.max(np.abs(whole), initial=0.0)
    eps = np.finfo(whole.dtype if whole.dtype.kind in "fc" else float).eps
    return np.where(np.abs(part) > 1000 * eps * size, part, 0.0)


non_differentiable(against, why="checks a cotangent")
