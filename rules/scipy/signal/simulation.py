"""Systems in time: their answers to inputs, impulses and steps, continuous and discrete.

The state goes on by one matrix, x_{i+1} = x_i M + d_i, whose transpose runs backwards in time. The times
are constants; a derivative by them is refused by name. A system is a tuple of arrays, or an object.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy import linalg, signal
from scipy.signal import StateSpace
from scipy.signal._ltisys import LinearTimeInvariant

from ....core import UnsupportedArgument, frule, non_differentiable, rrule
from ....tangents import ZERO, is_zero
from ...numpy.adjoints import conj
from ...written import own, written_out
from .models import in_continuous_time, in_discrete_time
from .systems import held_inputs, straight_inputs, with_matrices


def marched(m: Any, d: Any, x: Any) -> Any:
    """x, x M + d₀, … one row for each time."""
    y = np.empty((d.shape[0] + 1, x.shape[0]), np.result_type(m, d, x))
    y[0] = x
    for i in range(d.shape[0]):
        y[i + 1] = y[i] @ m + d[i]
    return y


@frule(marched)
def marched_frule(tangents, m: np.ndarray, d: np.ndarray, x: np.ndarray):
    """ẏ_{i+1} = ẏ_i M + y_i Ṁ + ḋ_i"""
    dm, dd, dx = tangents
    y = marched(m, d, x)
    drive = np.zeros_like(d) if is_zero(dd) else dd
    if not is_zero(dm):
        drive = drive + y[:-1] @ dm
    return y, marched(m, drive, np.zeros_like(x) if is_zero(dx) else dx)


@rrule(marched)
def marched_rrule(m: np.ndarray, d: np.ndarray, x: np.ndarray, *, needs):
    """λ_i = ȳ_i + λ_{i+1} Mᴴ        M̄ = Σ y_iᴴ λ_{i+1},  d̄_i = λ_{i+1},  x̄ = λ₀"""
    y = marched(m, d, x)

    def marched_pullback(y_bar):
        back = np.flip(marched(conj(m).T, np.flip(y_bar[:-1], 0), y_bar[-1]), 0)
        return (conj(y[:-1]).T @ back[1:] if needs[0] else ZERO), back[1:], back[0]

    return y, marched_pullback


def continuous_matrices(system: Any, name: str) -> Any:
    """The four matrices."""
    return with_matrices(in_continuous_time(name, system), f"scipy.signal.{name}")


def discrete_matrices(system: Any, name: str) -> tuple[Any, Any]:
    """The four matrices, and the sampling time."""
    *arrays, dt = in_discrete_time(name, system)
    return with_matrices(arrays, f"scipy.signal.{name}"), dt


def has_states(system: Any) -> bool:
    """Whether a discrete system is given by its matrices, so that its states are returned too."""
    return isinstance(system, StateSpace) or (
        not isinstance(system, LinearTimeInvariant) and len(system) == 5
    )


def step_of(name: str, T: Any) -> tuple[Any, float, float]:
    """The times, the first, and the distance of each from the one before."""
    T = np.array(T, ndmin=1)
    if T.ndim != 1 or T[0] < 0:
        raise UnsupportedArgument(name, "T", np.shape(T), why="it is no list that begins at zero or later")
    dt = float(T[1] - T[0]) if len(T) > 1 else 0.0
    if not np.allclose(np.diff(T), dt):
        raise UnsupportedArgument(name, "T", "uneven", why="the steps are not equal")
    return T, float(T[0]), dt


def response_times(f: Any, matrices: Any, T: Any, N: Any) -> Any:
    """The times that SciPy chooses where none are given."""
    return f(matrices, N=N)[0] if T is None else np.asarray(T)


def checked_inputs(shape: tuple[int, ...], n: int, inputs: int) -> None:
    """Refuse inputs that are not one for each time."""
    if math.prod(shape) != n * inputs:
        raise UnsupportedArgument(
            "scipy.signal.lsim", "U", shape, why=f"there are {n} times, {inputs} inputs"
        )


non_differentiable(
    has_states, step_of, response_times, checked_inputs, why="computes with times and shapes alone"
)


def inputs_of(U: Any, n: int, inputs: int) -> Any:
    """One row of inputs for each time."""
    if U is None or (isinstance(U, int | float) and U == 0):
        return np.zeros((n, inputs))
    checked_inputs(np.shape(U), n, inputs)
    return np.reshape(np.asarray(U), (n, inputs))


def simulated(matrices: Any, U: Any, T: Any, X0: Any, interp: bool) -> tuple[Any, Any, Any]:
    """The times, the outputs and the states."""
    A, B, C, D = matrices
    T, before, dt = step_of("scipy.signal.lsim", T)
    start = np.zeros(np.shape(A)[0]) if X0 is None else np.reshape(np.asarray(X0), -1)
    if before > 0:
        start = linalg.expm(A * before) @ start
    u = inputs_of(U, len(T), np.shape(B)[1])
    if interp:
        Ad, first, second = straight_inputs(A, B, dt)
        drive = u[:-1] @ first.T + u[1:] @ second.T
    else:
        Ad, held = held_inputs(A, B, dt)
        drive = u[:-1] @ held.T
    x = marched(Ad.T, drive, start + 0.0).astype(A.dtype)
    y = np.squeeze(x @ C.T)
    if U is not None:
        y = y + np.squeeze(u @ D.T)
    return T, np.asarray(y), np.squeeze(x)


@written_out(signal.lsim)
def lsim(system: tuple | list | LinearTimeInvariant, U: object, X0: object = None, *, T, interp=True):
    """x' = A x + B u, y = C x + D u, with u straight between the times, or held"""
    return simulated(continuous_matrices(system, "lsim"), U, T, X0, interp)


