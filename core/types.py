"""`Array`: the union of the types that a numeric rule takes.

It holds NumPy arrays and the real and complex numbers of Python and NumPy. Lists and tuples reach
a numeric rule through `np.asarray`. A truth value is no number here: where one stands in a
numeric slot, as in `x * (x > 0)`, the slot is dispatched as an integer and its cotangent is
`NoTangent()`.
"""

from __future__ import annotations

import numpy as np

Array = np.ndarray | np.floating | np.complexfloating | np.integer | float | complex | int


def is_foreign(x: object) -> bool:
    """Whether x is an array of another library than NumPy, such as a lazy one, which no rule may force.

    Example: >>> is_foreign(np.ones(2)), is_foreign(2.0)
             (False, False)
    """
    return type(x) is not np.ndarray and hasattr(x, "__array_function__") and not isinstance(x, np.ndarray)


Real = np.floating | np.integer | float | int
"""The real scalars among them."""
