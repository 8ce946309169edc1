"""Python's operators for our own tangents: `a + b`, `a - b`, `-a`, `2.0 * a`, `a / 2.0`.

They only forward to `add` and `scale`. A product of two tangents has no meaning and is refused,
and NumPy's operators leave the answer to us on either side.
"""

from __future__ import annotations

from numbers import Number
from typing import Any

import numpy as np

from . import algebra


class Operators:
    """The operators of a tangent that is neither a number nor an array."""

    __array_ufunc__: Any = None

    def __add__(self, other: Any) -> Any:
        return algebra.add(self, other)

    def __radd__(self, other: Any) -> Any:
        return algebra.add(other, self)

    def __neg__(self) -> Any:
        return algebra.scale(-1, self)

    def __pos__(self) -> Any:
        return self

    def __sub__(self, other: Any) -> Any:
        return algebra.add(self, algebra.scale(-1, other))

    def __rsub__(self, other: Any) -> Any:
        return algebra.add(other, -self)

    def __mul__(self, other: Any) -> Any:
        return algebra.scale(other, self) if _is_scalar(other) else NotImplemented

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        return algebra.scale(1 / other, self) if _is_scalar(other) else NotImplemented


def _is_scalar(s: Any) -> bool:
    return isinstance(s, Number | np.generic) or (isinstance(s, np.ndarray) and s.ndim == 0)