@written_out(signal.impulse)
def impulse(system: tuple | list | LinearTimeInvariant, X0: object = None, *, T=None, N=None):
    """y = C exp(A t) (B + x₀)"""
    matrices = continuous_matrices(system, "impulse")
    start = np.squeeze(matrices[1])
    if X0 is not None:
        start = np.squeeze(matrices[1] + np.asarray(X0))
    times = response_times(signal.impulse, matrices, T, N)
    t, y, _ = simulated((*matrices[:3], 0.0 * matrices[3]), None, times, start, False)
    return t, y


@written_out(signal.step)
def step(system: tuple | list | LinearTimeInvariant, X0: object = None, *, T=None, N=None):
    """y for an input of one"""
    matrices = continuous_matrices(system, "step")
    times = response_times(signal.step, matrices, T, N)
    t, y, _ = simulated(matrices, own(np.ones, len(times)).astype(matrices[0].dtype), times, X0, False)
    return t, y


def resampled(u: Any, t: Any, dt: Any) -> tuple[Any, Any]:
    """The times of the steps up to the last that is given, and what interpolates inputs there."""
    from scipy.interpolate import make_interp_spline

    t = np.asarray(t)
    count = int(np.floor(t[-1] / dt)) + 1
    times = np.linspace(0.0, t[-1], num=count)
    return times, make_interp_spline(t, np.eye(len(t)), k=1)(times)


def steps_of(n: Any, dt: Any) -> Any:
    """The times that SciPy chooses where none are given."""
    n = 100 if n is None else n
    return np.linspace(0, n * float(dt), n, endpoint=False)


non_differentiable(resampled, steps_of, why="computes with times alone")


def stepped(matrices: Any, u: Any, x0: Any) -> tuple[Any, Any]:
    """The outputs and the states of a discrete system."""
    A, B, C, D = matrices
    start = np.zeros(np.shape(A)[0]) if x0 is None else np.reshape(np.asarray(x0), -1)
    x = marched(A.T, u[:-1] @ B.T, start + 0.0)
    return x @ C.T + u @ D.T, x


@written_out(signal.dlsim)
def dlsim(system: tuple | list | LinearTimeInvariant, u: np.ndarray | list, x0: object = None, *, t=None):
    """x_{i+1} = A x_i + B u_i, y_i = C x_i + D u_i; the states too of a system given by its matrices"""
    matrices, dt = discrete_matrices(system, "dlsim")
    inputs = np.atleast_1d(np.asarray(u)) * 1.0
    inputs = inputs[:, None] if np.ndim(inputs) == 1 else inputs
    if t is None:
        times = dt * own(np.arange, np.shape(inputs)[0], dtype=float)
    else:
        times, between = resampled(inputs, t, dt)
        inputs = between @ inputs
    y, x = stepped(matrices, inputs, x0)
    return (times, y, x) if has_states(system) else (times, y)


def answers(system: Any, x0: Any, t: Any, n: Any, steady: bool) -> tuple[Any, Any]:
    """The answers to an impulse or to a step in each of the inputs."""
    matrices, dt = discrete_matrices(system, "dimpulse")
    given = steps_of(n, dt) if t is None else t
    times, between = resampled(None, given, dt)
    if t is None:
        times = dt * own(np.arange, len(times), dtype=float)
    found = []
    for i in range(np.shape(matrices[1])[1]):
        u = own(unit_input, len(given), np.shape(matrices[1])[1], i, steady)
        found.append(stepped(matrices, between @ u, x0)[0])
    return times, tuple(found)


def unit_input(n: int, inputs: int, which: int, steady: bool) -> Any:
    """One of the inputs one, at the first time or at all of them."""
    u = np.zeros((n, inputs))
    u[: n if steady else 1, which] = 1.0
    return u


@written_out(signal.dimpulse)
def dimpulse(system: tuple | list | LinearTimeInvariant, x0: object = None, *, t=None, n=None):
    """The answer to an impulse in each of the inputs"""
    return answers(system, x0, t, n, False)


@written_out(signal.dstep)
def dstep(system: tuple | list | LinearTimeInvariant, x0: object = None, *, t=None, n=None):
    """The answer to a step in each of the inputs"""
    return answers(system, x0, t, n, True)
