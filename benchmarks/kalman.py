"""What do functions that write into their arguments cost? The likelihood of a filter with two states."""

from __future__ import annotations

from typing import Any

import numpy as np
from benchmarks.case import Case

SIZES = (60, 600)
TINY = (3,)
_LEFT_OUT = dict.fromkeys(("autograd", "torch", "jax"), "it differentiates no writing into these arrays")


def predict(m: Any, P: Any, A: Any, Q: Any) -> None:
    """The state one step later, in place."""
    m[:] = A @ m
    P[:, :] = A @ P @ A.T + Q


def update(m: Any, P: Any, z: Any, r: Any) -> Any:
    """The state after a measurement, in place, and its log-likelihood."""
    S = P[0, 0] + r
    K = P[:, 0] / S
    v = z - m[0]
    m += K * v
    P -= np.outer(K, P[0].copy())
    return -0.5 * (v * v / S + np.log(S))


def likelihood(q: Any, zs: Any) -> Any:
    """The log-likelihood of the measurements."""
    A = np.array([[1.0, q[0]], [0.0, q[1]]])
    Q = np.eye(2) * q[2]
    m, P = np.zeros(2), np.eye(2)
    total = 0.0
    for z in zs:
        predict(m, P, A, Q)
        total += update(m, P, z, q[3])
    return total


def by_hand(q: Any, zs: Any) -> tuple[Any, tuple[Any]]:
    """The filter, what each step needs, and the adjoint of each step."""
    A = np.array([[1.0, q[0]], [0.0, q[1]]])
    Q = np.eye(2) * q[2]
    m, P, total, kept = np.zeros(2), np.eye(2), 0.0, []
    for z in zs:
        m_old, P_old = m, P
        m = A @ m
        P = A @ P @ A.T + Q
        S = P[0, 0] + q[3]
        K, v, row = P[:, 0] / S, z - m[0], P[0]
        total += -0.5 * (v * v / S + np.log(S))
        m = m + K * v
        P = P - np.outer(K, row)
        kept.append((m_old, P_old, S, K, v, row))
    m_bar, P_bar, A_bar, Q_bar, r_bar = np.zeros(2), np.zeros((2, 2)), np.zeros((2, 2)), np.zeros((2, 2)), 0.0
    for m_old, P_old, S, K, v, row in reversed(kept):
        K_bar = m_bar * v - P_bar @ row
        v_bar = K @ m_bar - v / S
        S_bar = 0.5 * (v * v / S - 1.0) / S - K @ K_bar / S
        r_bar += S_bar
        P_bar[0] -= K @ P_bar
        P_bar[:, 0] += K_bar / S
        P_bar[0, 0] += S_bar
        m_bar[0] -= v_bar
        Q_bar += P_bar
        A_bar += P_bar @ A @ P_old.T + P_bar.T @ A @ P_old + np.outer(m_bar, m_old)
        P_bar = A.T @ P_bar @ A
        m_bar = A.T @ m_bar
    return total, (np.array([A_bar[0, 1], A_bar[1, 1], Q_bar[0, 0] + Q_bar[1, 1], r_bar]),)


def cases(sizes: tuple[int, ...] = SIZES) -> list[Case]:
    """One case for each number of measurements."""
    q = np.array([0.1, 0.95, 0.05, 0.3])
    return [
        Case(
            f"Kalman filter, {n} measurements",
            likelihood,
            by_hand,
            (q,),
            (np.sin(np.linspace(0.0, 6.0, n)),),
            left_out=_LEFT_OUT,
        )
        for n in sizes
    ]
