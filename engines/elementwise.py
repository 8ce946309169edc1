"""`elementwise_grad`: the derivative of each entry of a value by its own entry of the argument.

A seed of ones gives the sums of the Jacobian's columns, which are its diagonal only where f works on each
entry by itself. So a second seed of other numbers is pulled back and has to give the same diagonal; where it
does not, f mixes entries and is refused.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..core.callables import describe, name_of
from ..core.decorators import non_differentiable
from ..core.engine import Engine
from ..core.errors import NotDifferentiableError
from ..core.recording import by_rule
from ..tangents import materialize
from .boundary import chosen, finished, positions_of
from .calls import reverse_of
from .named import named


def elementwise_grad(
    f: Callable[..., Any],
    argnums: int = 0,
    *,
    argnames: str | None = None,
    engine: Engine | str | None = None,
) -> Callable[..., Any]:
    """The derivative of a function that works entry by entry, at each entry.

    Shapes:  the value has the shape of the argument, and so has the result.
    Raises:  NotDifferentiableError where the value has another shape, or an entry of it depends on another
             entry of the argument; else as `grad`.
    Example: >>> elementwise_grad(np.square)(np.array([1.0, 2.0, 3.0]))
             array([2., 4., 6.])
    """

    if argnames is not None:
        return named(elementwise_grad, f, argnames, {"engine": engine})

    def elementwise_gradient(*x: Any, **kwargs: Any) -> Any:
        (i,) = positions_of("elementwise_grad", f, argnums, len(x))
        needs = chosen(f, i, x, None)
        y, pullback = reverse_of(f, x, kwargs, needs, engine)
        seeds = seeds_for(f, y, x[i])
        cotangents = pullback(seeds[0])
        refuse_mixing(f, x[i], cotangents[i], pullback(seeds[1])[i], seeds[1])
        return finished(x, cotangents, i, None)

    return elementwise_gradient


@by_rule
def seeds_for(f: Any, y: Any, x: Any) -> tuple[Any, Any]:
    """Two seeds of a value, ones and other numbers; a value of another shape than x is refused."""
    kind = np.asarray(y).dtype.kind
    if kind not in "fiu" or np.shape(y) != np.shape(x):
        raise NotDifferentiableError(
            f"elementwise_grad of {name_of(f)} is not defined: its value is {describe(y)} for {describe(x)}",
            next="return one real number for each entry of the argument, or use jacobian",
        )
    dtype = np.asarray(y).dtype if kind == "f" else np.dtype(float)
    other = 1.0 + np.random.default_rng(0).random(np.shape(y))
    return np.ones(np.shape(y), dtype)[()], np.asarray(other, dtype)[()]


@by_rule
def refuse_mixing(f: Any, x: Any, diagonal: Any, weighted: Any, weights: Any) -> None:
    """Raise where the second seed does not give the first one's diagonal."""
    expected = np.asarray(materialize(diagonal, like=x)) * weights
    found = np.asarray(materialize(weighted, like=x))
    if not found.size:
        return
    size = np.max(np.abs(np.where(np.isfinite(found), found, 0.0)))
    tolerance = 64 * np.finfo(found.dtype if found.dtype.kind == "f" else float).eps
    if not np.allclose(found, expected, rtol=tolerance, atol=tolerance * size, equal_nan=True):
        raise NotDifferentiableError(
            f"{name_of(f)} mixes the entries of its argument, so it has no derivative entry by entry",
            next="use jacobian, or grad of a sum where you want the sums of the Jacobian's columns",
        )


non_differentiable(seeds_for, refuse_mixing, why="a constant; checks arguments")
