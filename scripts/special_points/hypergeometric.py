"""Where hypergeometric functions are held to mpmath, by their parameters and their argument."""

from __future__ import annotations

import mpmath as mp

from . import Row, in_plane, log_uniform, points, uniform

A, B, C = (uniform(0.1, 8, 60, seed=s) for s in (1, 2, 3))
MINUS = [-v for v in uniform(0.1, 5, 60, seed=4)]
Z = [*uniform(-0.9, 0.9, 30, seed=5), *(-v for v in log_uniform(1, 200, 30, seed=6))]
WIDE = [*uniform(-30, 30, 30, seed=7), *log_uniform(1e-4, 60, 30, seed=8)]
PLUS = log_uniform(1e-2, 80, 60, seed=9)
INSIDE = in_plane(uniform(0.01, 0.9, 60, seed=10))
PLANE = in_plane(log_uniform(1e-2, 10, 60, seed=11))

FEW, NEGATIVE = slice(0, 30), [-v for v in uniform(0.1, 5, 30, seed=12)]

ROWS = [
    Row("hyp0f1", mp.hyp0f1, points(A, WIDE), (0, 1)),
    Row("hyp1f1", mp.hyp1f1, points(A, B, WIDE), (0, 1, 2)),
    Row("hyp1f1", mp.hyp1f1, points(MINUS, B, WIDE), (0, 1, 2)),
    Row("hyp1f1", mp.hyp1f1, points(A, B, PLANE), (0, 1, 2)),
    Row("hyperu", mp.hyperu, points(A, B, PLUS), (0, 1, 2)),
    Row("hyperu", mp.hyperu, points(NEGATIVE, NEGATIVE, PLUS[FEW]), (0, 1)),
    Row("hyp2f1", mp.hyp2f1, points(A, B, C, Z), (0, 1, 2, 3)),
    Row("hyp2f1", mp.hyp2f1, points(MINUS, B, C, Z), (0, 1, 2, 3)),
    Row("hyp2f1", mp.hyp2f1, points(A, B, C, INSIDE), (0, 1, 2, 3)),
    Row("hyp2f1", mp.hyp2f1, points(A[FEW], B[FEW], C[FEW], PLANE[FEW]), (0, 1, 2, 3)),
]
