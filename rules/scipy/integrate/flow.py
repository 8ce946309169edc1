"""The flow of a differential equation: where y′ = f(t, y, θ) takes what starts at y₀, and its derivative.

    S′ = f_y S + f_θ θ̇, S(t₀) = ẏ₀ − f(t₀, y₀) ṫ₀        ẏ(t) = S(t) + f(t, y) ṫ
    λ′ = −f_yᴴ λ, λ gains ȳᵢ at tᵢ        ȳ₀ = λ(t₀), θ̄ = ∫ f_θᴴ λ dt, t̄₀ = −f(t₀, y₀)ᴴ λ(t₀)

[Hairer, Nørsett & Wanner 1993, I.14; Cao, Li, Petzold & Serban 2003]

Forward the sensitivities are integrated along with the state. In reverse the state is never integrated back:
λ follows the solution that was found on the way there (`adjoint`); of a small system all sensitivities are
integrated at once instead (`sensitivities`). The derivative of the pullback is the pullback of the
pushforward, as second derivatives are symmetric; so no order ends the recursion. All this is solved with the
caller's method and a tenth of its tolerances, by RK45 where that is RK23, and by DOP853 where that is RK45
and the tolerance is tight.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ....core import frule, non_differentiable, rrule
from ....core.apply import as_tangent
from ....core.calls import reverse_of
from ....core.holdings import for_all
from ....tangents import ZERO, is_zero, materialize, ravel
from .adjoint import gathered
from .trajectory import states_at
from .variations import Variation, moved


def flow(f: Any, t0: Any, y0: Any, times: Any, *parameters: Any, found: Any = None, settings: Any) -> Any:
    """The states at times, a column for each; `found` are they, where that is known.

    Shapes:  y0 is (n,), times (m,) in the order in which they are reached from t0; the result is (n, m).
    """
    return states_at(f, t0, y0, times, parameters, settings) if found is None else found


@for_all
def pushed(
    tangents: Any, f: Any, t0: Any, y0: Any, times: Any, *parameters: Any, found: Any, settings: Any
) -> Any:
    """The tangent of a flow, along tangents of its arguments."""
    df, dt0, dy0, dtimes = tangents[0], tangents[1], tangents[2], tangents[3]
    start = materialize(dy0, like=y0)
    if not is_zero(dt0):
        start = start - moved(f, t0, y0, *parameters) * dt0
    finer = along(settings, (f, y0, *parameters), (df, start, *tangents[4:]), len(y0))
    state = np.concatenate([y0, start])
    both = flow(Variation(), t0, state, times, f, df, parameters, tangents[4:], settings=finer)
    dy = both[len(y0) :]
    if is_zero(dtimes):
        return dy
    y = flow(f, t0, y0, times, *parameters, found=found, settings=settings)
    slopes = tuple([moved(f, times[j], y[:, j], *parameters) for j in range(len(times))])
    return dy + np.stack(slopes, axis=1) * dtimes


def along(settings: Any, x: Any, dx: Any, n: int) -> Any:
    """The settings for the state and its tangent, whose absolute tolerances are in the tangent's measure."""
    measures = []
    for primal, tangent in zip(x, dx, strict=True):
        if not is_zero(tangent):
            size = np.max(np.abs(ravel(tangent)[0]), initial=0.0)
            measures.append(size / max(1.0, np.max(np.abs(ravel(primal)[0]), initial=0.0)))
    measure = min([m for m in measures if m > 0.0], default=1.0)
    atol = np.broadcast_to(settings["atol"], n)
    return {**settings, "own": {}, "atol": np.concatenate([atol, measure * atol])}


def vector_of(tangents: Any, x: Any) -> Any:
    """The tangents of arguments as one vector, zeros written out."""
    made = tuple([materialize(tangents[i], like=x[i]) for i in range(len(x))])
    return ravel(made)[0]


