"""What do functions as arguments and growing lists cost? Runge and Kutta's method on a driven pendulum.

The right-hand side is handed to the step, the list of states to a helper that appends to it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from benchmarks.case import Case

SIZES = (100, 400, 1_600)
TINY = (4,)
_LEFT_OUT = {"torch": "it makes no array of a list of arrays that vary", "jax": "it unrolls the loop"}


def pendulum(y: Any, t: Any, p: Any) -> Any:
    """The angle's and the velocity's rates of change."""
    return np.array([y[1], -p[0] * np.sin(y[0]) - p[1] * y[1] + p[2] * np.cos(t)])


def step(f: Any, y: Any, t: Any, h: Any, p: Any) -> Any:
    """One step of order four."""
    k1 = f(y, t, p)
    k2 = f(y + 0.5 * h * k1, t + 0.5 * h, p)
    k3 = f(y + 0.5 * h * k2, t + 0.5 * h, p)
    k4 = f(y + h * k3, t + h, p)
    return y + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)


def grow(ys: Any, f: Any, t: Any, h: Any, p: Any) -> Any:
    """One state more."""
    ys.append(step(f, ys[-1], t, h, p))
    return ys


def rk4(f: Any, y: Any, ts: Any, p: Any) -> Any:
    """The states at these times."""
    ys = [y]
    for i in range(len(ts) - 1):
        ys = grow(ys, f, ts[i], ts[i + 1] - ts[i], p)
    return ys


def loss(p: Any, y: Any, ts: Any) -> Any:
    """The sum of the squared angles."""
    return np.sum(np.array(rk4(pendulum, y, ts, p))[:, 0] ** 2)


def by_hand(p: Any, y: Any, ts: Any) -> tuple[Any, tuple[Any]]:
    """The same loop, and the adjoint of each step."""
    ys, kept = [y], []
    for i in range(len(ts) - 1):
        t, h, y = ts[i], ts[i + 1] - ts[i], ys[-1]
        k1 = pendulum(y, t, p)
        y2 = y + 0.5 * h * k1
        k2 = pendulum(y2, t + 0.5 * h, p)
        y3 = y + 0.5 * h * k2
        k3 = pendulum(y3, t + 0.5 * h, p)
        y4 = y + h * k3
        k4 = pendulum(y4, t + h, p)
        ys.append(y + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4))
        kept.append((t, h, y, y2, y3, y4))
    angles = np.array(ys)[:, 0]
    p_bar, y_bar = np.zeros(3), np.zeros(2)
    for i, (t, h, y1, y2, y3, y4) in reversed([*enumerate(kept)]):
        y_bar[0] += 2.0 * angles[i + 1]
        k_bar = h / 6.0 * y_bar
        s4 = _back(y4, t + h, p, k_bar, p_bar)
        s3 = _back(y3, t + 0.5 * h, p, 2.0 * k_bar + h * s4, p_bar)
        s2 = _back(y2, t + 0.5 * h, p, 2.0 * k_bar + 0.5 * h * s3, p_bar)
        s1 = _back(y1, t, p, k_bar + 0.5 * h * s2, p_bar)
        y_bar = y_bar + s1 + s2 + s3 + s4
    return np.sum(angles**2), (p_bar,)


def _back(y: Any, t: Any, p: Any, k_bar: Any, p_bar: Any) -> Any:
    g = k_bar[1]
    p_bar[0] -= g * np.sin(y[0])
    p_bar[1] -= g * y[1]
    p_bar[2] += g * np.cos(t)
    return np.array([-g * p[0] * np.cos(y[0]), k_bar[0] - g * p[1]])


def cases(sizes: tuple[int, ...] = SIZES) -> list[Case]:
    """One case for each number of steps."""
    start = np.array([1.0, 0.0])
    return [
        Case(
            f"Runge-Kutta, {n:,} steps",
            loss,
            by_hand,
            (np.array([1.0, 0.1, 0.2]),),
            (start, np.linspace(0.0, 0.04 * n, n + 1)),
            left_out=_LEFT_OUT,
        )
        for n in sizes
    ]
