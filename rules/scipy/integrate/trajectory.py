"""Where the solution of a differential equation goes: at given times, and all along, in bounded memory.

`Trajectory` keeps the solver's interpolants while they are few. Of a long integration it keeps states to
start from again, about as many as there are steps between two of them, and integrates a stretch anew when
it is asked for [Griewank 1992]. So memory grows with the root of the number of steps.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy import integrate
from scipy.integrate import OdeSolution

from ....core import NotDifferentiableError, non_differentiable
from ....core.callables import name_of
from .directed import slope_of

METHODS = {
    "RK45": integrate.RK45,
    "DOP853": integrate.DOP853,
    "Radau": integrate.Radau,
    "BDF": integrate.BDF,
    "LSODA": integrate.LSODA,
}

FEW = 128
"""So many steps are kept as they are."""


def stepper_of(f: Any, t0: Any, y0: Any, end: Any, parameters: Any, settings: Any) -> Any:
    """The solver that steps along a solution."""
    fun = slope_of(f, t0, y0, parameters)
    chosen = METHODS.get(settings["method"], settings["method"])
    limits = {name: settings[name] for name in ("rtol", "atol", "max_step")}
    return chosen(fun, t0, y0, end, **limits, **settings["own"])


def release(solver: Any) -> None:
    """Let go of what a solver holds when it is done: it holds itself, by its functions, so that its arrays
    would stay until the garbage collector runs."""
    vars(solver).clear()


def refuse_failed(status: Any, message: Any, method: Any, f: Any, t: Any) -> None:
    """Raise where an integration for a derivative did not reach its end."""
    if status == "failed":
        raise NotDifferentiableError(
            f"{method if isinstance(method, str) else name_of(method)} did not get past t = {t:.6g} in the "
            f"integration of the derivative of {name_of(f)}: {message}",
            next="give wider tolerances or a method for stiff equations (BDF, Radau), or a shorter interval",
        )


class Path:
    """A solution by RK45 as the interpolants of its steps, read at one time after the other."""

    def __init__(self, ts: Any, pieces: Any) -> None:
        self.ts, self.pieces = ts, pieces
        self.rising = ts[-1] >= ts[0]
        self.sorted = ts.tolist() if self.rising else ts[::-1].tolist()

    def __call__(self, t: float) -> Any:
        place = min(max(bisect_left(self.sorted, t) - 1, 0), len(self.pieces) - 1)
        piece = self.pieces[place if self.rising else -1 - place]
        share = (t - piece.t_old) / piece.h
        return piece.y_old + piece.h * (piece.Q @ share**POWERS)


POWERS = np.arange(1, 5)
"""The powers in RK45's interpolants [Shampine 1986]."""


class Trajectory:
    """A solution from t0 to an end, to be read backwards, stretch by stretch."""

    def __init__(self, f: Any, t0: float, y0: Any, end: float, parameters: Any, settings: Any) -> None:
        self.f, self.parameters, self.settings, self.end = f, parameters, settings, end
        self.marks = [(t0, np.array(y0))]
        self.sizes = np.abs(y0)
        self.pieces: list[Any] | None = []
        self.steps, every = [t0], FEW
        if t0 == end:
            return
        solver = stepper_of(f, t0, y0, end, parameters, settings)
        count = 0
        while solver.status == "running":
            message = solver.step()
            refuse_failed(solver.status, message, settings["method"], f, solver.t)
            count += 1
            self.sizes = np.maximum(self.sizes, np.abs(solver.y))
            if self.pieces is not None:
                self.pieces.append(solver.dense_output())
                self.steps.append(solver.t)
                if count > FEW:
                    self.pieces, self.steps = None, []
            if count % every == 0:
                self.marks.append((solver.t, solver.y.copy()))
                if len(self.marks) > 2 * every:
                    self.marks, every = self.marks[::2], 2 * every
        if self.marks[-1][0] != solver.t:
            self.marks.append((solver.t, solver.y.copy()))
        release(solver)

    def backwards(self) -> Iterator[tuple[Any, float]]:
        """The solution as interpolants of its stretches, each with where it begins; the last first."""
        if self.pieces is not None:
            if self.pieces:
                yield self._joined(self.steps, self.pieces), self.steps[0]
            return
        for (start, y), (end, _) in zip(self.marks[-2::-1], self.marks[:0:-1], strict=True):
            solver = stepper_of(self.f, start, y, end, self.parameters, self.settings)
            steps, pieces = [start], []
            while solver.status == "running":
                message = solver.step()
                refuse_failed(solver.status, message, self.settings["method"], self.f, solver.t)
                steps.append(solver.t)
                pieces.append(solver.dense_output())
            release(solver)
            yield self._joined(steps, pieces), start

    def _joined(self, steps: Any, pieces: Any) -> Any:
        if self.settings["method"] == "RK45":
            return Path(np.asarray(steps), pieces)
        late = self.settings["method"] in ("BDF", "LSODA")
        return OdeSolution(np.asarray(steps), pieces, alt_segment=late)


def states_at(f: Any, t0: Any, y0: Any, times: Any, parameters: Any, settings: Any) -> Any:
    """The states at times in the order in which they are reached, a column for each."""
    found = np.empty((len(y0), len(times)), np.result_type(y0, float))
    done = 0
    while done < len(times) and times[done] == t0:
        found[:, done] = y0
        done += 1
    if done == len(times):
        return found
    solver = stepper_of(f, float(t0), y0, float(times[-1]), parameters, settings)
    while solver.status == "running":
        message = solver.step()
        refuse_failed(solver.status, message, settings["method"], f, solver.t)
        piece = None
        while done < len(times) and (times[done] - solver.t) * solver.direction <= 0:
            if times[done] == solver.t:
                found[:, done] = solver.y
            else:
                piece = solver.dense_output() if piece is None else piece
                found[:, done] = piece(times[done])
            done += 1
    release(solver)
    return found


non_differentiable(stepper_of, states_at, release, refuse_failed, why="solves, without a derivative")
