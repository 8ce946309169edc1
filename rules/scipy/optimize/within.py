"""Minima within bounds: the variables that are free move, those that are at their bounds move with these."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ....core import frule, implicit, rrule
from ....core.bounds import is_at
from ....core.calls import forward_of, reverse_of
from ....core.recording import by_rule
from ....core.shortcuts import shortcut
from ...written import own
from .active import filled, free_of, places


@by_rule
def minimum_within(
    objective: Any, x: Any, lower: Any, upper: Any, *parameters: Any, hessian: Any = None
) -> Any:
    """The minimum of objective(x, *parameters) within bounds that somebody found, with its derivative.

    Shapes:  x is a vector, and so are the bounds, infinite where there is none.
             `hessian` is as that of `implicit.minimum`, and counts where no variable is at a bound.
    Raises:  NotDifferentiableError, where a derivative is asked for, as `implicit.minimum` does for what is
             free, and if a variable is at a bound with a multiplier of zero.
    """
    low, high = is_at(x, np.array((lower, upper)))
    at = low | high
    return np.where(at, np.where(low, lower, upper), x) if at.any() else x


minimum_within.__chainrules_site__ = "within"  # type: ignore[attr-defined]  # so that engines answer to calls of it


def within(function: Any, spots: Any, held: Any) -> Any:
    """A function of all variables as one of the free ones, the others held at their bounds."""

    def of_free(z: Any, *parameters: Any) -> Any:
        return function(np.concatenate((z, np.zeros(1)))[spots] + held, *parameters)

    return of_free


def held_at_bounds(
    objective: Any, found: Any, lower: Any, upper: Any, *parameters: Any, hessian: Any = None
) -> Any:
    """What `minimum_within` is: a minimum of the variables that are free, the others at their bounds."""
    free = own(free_of, objective, found, parameters, lower, upper)
    if own(np.all, free):
        return implicit.minimum(objective, found, *parameters, hessian=hessian)
    held = np.where(free, 0.0, np.where(is_at(found, lower), lower, upper))
    if not own(np.any, free):
        return held
    of_free = within(objective, places(free), held)
    return filled(free, implicit.minimum(of_free, found[free], *parameters), held)


@frule(minimum_within, still=("hessian",))
def minimum_within_frule(
    tangents: Any,
    objective: Callable,
    x: object,
    lower: object,
    upper: object,
    *parameters: object,
    hessian=None,
    engine,
):
    """As its program"""
    given = objective, x, lower, upper, *parameters
    return forward_of(held_at_bounds, given, tangents, {"hessian": hessian}, engine)


@rrule(minimum_within, still=("hessian",))
def minimum_within_rrule(
    objective: Callable,
    x: object,
    lower: object,
    upper: object,
    *parameters: object,
    hessian=None,
    engine,
):
    """As its program"""
    ready = ready_pullback(objective, x, lower, upper, parameters, hessian, engine)
    if ready is not None:
        return minimum_within(objective, x, lower, upper, *parameters), ready
    given = objective, x, lower, upper, *parameters
    return reverse_of(held_at_bounds, given, {"hessian": hessian}, (True,) * len(given), engine)


@shortcut
def ready_pullback(
    objective: Any, x: Any, lower: Any, upper: Any, parameters: Any, hessian: Any, engine: Any
) -> Any:
    """The pullback that an engine has ready; None where it has none or is differentiated."""
    known = getattr(engine, "within_pullback", None)
    return None if known is None else known(objective, x, (lower, upper), parameters, hessian)
