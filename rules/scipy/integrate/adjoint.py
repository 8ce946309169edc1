"""The adjoint of a differential equation, integrated back along the solution.

λ′ = −f_yᴴ λ is solved by the method that solved for y, from the last time to t₀, with a jump where a seed
comes in. The cotangents of the parameters are integrals of f_θᴴ λ. They are taken by Gauss's rule between
all the steps of y and λ, so that they neither lengthen the system nor bear on its steps [Kidger, Chen &
Lyons 2021].
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from ....core import non_differentiable
from ....core.calls import reverse_of
from ....tangents import ZERO, materialize, ravel
from .trajectory import METHODS, Trajectory, moved, refuse_failed

NODES, WEIGHTS = np.polynomial.legendre.leggauss(4)
STIFF = ("BDF", "Radau", "LSODA")


class Backward:
    """What λ and the cotangents of the parameters have reached, on the way from the last time to t₀."""

    def __init__(self, f: Any, parameters: Any, settings: Any, wanted: Any) -> None:
        self.f, self.parameters, self.settings = f, parameters, settings
        loaded = (wanted[0], *wanted[4:])
        self.loads = (loaded[0], False, False, *loaded[1:])
        self.total: Any = 0.0
        self.loaded = any(loaded)

    def slope(self, t: float, y: Any, weights: Any) -> Any:
        """f_yᴴ λ"""
        needs = (False, False, True, *(False for _ in self.parameters))
        _, back = reverse_of(moved, (self.f, t, y, *self.parameters), {}, needs, None)
        return materialize(back(weights)[2], like=y)

    def jacobian(self, t: float, y: Any) -> Any:
        """−f_yᴴ"""
        needs = (False, False, True, *(False for _ in self.parameters))
        _, back = reverse_of(moved, (self.f, t, y, *self.parameters), {}, needs, None)
        units = np.eye(len(y), dtype=y.dtype)
        return -np.stack([materialize(back(unit)[2], like=y) for unit in units], axis=1)

    def load(self, t: float, y: Any, weights: Any) -> Any:
        """f_θᴴ λ as a vector, for the parameters that are wanted"""
        _, back = reverse_of(moved, (self.f, t, y, *self.parameters), {}, self.loads, None)
        return ravel(self.filled(back(weights)))[0]

    def filled(self, cotangents: Any) -> Any:
        """The cotangents of f and its parameters, zeros for those that nobody wants."""
        x = (self.f, *self.parameters)
        given = (cotangents[0], *cotangents[3:])
        return tuple([materialize(t, like=p) for t, p in zip(given, x, strict=True)])

    def stretch(self, path: Any, start: float, end: float, weights: Any, atol: float) -> Any:
        """λ at the start, from λ at the end, where no seed comes in between."""
        if start == end or not np.any(weights):
            return weights
        settings = self.settings
        chosen = METHODS.get(settings["method"], settings["method"])
        own = {"jac": lambda t, w: self.jacobian(t, path(t))} if settings["method"] in STIFF else {}
        solver = chosen(
            lambda t, w: -self.slope(t, path(t), w), end, weights, start,
            rtol=float(np.min(settings["rtol"])), atol=atol, max_step=settings["max_step"], **own,
        )  # fmt: skip
        inner = np.asarray(path.ts)
        while solver.status == "running":
            message = solver.step()
            refuse_failed(solver.status, message, settings["method"], self.f, solver.t)
            if self.loaded:
                low, high = sorted((solver.t, solver.t_old))
                within = np.sort(inner[(inner > low) & (inner < high)])
                self.integrate(path, solver.dense_output(), np.array([low, *within, high]))
        return solver.y

    def integrate(self, path: Any, adjoint: Any, ends: Any) -> None:
        """Add the integral over neighbouring stretches."""
        for low, high in pairwise(ends):
            half = (high - low) / 2
            for node, share in zip(NODES, WEIGHTS, strict=True):
                t = low + half * (1 + node)
                self.total = self.total + half * share * self.load(t, path(t), adjoint(t))


def gathered(
    y_bar: Any, f: Any, t0: Any, y0: Any, times: Any, parameters: Any, settings: Any, wanted: Any
) -> Any:
    """The cotangents of f, t₀, y₀, the times and the parameters for a seed at the times."""
    t0, x = float(t0), (f, *parameters)
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
    for _, j in seeded:
        weights = weights + y_bar[:, j]
        by_times[j] = along(moved(f, t0, y0, *parameters), y_bar[:, j])
    by_t0 = -along(moved(f, t0, y0, *parameters), weights)
    unravel = ravel(tuple([materialize(ZERO, like=part) for part in x]))[1]
    total = backward.total * (1.0 if path.end >= t0 else -1.0)
    loads = unravel(total) if np.ndim(total) else (ZERO,) * len(x)
    return loads[0], by_t0, weights, by_times, *loads[1:]


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
