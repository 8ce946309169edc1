"""Initial value problems: solve_ivp and odeint.

The solution moves with what it starts from, both ends of the interval, the parameters, what the functions
captured, the times of `t_eval`, and the events: their times and states, terminal ones included. Where the
solver chose the times itself they stay as they are, but for the ends. A user's Jacobian serves the solver
alone.

    t_e′ = −(g_y ẏ + g_θ θ̇) / (g_t + g_y f) at an event g(t, y, θ) = 0

An event that the solution only touches has no derivative, nor has an integration that failed; both are
refused.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import integrate

from ....core import NotDifferentiableError, UnsupportedArgument, implicit, non_differentiable
from ....core.callables import name_of
from ...written import own, written_out
from ..given import as_tuple, with_given
from ..results import with_entries
from .flow import flow
from .trajectory import METHODS

ENTRIES = ("t", "y", "sol", "t_events", "y_events")
NARROWEST = 100 * np.finfo(float).eps


NAMES = {made: name for name, made in METHODS.items()} | {"RK23": "RK45", integrate.RK23: "RK45"}
"""What solvers go by in the integrations for derivatives. RK23 would take many short steps to a tenth of its
tolerance."""

EXPLICIT, TIGHT = ("RK45", "DOP853"), 1e-7
"""To a tenth of such tolerances DOP853 takes fewer steps than RK45: a gradient costs a half to a third."""


class Columns:
    """A function of several states at once, as one of a single state."""

    def __init__(self, fun: Any) -> None:
        self.fun = fun

    def __call__(self, t: Any, y: Any, *args: Any) -> Any:
        return np.ravel(np.asarray(self.fun(t, y[:, None], *args)))


class MovingSolution(integrate.OdeSolution):
    """A dense solution that moves with what it depends on."""

    def __init__(self, frozen: Any, f: Any, t0: Any, y0: Any, parameters: Any, settings: Any) -> None:
        for name in ("n_segments", "ts", "interpolants", "t_min", "t_max", "ascending", "side", "ts_sorted"):
            setattr(self, name, getattr(frozen, name))
        self.frozen, self.f, self.t0, self.y0 = frozen, f, t0, y0
        self.parameters, self.settings = parameters, settings

    def __call__(self, t: Any) -> Any:
        order, back = own(ordered, np.ravel(t), self.ascending, self.t_min, self.t_max)
        times = np.ravel(np.asarray(t) * 1.0)[order]
        y = flow(self.f, self.t0, self.y0, times, *self.parameters, found=own(self.frozen, times),
                 settings=self.settings)[:, back]  # fmt: skip
        return y if np.ndim(t) else y[:, 0]


def ordered(times: Any, ascending: bool, low: float, high: float) -> Any:
    """The order in which times are reached, and the way back from it."""
    if np.any((times < low) | (times > high)):
        raise NotDifferentiableError(
            "a dense solution has no derivative outside of the interval that was integrated",
            next=f"ask for times in [{low:.6g}, {high:.6g}], or integrate further",
        )
    order = np.argsort(times if ascending else -times, kind="stable")
    return order, np.argsort(order)


def settings_of(method: Any, options: Any) -> dict[str, Any]:
    """The settings of the integrations for derivatives: a tenth of the tolerances, methods of high order."""
    served = ("jac", "jac_sparsity", "lband", "uband", "min_step")
    rtol = np.min(options.get("rtol", 1e-3))
    chosen = NAMES.get(method, method)
    return {
        "method": "DOP853" if chosen in EXPLICIT and rtol <= TIGHT else chosen,
        "rtol": max(0.1 * rtol, NARROWEST),
        "atol": 0.1 * np.asarray(options.get("atol", 1e-6)),
        "max_step": options.get("max_step", np.inf),
        "own": {name: options[name] for name in served if name in options and not callable(options[name])},
    }


def refuse_incomplete(success: Any, message: Any, method: Any, solver: Any) -> None:
    """Raise where an integration failed."""
    if not success:
        chosen = method if isinstance(method, str) else name_of(method)
        raise NotDifferentiableError(
            f"{name_of(solver)} by {chosen} did not reach the end, so there is no solution to differentiate: "
            f"{message}",
            next="use a method for stiff equations (BDF, Radau), other tolerances or a shorter interval, or "
            "catch this where it may happen",
        )


def schedule(result: Any, t0: float, tf: float, own_times: bool) -> Any:
    """All the times at which a result has states, in their order, and the states; where the samples and then
    the events are among them; and which event ended the integration, if the last sample is its."""
    events = result.t_events or []
    times = np.concatenate([np.asarray(result.t, float), *events]) if events else np.asarray(result.t, float)
    order = np.argsort(times if tf >= t0 else -times, kind="stable")
    places = np.argsort(order)
    ended = next((k for k, found in enumerate(events) if len(found) and len(result.t)
                  and own_times and result.status == 1 and found[-1] == result.t[-1]), None)  # fmt: skip
    states = [np.asarray(result.y)] if len(result.t) else []
    states += [found.T for found in result.y_events or () if len(found)]
    found = np.concatenate(states, axis=1)[:, order] if states else np.zeros((0, 0))
    return times[order], found, places, ended


non_differentiable(ordered, settings_of, refuse_incomplete, schedule, why="settings, checks and orders")


def known_at(at: float, t: float, y: Any) -> Any:
    """The state as a column, at the time when it is known."""
    return y[:, None] if at == t else None


def meeting(f: Any, event: Any, t: float, y: Any, given: Any, settings: Any) -> Any:
    """The time and the state at which a solution that is at y at t meets an event there."""
    still = own(np.array, y)

    def excess(at: Any, f: Any, event: Any, y: Any, *given: Any) -> Any:
        known = own(known_at, at, t, still)
        there = flow(f, t, y, np.reshape(at, (1,)), *given, found=known, settings=settings)
        return np.asarray(event(at, there[:, 0], *given)) * 1.0

    moving = implicit.root(excess, t, f, event, y, *given)
    there = flow(f, t, y, np.reshape(moving, (1,)), *given, found=still[:, None], settings=settings)
    return moving, there[:, 0]


SIGNATURE = (
    "fun, t_span, y0, method='RK45', t_eval=None, dense_output=False, events=None, vectorized=False, "
    "args=None, *, jac=None, **options"
)


def with_jacobian(options: Any, jac: Any) -> Any:
    """The options with the Jacobian, which serves the solver alone."""
    return options if jac is None else {**options, "jac": jac}


non_differentiable(with_jacobian, why="settings")


@written_out(integrate.solve_ivp, signature=SIGNATURE)
def solve_ivp(
    fun: Callable, t_span: object, y0: object, t_eval: object = None, events: object = None,
    args: object = None, jac: object = None, *, method="RK45", dense_output=False, vectorized=False,
    **further_options,
):  # fmt: skip
    """y′ = f(t, y, θ), y(t₀) = y₀        S′ = f_y S + f_θ θ̇; in reverse λ′ = −f_yᴴ λ"""
    options = with_jacobian(further_options, jac)
    result = own(integrate.solve_ivp, fun, t_span, y0, method, t_eval, dense_output, events, vectorized,
                 args, **options)  # fmt: skip
    refuse_incomplete(result.success, result.message, method, integrate.solve_ivp)
    span: Any = t_span
    further: Any = () if args is None else args
    whole, given = with_given(fun, tuple(further))
    f = Columns(whole) if vectorized else whole
    settings = settings_of(method, options)
    t0, tf, start = span[0] * 1.0, span[1] * 1.0, np.asarray(y0) * 1.0
    times, found, places, ended = schedule(result, span[0], span[1], t_eval is None)
    count = len(result.t)
    sampled = result.t
    if t_eval is not None:
        sampled = np.asarray(t_eval)[:count] * 1.0
    elif count > 1:
        tail = result.t[-1:] if ended is not None else np.reshape(tf, (1,))
        sampled = np.concatenate([np.reshape(t0, (1,)), result.t[1:-1], tail])
    stops = np.concatenate([sampled, times[places[count:]]])[places_of(places)]
    states = flow(f, t0, start, stops, *given, found=found, settings=settings)
    y = states[:, places[:count]]
    t_events, y_events = result.t_events, result.y_events
    if events is not None:
        listed: Any = (events,) if callable(events) else events
        t_events, y_events, k = [], [], count
        for i in range(len(listed)):
            met: Any = []
            reached: Any = []
            for _ in range(len(result.t_events[i])):
                place = places[k]
                event, _ = with_given(listed[i], tuple(further))
                at, there = meeting(f, event, times[place], states[:, place], given, settings)
                met.append(at)
                reached.append(there)
                k = k + 1
            t_events = [*t_events, np.stack(met) if met else result.t_events[i]]
            y_events = [*y_events, np.stack(reached) if reached else result.y_events[i]]
        if ended is not None:
            sampled = np.concatenate([sampled[:-1], t_events[ended][-1:]])
            y = np.concatenate([y[:, :-1], y_events[ended][-1:].T], axis=1)
    sol = result.sol
    if sol is not None:
        sol = MovingSolution(sol, f, t0, start, given, settings)
    return with_entries(
        result, ("t", "y", "sol", "t_events", "y_events"), sampled, y, sol, t_events, y_events
    )


def places_of(places: Any) -> Any:
    """The order that leads to these places."""
    return np.argsort(places)


non_differentiable(places_of, why="an order")


def time_first(func: Any) -> Any:
    """A function of (y, t) as one of (t, y)."""

    def turned(t: Any, y: Any, *args: Any) -> Any:
        return func(y, t, *args)

    return turned


SUCCESSES = ("Integration successful.", "Nothing was done; the integration time was 0.")
"""What `odeint` says of a run that reached the end."""


@written_out(integrate.odeint)
def odeint(
    func: Callable, y0: object, t: object, args: object = (), Dfun: object = None,
    *, full_output=0, tfirst=False, rtol=None, atol=None, **options,
):  # fmt: skip
    """y′ = f(y, t, θ), y(t₀) = y₀, by LSODA"""
    refuse_told(full_output)
    further = as_tuple(args)
    found, told = own(integrate.odeint, func, y0, t, further, Dfun, full_output=1, tfirst=tfirst, rtol=rtol,
                      atol=atol, **options)  # fmt: skip
    refuse_incomplete(told["message"] in SUCCESSES, told["message"], "LSODA", integrate.odeint)
    tolerances = {"rtol": 1.49012e-8 if rtol is None else rtol, "atol": 1.49012e-8 if atol is None else atol}
    whole, given = with_given(func, further)
    f = whole if tfirst else time_first(whole)
    times = np.asarray(t) * 1.0
    start = np.reshape(np.asarray(y0) * 1.0, (-1,))
    settings = settings_of("LSODA", tolerances) | {"by_odeint": True, "is_mild": own(is_mild, told)}
    return flow(f, times[0], start, times, *given, found=own(np.transpose, found), settings=settings).T


def is_mild(told: Any) -> Any:
    """Whether LSODA met nothing stiff: it took Adams's steps alone."""
    return bool(np.all(told["mused"] == 1))


def refuse_told(full_output: Any) -> None:
    """Refuse the record of the run, which has no derivative."""
    if full_output:
        raise UnsupportedArgument(
            integrate.odeint, "full_output", full_output, next="leave it out: the record has no derivative"
        )


non_differentiable(refuse_told, why="checks an argument")
