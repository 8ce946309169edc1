"""Both rules of a linear map, from its transpose.

A transform, a filter, a resampling: f(x) = A x, where A depends on the options alone. Its tangent is f of
the tangent, so that only the transpose is to be written. For complex arrays the transpose is the adjoint,
Aᴴ.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..core import non_differentiable
from .linearity import linear_in
from .written import like_program


def outline(x: Any) -> Any:
    """Zeros of the shape and dtype of x that take no memory: what a transpose may know of it."""
    return np.broadcast_to(np.zeros((), x.dtype), np.shape(x))


def unpermitted(options: dict[str, Any]) -> dict[str, Any]:
    """The options without a permission to overwrite the argument, which a rule does not take."""
    return {name: value for name, value in options.items() if not name.startswith("overwrite_")}


def fresh(y: Any, x: Any) -> Any:
    """y, or a copy of it where a map that had nothing to do returned its argument itself."""
    return np.copy(y) if y is x else y


non_differentiable(outline, unpermitted, why="computes with a shape, a dtype and names alone")


def transpose_of(f: Callable[..., Any], **homogeneous: Any) -> Callable[[Any], Any]:
    """Register the transpose of a linear function, and with it both rules.

    What is decorated takes the cotangent of the value, an array of zeros with the shape and dtype of the
    argument, and the options of f by name; it returns the cotangent of the argument. Its docstring becomes
    that of both rules. `homogeneous` names options that the tangent has a value of its own for: a constant
    that f adds beyond an edge.

    Example: >>> def running(x, start=0.0):  # compiled, say
             ...     return start + np.cumsum(x)
             >>> @transpose_of(running, start=0.0)
             ... def running_transposed(y_bar, x: np.ndarray, *, start=0.0):
             ...     return np.cumsum(y_bar[::-1])[::-1]
             >>> cr.grad(lambda x: running(x)[-1])(np.ones(3))
             array([1., 1., 1.])
    """

    def declare(transposed: Any) -> Any:
        def linear_frule(tangents: Any, x: Any, **options: Any) -> Any:
            options = unpermitted(options)
            return fresh(f(x, **options), x), f(tangents[0], **{**options, **homogeneous})

        def linear_rrule(x: Any, **options: Any) -> Any:
            like, options = outline(x), unpermitted(options)

            def linear_pullback(y_bar: Any) -> Any:
                return transposed(y_bar, like, **options)

            return fresh(f(x, **options), x), linear_pullback

        linear_in(0)(linear_rrule)
        like_program(f, linear_frule, "forward", transposed, skip=1)
        like_program(f, linear_rrule, "reverse", transposed, skip=1)
        return transposed

    return declare
