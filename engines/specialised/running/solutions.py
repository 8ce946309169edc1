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

from ....core import debug
from ....core.recording import is_recording
from ....core.residuals import Excess, Gradient, is_number, is_vector
from ...boundary import LARGE
from ..reading.capturing import is_held
from ..reading.lifting import lifted
from .entry import Settings
from .ways import OfMinimum, OfRoot

_COUNTS = "__chainrules_solutions__"


def root_pullback(
    residual: Any, x: Any, parameters: tuple[Any, ...], jacobian: Any = None
) -> Callable[[Any], Any] | None:
    """The pullback of a root by specialised programs; None where there are none yet, or none that fit."""
    if not Settings.on or Settings.compared or debug.is_on() or is_recording():
        return None
    if not (is_number(x) or (is_vector(x) and 0 < len(x) < LARGE)) or not all(map(is_held, parameters)):
        return None
    kind = type(residual)
    f = residual.objective if kind is Gradient else residual.function if kind is Excess else residual
    y = None if kind is Gradient else f(x, *parameters)
    around = "{}" if kind is Gradient else weighted(y, x, excess=kind is Excess)
    size = np.size(x) if np.ndim(x) else None
    made = None if around is None else lifted(f, 1 + len(parameters), around, size)
    if made is None or any(np.size(v) >= LARGE for v in made.held):
        return None
    at = (x, *parameters, *made.held)
    counts = made.f.__dict__.setdefault(_COUNTS, {})
    key = (made.f.__code__, kind, *[(type(v), np.ndim(v)) for v in at])
    counts[key] = count = counts.get(key, 0) + 1
    if count < Settings.runs:
        return None
    way = (OfMinimum if kind is Gradient else OfRoot)(residual, made, at, len(parameters), jacobian, y)
    if count == Settings.runs and not way.is_taught():
        counts[key] = -AFTER_REFUSAL
        return None
    return way.pullback()


def weighted(y: Any, x: Any, *, excess: bool) -> str | None:
    """The text of w·F(x), or w·(g(x) − x), for a value of the function; None where that is not like x."""
    listed = type(y) is list and all(map(is_number, y))
    if not (listed or is_vector(y) or is_number(y)) or np.shape(y) != np.shape(x):
        return None
    value = "np.array({})" if listed else "{}"
    if is_number(y):
        return "weight_ * ({} - given0_)" if excess else "weight_ * {}"
    return f"np.sum(weight_ * ({value} - given0_))" if excess else f"np.sum(weight_ * {value})"


AFTER_REFUSAL = 10**6
"""How many calls pass before a function that was declined is tried again."""
