"""Gradients that are containers, inside another derivative: `np.array(g)` of the gradient by a list.

NumPy takes the tangent of a list or tuple for a sequence of numbers, and so do `sum` and its kin of Python;
their rules are for lists. So such a call is made with a list of the items.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...core import non_differentiable
from ...tangents.composite import is_of_sequence, listed


def of_items(*args: Any, **kwargs: Any) -> Any:
    """A call with such lists of a function, which comes last."""
    return args[-1](*[listed(x) for x in args[:-1]], **kwargs)


non_differentiable(is_of_sequence, why="asks for a type")


def takes_items(f: Any, args: tuple[Any, ...]) -> bool:
    """Whether a call of f is made so: f takes the items of a sequence, and one of these is such a tangent."""
    if not any(map(is_of_sequence, args)):
        return False
    if f is sum or f is math.fsum or f is math.prod:
        return True
    library = (getattr(f, "__module__", None) or "").partition(".")[0]
    return library == "numpy" and not isinstance(f, type | np.ufunc)
