"""Python's operators for our own tangents: `a + b`, `a - b`, `-a`, `2.0 * a`, `a / 2.0`.

They only forward to `add` and `scale`. A product of two tangents has no meaning and is refused,
and NumPy's operators leave the answer to us on either side.
"""

from __future__ import annotations

from numbers import Number
from typing import Any

import numpy as np


class Operators:
    """The operators of a tangent that is neither a number nor an array.

    The imports stand inside because `add` and `scale` are defined over the classes that inherit from here.
    """

    __array_ufunc__: Any = None

    def __add__(self, other: Any) -> Any:
        from .addition import add

        return add(self, other)

    def __radd__(self, other: Any) -> Any:
        from .addition import add

        return add(other, self)

    def __neg__(self) -> Any:
        from .vectors import scale

        return scale(-1, self)

    def __pos__(self) -> Any:
        return self

    def __sub__(self, other: Any) -> Any:
        from .addition import add
        from .vectors import scale

        return add(self, scale(-1, other))

    def __rsub__(self, other: Any) -> Any:
        from .addition import add

        return add(other, -self)

    def __mul__(self, other: Any) -> Any:
        from .vectors import scale

        return scale(other, self) if _is_scalar(other) else NotImplemented

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        from .vectors import scale

        return scale(1 / other, self) if _is_scalar(other) else NotImplemented


def _is_scalar(s: Any) -> bool:
    return isinstance(s, Number | np.generic) or (isinstance(s, np.ndarray) and s.ndim == 0)
