"""Sensitivities: how the states of a small system move with each number that they depend on.

    S′ = f_y S + F, S(t₀) = (I, 0)        (λ(t₀), θ̄) = Σᵢ S(tᵢ)ᴴ ȳᵢ

F is f_θ beside zeros for y₀ [Hairer, Nørsett & Wanner 1993, I.14]. An adjoint starts anew at each time at
which a seed comes in; S is integrated once, along with the state. Where it has few numbers, and the equation
is not stiff, that costs less. In the place of other methods for stiff equations it is LSODA that integrates
S, as it takes long steps where the equation is not stiff.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from scipy import integrate

from ....core import NotDifferentiableError
from .trajectory import states_at

EXPLICIT = ("RK45", "DOP853")
NUMBERS, A_SEED, SEEDS, STIFF = 200, 30, 20, 80
"""Up to how many numbers S may have: so many, and so many more for each seed after the first, up to a few;
where the equation may be stiff, fewer. Measured: there the adjoint takes as long."""
STEPS = 10**5
"""The most steps between two times, by `odeint`."""


class Varied:
    """How a state moves along with its sensitivities, as one vector."""

    def __init__(self, varied: Any, n: int, count: int) -> None:
        self.varied, self.n, self.count = varied, n, count

    def slope(self, t: Any, z: Any) -> Any:
        """f, and f_y S + F"""
        n = self.n
        slope, tangents = self.varied(t, z[:n], z[n:].reshape(-1, n))
        return np.concatenate([slope, tangents.ravel()])

    def jacobian(self, t: Any, z: Any) -> Any:
        """f_y for the state and for each row of S: what an implicit step needs, as S bears on no state."""
        n = self.n
        _, tangents = self.varied(t, z[:n], np.eye(self.count, n))
        return np.kron(np.eye(1 + self.count), tangents[:n].T)


def sensitivities(slopes: Any, t0: float, y0: Any, times: Any, settings: Any) -> Any:
    """The states, (m, n), and sensitivities, (m, n + P, n), at m times, as they are reached one by one.

    None where the system is not small, or where this does not reach the end.
    """
    n, explicit = len(y0), settings["method"] in EXPLICIT
    if not times or y0.dtype != float or not hasattr(slopes, "varied"):
        return None
    measures = np.concatenate([measure_of(v) for v in (y0, *slopes.values())])
    count = len(measures)
    most = NUMBERS + A_SEED * min(len(times) - 1, SEEDS) if explicit or settings.get("is_mild") else STIFF
    if n * count > most:
        return None
    varied = Varied(slopes.varied(t0, y0), n, count)
    atol = np.broadcast_to(settings["atol"], n)
    start = np.concatenate([y0, np.eye(count, n).ravel()])
    finer = {**settings, "own": {}, "atol": np.concatenate([atol, np.outer(measures, atol).ravel()])}
    if settings.get("by_odeint"):
        found = by_odeint(varied, t0, start, times, finer)
    else:
        if not explicit:
            share = 0.1 if settings["method"] == "Radau" else 1.0
            finer |= {"method": "LSODA", "own": {"jac": varied.jacobian}, "rtol": share * finer["rtol"]}
        try:
            found = states_at(varied.slope, t0, start, times, (), finer)
        except NotDifferentiableError:
            return None
    return None if found is None else (found[:n].T, found[n:].T.reshape(-1, count, n))


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