def moves(tangents: Any) -> bool:
    """Whether any of these tangents is not zero."""
    return not all(is_zero(t) for t in tangents)


def pattern_of(x: Any) -> Any:
    """How to make tangents of arguments of a vector."""
    return ravel(tuple([materialize(ZERO, like=part) for part in x]))[1]


def tangents_of(v: Any, x: Any) -> Any:
    """The tangents of arguments that a vector holds."""
    made = pattern_of(x)(v)
    return tuple([as_tangent(made[i]) for i in range(len(x))])


non_differentiable(along, moves, pattern_of, why="settings, and the shapes of tangents")


@frule(flow)
def flow_frule(
    tangents, f: Callable, t0: object, y0: object, times: object, *parameters: object, found=None, settings
):
    """ẏ(t) = S(t) + f(t, y) ṫ        S′ = f_y S + f_θ θ̇"""
    y = flow(f, t0, y0, times, *parameters, found=found, settings=settings)
    return y, pushed(tangents, f, t0, y0, times, *parameters, found=found, settings=settings)


@rrule(flow)
def flow_rrule(
    f: Callable, t0: object, y0: object, times: object, *parameters: object, found=None, settings, needs
):
    """θ̄ = ∫ f_θᴴ λ dt, ȳ₀ = λ(t₀)        λ′ = −f_yᴴ λ"""
    y = flow(f, t0, y0, times, *parameters, found=found, settings=settings)
    x = (f, t0, y0, times, *parameters)

    def flow_pullback(y_bar):
        seed = materialize(y_bar, like=y)
        return tangents_of(pulled(seed, *x, found=found, settings=settings, wanted=needs), x)

    return y, flow_pullback


def pulled(
    y_bar: Any, f: Any, t0: Any, y0: Any, times: Any, *parameters: Any, found: Any, settings: Any, wanted: Any
) -> Any:
    """The cotangents of a flow's arguments for a seed, as one vector; zeros for those that nobody wants."""
    return vector_of(
        gathered(y_bar, f, t0, y0, times, parameters, settings, wanted), (f, t0, y0, times, *parameters)
    )


def mixed(y_bar: Any, dx: Any, x: Any, found: Any, settings: Any) -> Any:
    """How a seed is pulled back through the tangent of a flow, by what the flow depends on."""
    needs = (False, *(True for _ in x))
    _, back = reverse_of(pushed, (dx, *x), {"found": found, "settings": settings}, needs, None)
    return back(y_bar)[1:]


@frule(pulled)
def pulled_frule(
    tangents, y_bar: object, f: Callable, t0: object, y0: object, times: object, *parameters: object,
    found, settings, wanted,
):  # fmt: skip
    """The pullback of ẏ̄, and that of the pushforward along ẋ for ȳ, by the symmetry of second derivatives"""
    x = (f, t0, y0, times, *parameters)
    v = pulled(y_bar, *x, found=found, settings=settings, wanted=wanted)
    dv = v * 0.0
    if not is_zero(tangents[0]):
        turned = materialize(tangents[0], like=y_bar)
        dv = dv + pulled(turned, *x, found=found, settings=settings, wanted=wanted)
    if moves(tangents[1:]):
        dv = dv + vector_of(mixed(y_bar, tangents[1:], x, found, settings), x)
    return v, dv


@rrule(pulled)
def pulled_rrule(
    y_bar: object, f: Callable, t0: object, y0: object, times: object, *parameters: object,
    found, settings, wanted,
):  # fmt: skip
    """For a seed w: the pushforward along w, and the pullback of that pushforward for ȳ"""
    x = (f, t0, y0, times, *parameters)

    def pulled_pullback(v_bar):
        dx = tangents_of(v_bar, x)
        return pushed(dx, *x, found=found, settings=settings), *mixed(y_bar, dx, x, found, settings)

    return pulled(y_bar, *x, found=found, settings=settings, wanted=wanted), pulled_pullback
