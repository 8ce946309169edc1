"""The derivative of an integral: under the integral sign, and at its limits [Leibniz].

    y = ∫ₐᵇ f(x, θ) dx        ẏ = f(b) ḃ − f(a) ȧ + ∫ₐᵇ f_θ θ̇ dx        θ̄ = ∫ₐᵇ f_θᴴ ȳ dx

The parameters are the further arguments and what f captured. Their cotangents are one integral of a
vector, with the tolerances, the limit of intervals and the break points of the first one. An infinite
limit does not move. The rule's own integrals are `integral`s again, so that second derivatives follow.
Where f jumps at a place that moves, the integral of its derivative does not see the jump: give the place
as a limit of two integrals.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import integrate

from ....core import NotDifferentiableError, frule, non_differentiable, rrule
from ....core.apply import as_tangent
from ....core.callables import name_of
from ....core.shortcuts import shortcut
from ....tangents import ZERO, NotImplementedTangent, is_zero, ravel
from .across import Across, cotangents_at, ready_across, ready_of
from .along import Along, ready_along, ready_back
from .breaks import breaks_in, with_breaks
from .few import of_few
from .one_panel import in_one_panel


def integral(f: Any, a: Any, b: Any, *parameters: Any, found: Any = None, settings: Any = None) -> Any:
    """∫ f(x, *parameters) dx from a to b, of numbers or arrays; `found` is its value, where that is known."""
    if found is not None:
        return found
    at = inside(a, b)
    for ready in (ready_across, ready_along, ready_back):
        integrand = ready(f, at, parameters)
        if integrand is not None:
            return summed(integrand, a, b, settings or {}, f)
    return summed(lambda x: f(x, *parameters), a, b, settings or {}, f)


def summed(integrand: Callable[[float], Any], a: Any, b: Any, settings: Any, f: Any, breaks: Any = ()) -> Any:
    """∫ integrand(x) dx from a to b, of numbers, arrays or tuples of numbers; `f` is what an error names.

    At `breaks` the integrand may have kinks or jumps.
    """
    low, high = float(a), float(b)
    enough = None if len(breaks) else of_few(integrand, low, high, inside(a, b), settings)
    if enough is None:
        enough = in_one_panel(integrand, low, high, settings)
    if enough is not None:
        return enough
    if len(breaks):
        settings = {**settings, "points": with_breaks(settings.get("points"), breaks)}
    value, _, info = integrate.quad_vec(
        lambda x: np.asarray(integrand(x)), low, high, full_output=True, **settings
    )
    if not info.success:
        raise NotDifferentiableError(
            f"the integral of the derivative of {name_of(f)} did not converge: {info.message}",
            next="split the interval with points=, raise limit=, or give wider tolerances",
        )
    return value


@shortcut
def by_program(y_bar: Any, f: Any, a: Any, b: Any, parameters: Any, settings: Any) -> Any:
    """An engine's program, and what it makes of f and the parameters, by place; None where it has none."""
    ready = ready_of(f, inside(a, b), y_bar, parameters)
    if ready is None or not ready.places:
        return None

    def numbers(x: float) -> Any:
        return ready.by(ready.places, y_bar, (x, *parameters))

    def integrand(x: float) -> Any:
        return np.concatenate([*map(np.ravel, numbers(x))])

    values = [ready.value(place, (0.0, *parameters)) for place in ready.places]
    plain = all(np.ndim(v) == 0 for v in values)
    breaks = breaks_in(values, a, b)
    total = summed(numbers if plain else integrand, a, b, settings or {}, f, breaks)
    parts, done = {}, 0
    for place, v in zip(ready.places, values, strict=True):
        part = total[done : done + np.size(v)]
        parts[place] = np.reshape(part, np.shape(v)) if np.ndim(v) else part[0]
        done += np.size(v)
    return ready, parts


def by_cotangents(df: Any, moved: Any, y: Any, f: Any, a: Any, b: Any, parameters: Any, settings: Any) -> Any:
    """⟨θ̄, θ̇⟩ for a seed of 1, of an integral that is a number; None without a program for θ̄"""
    found = by_program(1.0, f, a, b, parameters, settings) if type(y) in (float, np.float64) else None
    if found is None:
        return None
    ready, parts = found
    return ready.inner(parts, df, (ZERO, *moved))


def inside(a: Any, b: Any) -> float:
    """A point between the limits."""
    if np.isfinite(a) and np.isfinite(b):
        return float(a) + 0.37 * (float(b) - float(a))
    return float(a) + 1.0 if np.isfinite(a) else float(b) - 1.0 if np.isfinite(b) else 0.1


def by_limit(y_bar: Any, f: Any, limit: Any, parameters: Any) -> Any:
    """ȳ f(x) at a limit x: zero at an infinite one, missing where the integrand is not finite."""
    if not is_finite(limit):
        return ZERO
    if is_singular(f, limit, parameters):
        return NotImplementedTangent("the integrand is not finite at a limit of its integral")
    return np.sum(y_bar * np.conj(f(limit, *parameters)))


def is_finite(limit: Any) -> bool:
    """Whether a limit is finite."""
    return bool(np.isfinite(limit))


def is_singular(f: Any, limit: Any, parameters: Any) -> bool:
    """Whether the integrand has no finite value at a limit."""
    try:
        with np.errstate(all="ignore"):
            return not np.all(np.isfinite(f(limit, *parameters)))
    except (ArithmeticError, ValueError):
        return True


@frule(integral)
def integral_frule(
    tangents, f: Callable, a: object, b: object, *parameters: object, found=None, settings=None
):
    """ẏ = f(b) ḃ − f(a) ȧ + ∫ f_θ θ̇ dx"""
    y = integral(f, a, b, *parameters, found=found, settings=settings)
    df, da, db = tangents[:3]
    dy = by_cotangents(df, tangents[3:], y, f, a, b, parameters, settings)
    if dy is None:
        dy = integral(Along(), a, b, f, df, parameters, tangents[3:], settings=settings)
    for limit, moved, sign in ((a, da, -1.0), (b, db, 1.0)):
        if not is_zero(moved) and is_finite(limit):
            dy = dy + sign * f(limit, *parameters) * moved
    return y, dy


@rrule(integral)
def integral_rrule(f: Callable, a: object, b: object, *parameters: object, found=None, settings=None, needs):
    """θ̄ = ∫ f_θᴴ ȳ dx, b̄ = ȳ f(b), ā = −ȳ f(a)"""
    y = integral(f, a, b, *parameters, found=found, settings=settings)

    def integral_pullback(y_bar):
        a_bar = by_limit(-y_bar, f, a, parameters) if needs[1] else ZERO
        b_bar = by_limit(y_bar, f, b, parameters) if needs[2] else ZERO
        found = by_program(y_bar, f, a, b, parameters, settings)
        if found is not None:
            of_f, _, *others = found[0].arranged(found[1])
            return of_f, a_bar, b_bar, *others
        pattern, unravel = ravel(cotangents_at(inside(a, b), y_bar, f, parameters))
        if len(pattern):
            pattern = integral(Across(), a, b, y_bar, f, parameters, settings=settings)
        made = unravel(pattern)
        return made[0], a_bar, b_bar, *(as_tangent(t) for t in made[1:])

    return y, integral_pullback


non_differentiable(inside, is_finite, is_singular, why="a point; truth values")
