"""Initial states of recursive filters: those of a steady step, and those after given values."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import signal

from ....core import NotDifferentiableError, non_differentiable
from ...written import written_out
from .precision import written_in_precision
from .recursion import coefficients


def refuse_integrators(a: Any) -> None:
    """Refuse a filter with a pole at one, which has no steady state."""
    if np.sum(a) == 0:
        raise NotDifferentiableError(
            "scipy.signal.lfilter_zi of a filter with a pole at one, which has no steady state",
            next="take the pole out, and add up its output by np.cumsum",
        )


non_differentiable(refuse_integrators, why="checks an argument")


def steady(b: Any, a: Any) -> Any:
    """z_i = Σ_{k>i} (b_k − a_k y), y = Σ b / Σ a, for a that begins with one"""
    refuse_integrators(a)
    rest = b[1:] - a[1:] * (np.sum(b) / np.sum(a))
    return np.flip(np.cumsum(np.flip(rest)))


@written_out(signal.lfilter_zi)
def lfilter_zi(b: np.ndarray | list, a: np.ndarray | list):
    """The state in which a step has no transient"""
    b, a = coefficients(b, a)
    return steady(b, a)


@written_out(signal.sosfilt_zi)
def sosfilt_zi(sos: np.ndarray | list):
    """The states in which a step has no transient, each scaled by what comes from the sections before"""
    sections = np.asarray(sos)
    gain = 1.0
    states = []
    for i in range(np.shape(sections)[0]):
        b, a = coefficients(sections[i, :3], sections[i, 3:])
        states.append(gain * steady(b, a))
        gain = gain * (np.sum(b) / np.sum(a))
    return np.stack(states)


@written_in_precision(signal.lfiltic)
def lfiltic(b: np.ndarray | list, a: np.ndarray | list, y: np.ndarray | list, x: object = None):
    """The state after the values y_{−1}, y_{−2}, … and x_{−1}, x_{−2}, …"""
    n, m = np.size(a) - 1, np.size(b) - 1
    b, a = coefficients(b, a)
    size = len(a) - 1
    before = padded(np.atleast_1d(np.asarray(y)), n)
    came = np.zeros(m) if x is None else padded(np.atleast_1d(np.asarray(x)), m)
    if size == 0:
        return np.zeros(0, dtype=np.result_type(b))
    states = []
    for i in range(size):
        state = 0.0
        if i < m:
            state = state + np.sum(b[i + 1 : m + 1] * came[: m - i])
        if i < n:
            state = state - np.sum(a[i + 1 : n + 1] * before[: n - i])
        states.append(np.asarray(state))
    return np.stack(states)


def padded(x: Any, n: int) -> Any:
    """The first n entries of x, zeros where it has not so many."""
    return np.concatenate([x[:n], np.zeros(max(n - len(x), 0))])
