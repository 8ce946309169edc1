"""`quietly(partial)`: a partial that warns of nothing, for functions that do not warn outside their domain.

SciPy's ufuncs give NaN and infinities without NumPy's warnings; so do their derivatives.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np


def quietly(partial: Callable[..., Any]) -> Callable[..., Any]:
    """The same function, in which divisions by zero and overflows give their infinities silently.

    Example: >>> quietly(lambda y, x: np.float64(1.0) / x)(0.0, np.zeros(1))
             array([inf])
    """

    @functools.wraps(partial)
    def quiet_partial(*values: Any) -> Any:
        with np.errstate(all="ignore"):
            return partial(*values)

    return quiet_partial
