"""Sensitivities: how the states of a small system move with each number that they depend on.

    S′ = f_y S + F, S(t₀) = (I, 0)        (λ(t₀), θ̄) = Σᵢ S(tᵢ)ᴴ ȳᵢ

F is f_θ beside zeros for y₀ [Hairer, Nørsett & Wanner 1993, I.14]. An adjoint starts anew at each time at
which a seed comes in; S is integrated once, along with the state. Where it has few numbers, and the equation
is not stiff, that costs less. In the place of other methods for stiff equations it is LSODA that integrates
S, as it takes long steps where the equation is not stiff. At the sites of a spline that f holds S starts
anew.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import integrate

from ....core import NotDifferentiableError
from .breaks import breaks_in
from .trajectory import states_at

EXPLICIT = ("RK45", "DOP853")
NUMBERS, A_SEED, SEEDS, STIFF = 200, 30, 20, 80
"""Up to how many numbers S may have: so many, and so many more for each seed after the first, up to a few;
where the equation may be stiff, fewer. Measured: there the adjoint takes as long."""
STEPS, AT_ONCE = 10**5, 10**5
"""The most steps between two times, by `odeint`; how many numbers of states and sensitivities are kept."""


class Varied:
    """How a state moves along with its sensitivities, as one vector."""

    def __init__(self, varied: Any, n: int, count: int) -> None:
        self.varied, self.n, self.count = varied, n, count
        self.as_list = getattr(varied, "as_list", None)

    def slope(self, t: Any, z: Any) -> Any:
        """f, and f_y S + F"""
        known = None if self.as_list is None else self.as_list(t, z)
        if known is not None:
            return known
        n = self.n
        slope, tangents = self.varied(t, z[:n], z[n:].reshape(-1, n))
        return np.concatenate([slope, tangents.ravel()])

    def jacobian(self, t: Any, z: Any) -> Any:
        """f_y for the state and for each row of S: what an implicit step needs, as S bears on no state."""
        n = self.n
        _, tangents = self.varied(t, z[:n], np.eye(self.count, n))
        return np.kron(np.eye(1 + self.count), tangents[:n].T)


def by_sensitivities(
    slopes: Any, t0: float, y0: Any, seeded: list[Any], settings: Any, came_in: Callable[..., Any]
) -> Any:
    """λ at t₀, and the cotangents of the parameters behind it, as one vector.

    `seeded` are the times at which seeds come in, as they are reached one by one, each with its place;
    `came_in` gives the seed of a time, a state and a place. None where the system is not small, or where
    this does not reach the end.
    """
    n, explicit = len(y0), settings["method"] in EXPLICIT
    if not seeded or y0.dtype != float or not hasattr(slopes, "varied"):
        return None
    measures = np.concatenate([measure_of(v) for v in (y0, *slopes.values())])
    count = len(measures)
    most = NUMBERS + A_SEED * min(len(seeded) - 1, SEEDS) if explicit or settings.get("is_mild") else STIFF
    if n * count > most:
        return None
    varied = Varied(slopes.varied(t0, y0), n, count)
    z, total = np.concatenate([y0, np.eye(count, n).ravel()]), np.zeros(count)
    atol = np.broadcast_to(settings["atol"], n)
    finer = {**settings, "own": {}, "atol": np.concatenate([atol, np.outer(measures, atol).ravel()])}
    if not explicit and not settings.get("by_odeint"):
        share = 0.1 if settings["method"] == "Radau" else 1.0
        finer |= {"method": "LSODA", "own": {"jac": varied.jacobian}, "rtol": share * finer["rtol"]}
    low, high = sorted((t0, seeded[-1][0]))
    around = np.nextafter(low, -np.inf), np.nextafter(high, np.inf)
    breaks = breaks_in(slopes.values(), *around) if explicit else ()
    some = max(1, AT_ONCE // len(z))
    for k in range(0, len(seeded), some):
        now = seeded[k : k + some]
        found = reached(varied, t0, z, [t for t, _ in now], finer, breaks)
        if found is None:
            return None
        for (t, j), column in zip(now, found.T, strict=True):
            total = total + column[n:].reshape(count, n) @ came_in(t, column[:n], j)
        t0, z = now[-1][0], found[:, -1]
    return total


def reached(varied: Varied, t0: float, z0: Any, times: Any, settings: Any, breaks: Any = ()) -> Any:
    """The states with their sensitivities at times, a column for each; None where it does not get there."""
    if settings.get("by_odeint"):
        return by_odeint(varied, t0, z0, times, settings)
    try:
        if len(breaks):
            return by_stretches(varied, t0, z0, times, settings, breaks)
        return states_at(varied.slope, t0, z0, times, (), settings)
    except NotDifferentiableError:
        return None


def by_stretches(varied: Varied, t0: float, z0: Any, times: Any, settings: Any, breaks: Any) -> Any:
    """The same, started anew at breaks, where the slope of a sensitivity may jump.

    A slope at a break belongs to what is after it, so that a stretch ends just before the one that follows.
    """
    low, high = sorted((t0, times[-1]))
    rises, done, found = times[-1] > t0, 0, list[Any]()
    begins = [low, *breaks[(low < breaks) & (breaks < high)]]
    ends = [*np.nextafter(begins[1:], -np.inf), np.nextafter(high, -np.inf) if high in breaks else high]
    pairs = [*zip(begins, ends, strict=True)] if rises else [*zip(ends[::-1], begins[::-1], strict=True)]
    for start, end in pairs:
        whole = end == pairs[-1][1]
        passed = [t for t in times[done:] if whole or (t <= end if rises else t >= end)]
        done += len(passed)
        part = states_at(
            varied.slope, start, z0, [*np.clip(passed, *sorted((start, end))), end], (), settings
        )
        found.append(part[:, : len(passed)])
        z0 = part[:, -1]
    return np.concatenate(found, axis=1)


def measure_of(v: Any) -> Any:
    """How large a change of one is, for each number of a parameter, beside the parameter."""
    largest = np.max(np.abs(v), initial=1.0)
    return np.full(np.size(v), 1.0 / largest if np.isfinite(largest) else 1.0)


def by_odeint(varied: Varied, t0: float, z0: Any, times: Any, settings: Any) -> Any:
    """The states at times, a column for each; None where it does not get there.

    It takes its steps in C. But no function that is integrated by `odeint` may call it.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", integrate.ODEintWarning)
        found, told = integrate.odeint(
            varied.slope, z0, [t0, *times], Dfun=varied.jacobian, tfirst=True, full_output=True,
            rtol=settings["rtol"], atol=settings["atol"], mxstep=STEPS,
        )  # fmt: skip
    return found[1:].T if told["message"] == "Integration successful." else None
