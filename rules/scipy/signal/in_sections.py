"""Sections of second order, one after another, and cotangents that go through each of them by itself.

Every section has an input and an output of its own, and is differentiated as in `recursion`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import signal

from ....core import non_differentiable
from ....tangents import ZERO
from .recursion import ahead, backwards, lag_sums, recursive


def cascade(b: Any, tail: Any, x: Any, z: Any) -> Any:
    """The sections along the last axis, and their final states: `tail` is a without the first, a one."""
    one = np.ones((b.shape[0], 1), dtype=tail.dtype)
    return signal.sosfilt(np.concatenate([b, one, tail], axis=1), x, -1, z)


def no_states(b: Any, x: Any) -> Any:
    """States of zeros."""
    return np.zeros((b.shape[0], *x.shape[:-1], 2), dtype=np.result_type(b, x))


non_differentiable(no_states, why="computes with shapes and types alone")


def through_sections(b: Any, tail: Any, x: Any, z: Any) -> tuple[list[Any], Any]:
    """The inputs of all sections and the last one's output, with the final states."""
    signals, ends = [x], []
    for i in range(b.shape[0]):
        out, end = recursive(b[i], tail[i], signals[i], z[i])
        signals.append(out)
        ends.append(end)
    return signals, np.stack(ends)


def by_sections(b: Any, tail: Any, signals: Any, y_bar: Any, z_bar: Any, needs: Any) -> Any:
    """Cotangents of b, tail, x and z from those of output and final states, the last section first."""
    n = signals[0].shape[-1]
    b_bars: Any = []
    a_bars: Any = []
    starts: Any = []
    for i in range(b.shape[0] - 1, -1, -1):
        w = backwards(tail[i], y_bar, z_bar[i])
        if needs[0]:
            b_bars.append(lag_sums(signals[i], w))
        if needs[1]:
            a_bars.append(-lag_sums(signals[i + 1], w[..., 1:]))
        starts.append(w[..., :2])
        if i > 0 or needs[2]:
            y_bar = ahead(b[i], w, n)
    b_bar = np.stack(b_bars[::-1]) if needs[0] else ZERO
    a_bar = np.stack(a_bars[::-1]) if needs[1] else ZERO
    return b_bar, a_bar, y_bar if needs[2] else ZERO, np.stack(starts[::-1]) if needs[3] else ZERO
