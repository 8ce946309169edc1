"""Where incomplete gamma and beta functions and their distributions are held to mpmath."""

from __future__ import annotations

from typing import Any

import mpmath as mp
import numpy as np
from scipy import special

from . import Row, log_uniform, points, uniform

BOTH = (0, 1)
A = log_uniform(1e-4, 1e4, 400)
SPREAD = np.random.default_rng(3).normal(size=400) * 3
X = [float(abs(a + s * np.sqrt(a) + 1e-3)) for a, s in zip(A, SPREAD, strict=True)]
FAR = [a * u for a, u in zip(A, log_uniform(0.2, 4, 400, seed=1), strict=True)]
P, Q = log_uniform(1e-2, 3e3, 200, seed=2), log_uniform(1e-2, 3e3, 200, seed=3)
W = [
    float(min(max(p / (p + q) + s * np.sqrt(p * q / (p + q + 1)) / (p + q), 1e-9), 1 - 1e-9))
    for p, q, s in zip(P, Q, SPREAD, strict=False)
]
FREEDOM, T = log_uniform(0.1, 1e6, 80, seed=4), uniform(-6, 6, 80, seed=5)
FEW, MANY = log_uniform(0.1, 900, 60, seed=6), log_uniform(0.1, 900, 60, seed=7)


def gammainc(a: Any, x: Any) -> Any:
    """P(a, x)"""
    return x**a * mp.exp(-x) / mp.gamma(a + 1) * mp.hyp1f1(1, a + 1, x, maxterms=10**6)


def betainc(a: Any, b: Any, x: Any) -> Any:
    """I_x(a, b) by the series whose terms are positive"""
    if x > a / (a + b):
        return 1 - betainc(b, a, 1 - x)
    series = mp.hyper([a + b, 1], [a + 1], x, maxterms=10**6)
    return x**a * (1 - x) ** b / (a * mp.beta(a, b)) * series


def student(v: Any, t: Any) -> Any:
    """F(t; ν)"""
    tail = betainc(v / 2, mp.mpf(1) / 2, v / (v + t * t)) / 2
    return tail if t < 0 else 1 - tail


def f_distribution(m: Any, n: Any, x: Any) -> Any:
    """F(x; m, n)"""
    return betainc(m / 2, n / 2, m * x / (n + m * x))


def seen(rows: list[tuple[float, ...]]) -> list[tuple[float, ...]]:
    """Those points at which mpmath's digits do for both tails."""
    return [row for row in rows if special.gammainc(*row) > 1e-200 and special.gammaincc(*row) > 1e-40]


ROWS = [
    Row("gammainc", gammainc, seen(points(A, X)), BOTH, 1e-10),
    Row("gammainc", gammainc, seen(points(A, FAR)), BOTH, 1e-10),
    Row("gammaincc", lambda a, x: 1 - gammainc(a, x), seen(points(A, X)[:100]), BOTH, 1e-10),
    Row("chdtr", lambda v, x: gammainc(v / 2, x / 2), seen(points(A, X)[:60]), BOTH, 1e-10),
    Row("betainc", betainc, points(P, Q, W), (0, 1, 2)),
    Row("stdtr", student, points(FREEDOM, T), BOTH),
    Row("fdtr", f_distribution, points(FEW, MANY, log_uniform(0.2, 5, 60)), (0, 1, 2)),
]
