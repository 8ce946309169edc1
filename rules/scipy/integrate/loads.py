"""The cotangents of parameters: integrals of the load f_θᴴ λ over the steps that λ takes.

An explicit Runge–Kutta method evaluates the load together with f_yᴴ λ at each of its stages, in one
pullback; its own weights then make the integral, which costs nothing more. Its embedded error estimate says
where that is too coarse, as λ's steps do not look at the load. There Lobatto's rule, for which the loads at
the step's ends are known and two are new, confirms the stages and takes their place. Where it does not, and
for all other methods, the integral is Gauss's, over the whole and over its two halves; where these differ,
the halves are halved, down to the stretches between neighbouring steps of y and λ.

Each number of the integral holds the tolerance on its own, in the measure of its absolute value's integral,
as parameters differ in size by orders of magnitude.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

NODES, WEIGHTS = np.polynomial.legendre.leggauss(4)
STAGES, HALVES = 1.0, 10.0
"""Estimates of errors count as small up to so many tolerances, of which ten are one of the caller's. The
halves of a stretch are far better than the whole; an estimate by stages is trusted for itself, as the errors
of many steps add up."""

INNER = 0.5 * (1 + np.array([-1.0, 1.0]) / np.sqrt(5.0))
"""Lobatto's inner nodes, as shares of a step; their weights are 5/12, those of the ends 1/12."""

COARSE = 4
"""Where λ took one step and y more than so many, the stages of λ's step are not trusted with the load."""


class Loads:
    """What the integral of a load has come to."""

    def __init__(self, rtol: Any) -> None:
        self.rtol = float(np.min(rtol))
        self.total: Any = None
        self.size: Any = None
        self.stages: list[Any] = []

    def add(self, part: Any, size: Any) -> None:
        """Count in a part of the integral, and of the integral of absolute values."""
        self.total = part if self.total is None else self.total + part
        self.size = size if self.size is None else self.size + size

    def begin(self) -> None:
        """Keep of the stages that were noted at the start the first: the others look for the first step."""
        del self.stages[1:]

    def by_stages(self, solver: Any, ts: Any, load: Callable[[Any], Callable[[float], Any]]) -> bool:
        """Count in a step by its stages or by Lobatto's rule, or say that they are too coarse."""
        count = solver.n_stages
        loads = np.stack([self.stages[0], *self.stages[-count:]])
        self.stages = [self.stages[-1]]
        low, high = sorted((solver.t, solver.t_old))
        if np.count_nonzero((ts > low) & (ts < high)) > COARSE:
            return False
        h = solver.t - solver.t_old
        size = np.abs(h) * (np.abs(solver.B) @ np.abs(loads[:-1]))
        part = h * (solver.B @ loads[:-1])
        if not self.is_small(h * (estimate_of(solver) @ loads), size, STAGES):
            at = load(solver.dense_output())
            inner = [at(solver.t_old + share * h) for share in INNER]
            lobatto = h / 12 * (loads[0] + loads[-1] + 5.0 * (inner[0] + inner[1]))
            if not self.is_small(lobatto - part, size, STAGES):
                return False
            part = lobatto
        self.add(-part, size)
        return True

    def is_small(self, error: Any, size: Any, factor: float) -> bool:
        """Whether an error is within the tolerance, each number for itself."""
        reached = size if self.size is None else self.size + size
        least = 1e3 * np.finfo(float).eps * np.max(reached, initial=0.0)
        return bool(np.all(np.abs(error) <= factor * self.rtol * reached + least))

    def over(self, load: Callable[[float], Any], times: Any, ts: Any) -> None:
        """Count in the steps with these ends, the later the nearer to the start, by Gauss's rule."""
        low, high = sorted((times[0], times[-1]))
        inner = np.asarray(ts)
        breaks = np.unique(np.concatenate([inner[(inner > low) & (inner < high)], np.asarray(times)]))
        sign = 1.0 if times[0] >= times[-1] else -1.0
        self.halve(load, breaks, sign, None)

    def halve(self, load: Callable[[float], Any], breaks: Any, sign: float, known: Any) -> None:
        """Count in the stretches between breaks, halved until halves agree with the whole."""
        whole = gauss(load, breaks[0], breaks[-1]) if known is None else known
        if len(breaks) == 2:
            self.add(sign * whole[0], whole[1])
            return
        k = len(breaks) // 2
        low, high = gauss(load, breaks[0], breaks[k]), gauss(load, breaks[k], breaks[-1])
        if self.is_small(low[0] + high[0] - whole[0], low[1] + high[1], HALVES):
            self.add(sign * (low[0] + high[0]), low[1] + high[1])
            return
        self.halve(load, breaks[k:], sign, high)
        self.halve(load, breaks[: k + 1], sign, low)


def gauss(load: Callable[[float], Any], low: float, high: float) -> Any:
    """The integrals of a load and of its absolute value, by Gauss's rule."""
    half = (high - low) / 2
    values = np.stack([load(low + half * (1 + node)) for node in NODES])
    return half * (WEIGHTS @ values), half * (WEIGHTS @ np.abs(values))


def estimate_of(solver: Any) -> Any:
    """The weights of the embedded error estimate of an explicit Runge–Kutta method."""
    return solver.E5 if hasattr(solver, "E5") else solver.E
