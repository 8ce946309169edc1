"""Where elliptic integrals and Carlson's symmetric forms are held to mpmath."""

from __future__ import annotations

from typing import Any

import mpmath as mp

from . import Row, log_uniform, points, uniform

M = [*uniform(0, 1, 40), *(-v for v in log_uniform(1e-6, 1e5, 40)), *log_uniform(1e-9, 0.5, 40, seed=1)]
CLOSE = log_uniform(1e-12, 1, 60, seed=2)
NEAR_ONE = [1 - v for v in log_uniform(1e-6, 0.1, 30, seed=3)]
PHI = [*uniform(-1.5, 1.5, 60, seed=4), *uniform(-20, 20, 60, seed=5)]
MODULI = [
    *uniform(0, 0.99, 40, seed=6),
    *(-v for v in log_uniform(1e-6, 100, 40)),
    *log_uniform(1e-8, 0.9, 40),
]
U, V, W, P = (log_uniform(1e-3, 1e3, 60, seed=s) for s in (7, 8, 9, 10))
THREE = (0, 1, 2)


def amplitude_row(name: str, f: Any) -> Row:
    """An incomplete integral by the angle and the parameter."""
    return Row(name, f, points(PHI, MODULI), (0, 1))


ROWS = [
    Row("ellipk", mp.ellipk, points([*M, *NEAR_ONE])),
    Row("ellipe", mp.ellipe, points([*M, *NEAR_ONE])),
    Row("ellipkm1", lambda p: mp.ellipk(1 - p), points(CLOSE)),
    amplitude_row("ellipkinc", mp.ellipf),
    amplitude_row("ellipeinc", mp.ellipe),
    Row("elliprc", mp.elliprc, points(U, V), (0, 1)),
    Row("elliprd", mp.elliprd, points(U, V, W), THREE),
    Row("elliprf", mp.elliprf, points(U, V, W), THREE),
    Row("elliprg", mp.elliprg, points(U, V, W), THREE),
    Row("elliprj", mp.elliprj, points(U, V, W, P), (0, 1, 2, 3)),
    Row("agm", mp.agm, points(U, V), (0, 1)),
]  # fmt: skip
