"""What do stores cost? Relaxation of a rod in place, and a table that is filled entry by entry."""

from __future__ import annotations

from typing import Any

import numpy as np
from benchmarks.case import Case

SIZES = (50, 5_000)
TINY = (5,)
STEPS = 50
_LEFT_OUT = dict.fromkeys(("autograd", "torch", "jax"), "it differentiates no writing into these arrays")


def rod(u: Any, c: Any) -> Any:
    """The squared temperatures of a rod after a few steps."""
    u = u.copy()
    for _ in range(50):
        u[1:-1] = u[1:-1] + c * (u[2:] - 2.0 * u[1:-1] + u[:-2])
    return np.sum(u**2)


def rod_by_hand(u: Any, c: Any) -> tuple[Any, tuple[Any]]:
    """The steps' adjoints, which are linear."""
    u = u.copy()
    for _ in range(STEPS):
        u[1:-1] = u[1:-1] + c * (u[2:] - 2.0 * u[1:-1] + u[:-2])
    u_bar = 2.0 * u
    for _ in range(STEPS):
        inner = u_bar[1:-1].copy()
        u_bar[1:-1] = (1.0 - 2.0 * c) * inner
        u_bar[2:] += c * inner
        u_bar[:-2] += c * inner
    return np.sum(u**2), (u_bar,)


def table(x: Any, y: Any) -> Any:
    """The cost of the best way through a table of squared differences, softened."""
    R = np.zeros((x.shape[0], y.shape[0]))
    R[0, 0] = (x[0] - y[0]) ** 2
    for i in range(1, x.shape[0]):
        R[i, 0] = R[i - 1, 0] + (x[i] - y[0]) ** 2
    for j in range(1, y.shape[0]):
        R[0, j] = R[0, j - 1] + (x[0] - y[j]) ** 2
    for i in range(1, x.shape[0]):
        for j in range(1, y.shape[0]):
            R[i, j] = (x[i] - y[j]) ** 2 - np.log(np.exp(-R[i - 1, j]) + np.exp(-R[i, j - 1]))
    return R[-1, -1]


def table_by_hand(x: Any, y: Any) -> tuple[Any, tuple[Any]]:
    """The same table, gone through backwards."""
    m, n = x.shape[0], y.shape[0]
    R, up = np.zeros((m, n)), np.zeros((m, n))
    R[0, 0] = (x[0] - y[0]) ** 2
    for i in range(1, m):
        R[i, 0] = R[i - 1, 0] + (x[i] - y[0]) ** 2
    for j in range(1, n):
        R[0, j] = R[0, j - 1] + (x[0] - y[j]) ** 2
    for i in range(1, m):
        for j in range(1, n):
            a, b = np.exp(-R[i - 1, j]), np.exp(-R[i, j - 1])
            up[i, j] = a / (a + b)
            R[i, j] = (x[i] - y[j]) ** 2 - np.log(a + b)
    R_bar, x_bar = np.zeros((m, n)), np.zeros(m)
    R_bar[-1, -1] = 1.0
    for i in range(m - 1, -1, -1):
        for j in range(n - 1, -1, -1):
            g = R_bar[i, j]
            x_bar[i] += g * 2.0 * (x[i] - y[j])
            if i and j:
                R_bar[i - 1, j] += g * up[i, j]
                R_bar[i, j - 1] += g * (1.0 - up[i, j])
            elif i:
                R_bar[i - 1, j] += g
            elif j:
                R_bar[i, j - 1] += g
    return R[-1, -1], (x_bar,)


def cases(sizes: tuple[int, ...] = SIZES) -> list[Case]:
    """The rod for each number of places, and one table."""
    rng = np.random.default_rng(0)
    rods = [
        Case(f"rod of {n:,} places, in place", rod, rod_by_hand, (rng.normal(size=n),), (0.1,), _LEFT_OUT)
        for n in sizes
    ]
    n = min(sizes[0], 20)
    x, y = 0.3 * rng.normal(size=n), 0.3 * rng.normal(size=n - 1)
    return [*rods, Case(f"table of {n} × {n - 1} entries", table, table_by_hand, (x,), (y,), _LEFT_OUT)]
