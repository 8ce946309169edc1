"""The adjoint of a differential equation, integrated back along the solution.

λ′ = −f_yᴴ λ is solved by the method that solved for y, from the last time to t₀, with a jump where a seed
comes in. The cotangents of the parameters are integrals of f_θᴴ λ (`loads`); they neither lengthen the
system nor bear on its steps [Kidger, Chen & Lyons 2021].
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import integrate

from ....core import non_differentiable
from ....core.engine import engine_or_default
from ....tangents import ZERO, materialize, ravel
from .directed import directed
from .loads import Loads
from .sensitivities import by_sensitivities
from .slopes import Followed, Ready
from .trajectory import METHODS, Trajectory, refuse_failed, release
from .variations import moved

STIFF = ("BDF", "Radau", "LSODA")
PANEL = 16
"""So many steps of solvers whose steps are short have their loads integrated together."""


def pullbacks_by(f: Any, t: float, y: Any, parameters: Any, wanted: Any) -> Any:
    """The pullbacks by an engine's programs, or by asking the engine at each point."""
    known = getattr(engine_or_default(None), "pullbacks_of", None)
    by = (wanted[0], False, True, *wanted[1:])
    ready = None if known is None else known(f, (t, y, *parameters), y, by)
    return Followed(f, parameters, wanted) if ready is None else Ready(ready, parameters)


class Backward:
    """What λ and the cotangents of the parameters have reached, on the way from the last time to t₀."""

    def __init__(self, f: Any, t: float, y: Any, parameters: Any, settings: Any, wanted: Any) -> None:
        """(t, y) is where the solution is looked at first."""
        of_f = wanted[0] and len(ravel(materialize(ZERO, like=f))[0]) > 0
        self.f, self.settings, wanted = f, settings, (of_f, *wanted[4:])
        self.pullbacks: Any = directed(f, t, y, parameters) or pullbacks_by(f, t, y, parameters, wanted)
        self.loads = Loads(settings["rtol"]) if any(wanted) else None
        self.step: float | None = None
        """The longest step in the last stretch, by an explicit method: the first to be tried in the next."""

    def jacobian(self, t: float, y: Any) -> Any:
        """−f_yᴴ"""
        slope = self.pullbacks.slopes(t, y)
        return -np.stack([slope(unit) for unit in np.eye(len(y), dtype=y.dtype)], axis=1)

    def loading(self, path: Any, adjoint: Any) -> Any:
        """The load as a function of time."""
        return lambda t: self.pullbacks.both(t, path(t), adjoint(t))[1]

    def cotangents(self) -> Any:
        """What has been reached for f and its parameters, zero for those that nobody wants."""
        total = None if self.loads is None else self.loads.total
        return self.pullbacks.cotangents(total)

    def stretch(self, path: Any, start: float, end: float, weights: Any, atol: float) -> Any:
        """λ at the start, from λ at the end, where no seed comes in between."""
        if start == end or not np.any(weights):
            return weights
        settings, loads = self.settings, self.loads
        chosen = METHODS.get(settings["method"], settings["method"])
        own: dict[str, Any] = {}
        if settings["method"] in STIFF:
            own["jac"] = lambda t, w: self.jacobian(t, path(t))
        if self.step is not None:
            own["first_step"] = min(self.step, abs(end - start))
        staged = loads if settings["method"] in ("RK45", "DOP853") else None

        def backwards(t: float, w: Any) -> Any:
            if staged is None:
                return -self.pullbacks.slopes(t, path(t))(w)
            turned, load = self.pullbacks.both(t, path(t), w)
            staged.stages.append(load)
            return -turned

        solver = chosen(
            backwards, end, weights, start, rtol=float(np.min(settings["rtol"])), atol=atol,
            max_step=settings["max_step"], **own,
        )  # fmt: skip
        if staged is not None:
            staged.begin()

        def loading(w: Any) -> Any:
            return self.loading(path, w)

        times, pieces, longest = [end], [], 0.0
        while solver.status == "running":
            message = solver.step()
            refuse_failed(solver.status, message, settings["method"], self.f, solver.t)
            longest = max(longest, abs(solver.t - solver.t_old))
            if loads is None or (staged is not None and staged.by_stages(solver, path.ts, loading)):
                times = [solver.t]
                continue
            times.append(solver.t)
            pieces.append(solver.dense_output())
            many = len(pieces) == PANEL or settings["method"] not in ("BDF", "LSODA")
            if many or solver.status != "running":
                loads.over(self.loading(path, integrate.OdeSolution(times, pieces)), times, path.ts)
                times, pieces = [solver.t], []
        self.step = longest if staged is not None else None
        reached = solver.y
        release(solver)
        return reached


def gathered(
    y_bar: Any, f: Any, t0: Any, y0: Any, times: Any, parameters: Any, settings: Any, wanted: Any
) -> Any:
    """The cotangents of f, t₀, y₀, the times and the parameters for a seed at the times."""
    t0 = float(t0)
    seeded = [(float(times[j]), j) for j in range(len(times)) if np.any(y_bar[:, j])]
    backward = Backward(f, t0, y0, parameters, settings, wanted)
    by_times = np.zeros(len(times))

    def came_in(t: float, y: Any, j: int) -> Any:
        by_times[j] = along(moved(f, t, y, *parameters), y_bar[:, j])
        return y_bar[:, j]

    known = by_sensitivities(backward.pullbacks, t0, y0, seeded, settings, came_in)
    if not seeded:
        weights, loads = np.zeros(len(y0)), backward.pullbacks.cotangents(None)
    elif known is None:
        measured = y_bar[:, [j for _, j in seeded]]
        weights = integrated_back(backward, t0, y0, parameters, seeded, measured, came_in)
        loads = backward.cotangents()
    else:
        weights, total = np.split(known, [len(y0)])
        loads = backward.pullbacks.cotangents(total if len(total) else None)
    by_t0 = -along(moved(f, t0, y0, *parameters), weights)
    return loads[0], by_t0, weights, by_times, *loads[1:]


def integrated_back(
    backward: Backward, t0: float, y0: Any, parameters: Any, seeded: list[Any], seeds: Any, came_in: Any
) -> Any:
    """λ at t₀; `seeded` are the times at which seeds come in, each with its place in their order."""
    end = seeded[-1][0]
    path = Trajectory(backward.f, t0, y0, end, parameters, backward.settings)
    atol = 1e-2 * float(np.min(backward.settings["rtol"])) * measure(seeds, path.sizes)
    weights = np.zeros(len(y0), np.result_type(y0, float))
    for piece, start in path.backwards():
        while seeded and end != start:
            t, j = seeded[-1]
            if abs(t - t0) <= abs(start - t0):
                break
            weights, end = backward.stretch(piece, t, end, weights, atol), t
            weights = weights + came_in(t, piece(t), j)
            seeded.pop()
        weights, end = backward.stretch(piece, start, end, weights, atol), start
        del piece  # so that no two stretches are kept at a time
    for _, j in seeded:
        weights = weights + came_in(t0, y0, j)
    return weights


def measure(y_bar: Any, sizes: Any) -> float:
    """The size that λ has beside a seed, for states of these sizes."""
    largest = np.max(np.abs(y_bar), initial=0.0)
    share = np.max(np.sum(np.abs(y_bar) * sizes[:, None], axis=0), initial=0.0)
    share = share / max(np.max(sizes, initial=0.0), 1e-300)
    return float(min(largest, share) or largest or 1.0)


def along(slope: Any, weights: Any) -> Any:
    """The real part of slopeᴴ weights."""
    return np.real(np.sum(np.conj(slope) * weights))


non_differentiable(measure, why="a size")
