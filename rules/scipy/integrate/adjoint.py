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
from ....core.calls import reverse_of
from ....tangents import ZERO, materialize, ravel
from .loads import Loads
from .trajectory import METHODS, Trajectory, moved, refuse_failed, release

STIFF = ("BDF", "Radau", "LSODA")
PANEL = 16
"""So many steps of solvers whose steps are short have their loads integrated together."""


class Backward:
    """What λ and the cotangents of the parameters have reached, on the way from the last time to t₀."""

    def __init__(self, f: Any, parameters: Any, settings: Any, wanted: Any) -> None:
        self.f, self.parameters, self.settings = f, parameters, settings
        of_f = wanted[0] and len(ravel(materialize(ZERO, like=f))[0]) > 0
        self.wanted = (of_f, *wanted[4:])
        self.is_plain = True
        self.loads = Loads(settings["rtol"]) if any(self.wanted) else None

    def backed(self, t: float, y: Any, wanted: Any) -> Any:
        """The pullback of the slope at a state, by y and by what else is wanted of f and the parameters."""
        if self.is_plain and not wanted[0]:
            back = direct_pullback(self.f, t, y, self.parameters, wanted)
            if back is not None:
                return back
            self.is_plain = False
        return wrapped_pullback(self.f, t, y, self.parameters, wanted)

    def slope(self, t: float, y: Any, weights: Any) -> Any:
        """f_yᴴ λ"""
        still = (False,) * len(self.wanted)
        return materialize(self.backed(t, y, still)(weights)[1], like=y)

    def both(self, t: float, y: Any, weights: Any) -> Any:
        """f_yᴴ λ, and f_θᴴ λ as a vector, for the parameters that are wanted"""
        cotangents = self.backed(t, y, self.wanted)(weights)
        return materialize(cotangents[1], like=y), self.vector(cotangents)

    def jacobian(self, t: float, y: Any) -> Any:
        """−f_yᴴ"""
        back = self.backed(t, y, (False,) * len(self.wanted))
        units = np.eye(len(y), dtype=y.dtype)
        return -np.stack([materialize(back(unit)[1], like=y) for unit in units], axis=1)

    def load(self, t: float, y: Any, weights: Any) -> Any:
        """f_θᴴ λ as a vector"""
        return self.vector(self.backed(t, y, self.wanted)(weights))

    def loading(self, path: Any, adjoint: Any) -> Any:
        """The load as a function of time."""
        return lambda t: self.load(t, path(t), adjoint(t))

    def vector(self, cotangents: Any) -> Any:
        """The cotangents that are wanted of f and its parameters, as a vector."""
        given = zip((cotangents[0], *cotangents[2:]), (self.f, *self.parameters), self.wanted, strict=True)
        parts = [flat(t, p) for t, p, wanted in given if wanted]
        return parts[0] if len(parts) == 1 else np.concatenate(parts)

    def cotangents(self) -> Any:
        """What has been reached for f and its parameters, zero for those that nobody wants."""
        if self.loads is None or self.loads.total is None:
            return (ZERO,) * len(self.wanted)
        made, done = [], 0
        for p, wanted in zip((self.f, *self.parameters), self.wanted, strict=True):
            zeros, unravel = ravel(materialize(ZERO, like=p)) if wanted else ((), None)
            part = self.loads.total[done : done + len(zeros)]
            made.append(ZERO if unravel is None else unravel(part))
            done += len(zeros)
        return tuple(made)

    def stretch(self, path: Any, start: float, end: float, weights: Any, atol: float) -> Any:
        """λ at the start, from λ at the end, where no seed comes in between."""
        if start == end or not np.any(weights):
            return weights
        settings, loads = self.settings, self.loads
        chosen = METHODS.get(settings["method"], settings["method"])
        own = {"jac": lambda t, w: self.jacobian(t, path(t))} if settings["method"] in STIFF else {}
        staged = loads if settings["method"] in ("RK45", "DOP853") else None

        def backwards(t: float, w: Any) -> Any:
            if staged is None:
                return -self.slope(t, path(t), w)
            turned, load = self.both(t, path(t), w)
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

        times, pieces = [end], []
        while solver.status == "running":
            message = solver.step()
            refuse_failed(solver.status, message, settings["method"], self.f, solver.t)
            if loads is None or (staged is not None and staged.by_stages(solver, path.ts, loading)):
                times = [solver.t]
                continue
            times.append(solver.t)
            pieces.append(solver.dense_output())
            many = len(pieces) == PANEL or settings["method"] not in ("BDF", "LSODA")
            if many or solver.status != "running":
                loads.over(self.loading(path, integrate.OdeSolution(times, pieces)), times, path.ts)
                times, pieces = [solver.t], []
        reached = solver.y
        release(solver)
        return reached


def direct_pullback(f: Any, t: Any, y: Any, parameters: Any, wanted: Any) -> Any:
    """The pullback of f at a state, without f's own cotangent; None where f's value is no array like y."""
    slope, back = reverse_of(f, (t, y, *parameters), {}, (False, True, *wanted[1:]), None)
    if type(slope) is not np.ndarray or slope.shape != y.shape or slope.dtype != y.dtype:
        return None
    return lambda weights: (ZERO, *back(weights)[1:])


def wrapped_pullback(f: Any, t: Any, y: Any, parameters: Any, wanted: Any) -> Any:
    """The pullback of a slope at a state, of f, y and the parameters; of all that f may return."""
    needs = (wanted[0], False, True, *wanted[1:])
    _, back = reverse_of(moved, (f, t, y, *parameters), {}, needs, None)

    def pullback(weights: Any) -> Any:
        f_bar, _, *others = back(weights)
        return f_bar, *others

    return pullback


def gathered(
    y_bar: Any, f: Any, t0: Any, y0: Any, times: Any, parameters: Any, settings: Any, wanted: Any
) -> Any:
    """The cotangents of f, t₀, y₀, the times and the parameters for a seed at the times."""
    t0 = float(t0)
    seeded = [(float(times[j]), j) for j in range(len(times)) if np.any(y_bar[:, j])]
    end = seeded[-1][0] if seeded else t0
    path = Trajectory(f, t0, y0, end, parameters, settings)
    backward = Backward(f, parameters, settings, wanted)
    atol = 1e-2 * float(np.min(settings["rtol"])) * measure(y_bar, path.sizes)
    weights = np.zeros(len(y0), np.result_type(y0, float))
    by_times = np.zeros(len(times))
    for piece, start in path.backwards():
        while seeded and end != start:
            t, j = seeded[-1]
            if abs(t - t0) <= abs(start - t0):
                break
            weights, end = backward.stretch(piece, t, end, weights, atol), t
            weights = weights + y_bar[:, j]
            by_times[j] = along(moved(f, t, piece(t), *parameters), y_bar[:, j])
            seeded.pop()
        weights, end = backward.stretch(piece, start, end, weights, atol), start
        del piece  # so that no two stretches are kept at a time
    for _, j in seeded:
        weights = weights + y_bar[:, j]
        by_times[j] = along(moved(f, t0, y0, *parameters), y_bar[:, j])
    by_t0 = -along(moved(f, t0, y0, *parameters), weights)
    loads = backward.cotangents()
    return loads[0], by_t0, weights, by_times, *loads[1:]


def flat(t: Any, p: Any) -> Any:
    """A cotangent of p as a vector."""
    plain = type(t) is np.ndarray and type(p) is np.ndarray and t.dtype == p.dtype == float
    return t.reshape(-1) if plain and t.shape == p.shape else ravel(materialize(t, like=p))[0]


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
