"""Solutions: how a root or a minimum moves, by specialised programs.

The implicit function theorem asks for the Jacobian at the solution and for one pullback by the parameters.
Of a minimum both are in products with the Hessian: along unit vectors for the Jacobian, along λ for the
parameters, because second derivatives are symmetric. Of a root they are gradients of λ·F(x, θ). What a
function captured is among the parameters (`lifting`).

As for gradients: the first runs use the ordinary program. Parameters and captured values that are not floats
or arrays of them stay with it, and so does everything that is differentiated again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ....core import implicit
from ....core.residuals import Gradient, is_vector
from ..reading.handing import QUICK
from ..reading.lifting import Lifted
from .entry import Settings
from .minima import OfMinimum
from .residuals import AFTER_REFUSAL, are_many, count_of, is_off, lifted_for
from .roots import OfRoot
from .sites import Site, SiteWithin
from .ways import Way
from .within import OfMinimumWithin

FEW = 8
"""Up to how many numbers a root moves by the pullbacks of each."""


def root_pullback(
    residual: Any, x: Any, parameters: tuple[Any, ...], jacobian: Any = None
) -> Callable[[Any], Any] | None:
    """The pullback of a root by specialised programs; None where there are none yet, or none that fit."""
    way = _way(residual, x, parameters, jacobian)
    return None if way is None else way.pullback()


def root_pushforward(
    residual: Any, x: Any, parameters: tuple[Any, ...], jacobian: Any = None
) -> Callable[[Any, Any], Any] | None:
    """The pushforward of a root of a few numbers, of the tangents of the residual and of the parameters."""
    way = _way(residual, x, parameters, jacobian) if np.size(x) <= FEW else None
    return way.pushforward if way is not None and way.fits() else None


def _way(residual: Any, x: Any, parameters: tuple[Any, ...], jacobian: Any) -> Way | None:
    """How a root moves, where there are programs now."""
    found = None if is_off() else lifted_for(residual, x, parameters)
    if found is None:
        return None
    made, at, y = found
    minimum = type(residual) is Gradient
    way = (OfMinimum if minimum else OfRoot)(residual, made, at, len(parameters), jacobian, y)
    return way if is_ready(way, residual, made, at) else None


def within_pullback(
    objective: Any, x: Any, bounds: Any, parameters: tuple[Any, ...], hessian: Any
) -> Callable[[Any], Any] | None:
    """The pullback of a minimum within bounds by specialised programs, as that of a root."""
    residual = Gradient(objective)
    found = None if is_off() or not is_vector(x) else lifted_for(residual, x, parameters)
    if found is None:
        return None
    made, at, _ = found
    way = OfMinimumWithin(residual, made, at, len(parameters), hessian)
    if not way.hold(*bounds):
        return None
    return way.pullback() if is_ready(way, residual, made, at) else None


def is_ready(way: Way, residual: Any, made: Lifted, at: tuple[Any, ...]) -> bool:
    """Whether there are programs now; of many parameters they are written one call later than others.

    By then there may be a text of the program around the solver, which asks for less (sites.py).
    """
    count, first = count_of(residual, made, at, 1), Settings.runs + are_many(at)
    if count == first and not way.is_taught():
        count_of(residual, made, at, -AFTER_REFUSAL)
        return False
    return count >= first


QUICK["within"] = SiteWithin
for _f in (implicit.root, implicit.minimum, implicit.fixed_point):
    QUICK[_f] = Site
