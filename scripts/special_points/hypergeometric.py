"""Where hypergeometric functions, and those that are such series, are held to mpmath, by all arguments."""

from __future__ import annotations

from typing import Any

import mpmath as mp

from . import Row, in_plane, log_uniform, points, uniform

A, B, C = (uniform(0.1, 8, 60, seed=s) for s in (1, 2, 3))
MINUS = [-v for v in uniform(0.1, 5, 60, seed=4)]
Z = [*uniform(-0.9, 0.9, 30, seed=5), *(-v for v in log_uniform(1, 200, 30, seed=6))]
WIDE = [*uniform(-30, 30, 30, seed=7), *log_uniform(1e-4, 60, 30, seed=8)]
PLUS = log_uniform(1e-2, 80, 60, seed=9)
INSIDE = in_plane(uniform(0.01, 0.9, 60, seed=10))
PLANE = in_plane(log_uniform(1e-2, 10, 60, seed=11))

ORDERS, INNER = uniform(-3, 12, 60, seed=13), uniform(-0.9, 0.99, 30, seed=14)
SMALL = log_uniform(1e-3, 4, 30, seed=15)
FEW, NEGATIVE = slice(0, 30), [-v for v in uniform(0.1, 5, 30, seed=12)]


def wright(a: Any, b: Any, x: Any) -> Any:
    """Σ xᵏ/(k! Γ(a k + b))"""
    total, k, term = mp.mpf(0), 0, mp.mpf(1)
    while k < 12 or abs(term) > total * mp.eps:
        term = x**k * mp.rgamma(a * k + b) / mp.factorial(k)
        total, k = total + term, k + 1
    return total


def log_wright(a: Any, b: Any, x: Any) -> Any:
    """Its logarithm."""
    return mp.log(wright(a, b, x))


def bessel_polynomial(a: Any, power: Any, v: Any) -> Any:
    """Σ (−1)ᵏ a^(2k+v)/(k! Γ(v + k + 1) (l + 2k + v + 1))"""
    terms = (
        (-1) ** k * a ** (2 * k + v) * mp.rgamma(v + k + 1) / mp.factorial(k) / (power + 2 * k + v + 1)
        for k in range(120)
    )
    return mp.fsum(terms)


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
    Row("struve", mp.struveh, points(ORDERS, PLUS), (0,)),
    Row("modstruve", mp.struvel, points(ORDERS, PLUS), (0,)),
    *(
        Row(name, f, points(B[FEW], C[FEW], PLUS[FEW]), (0, 1, 2))
        for name, f in (("wright_bessel", wright), ("log_wright_bessel", log_wright))
    ),
    Row("besselpoly", bessel_polynomial, points(SMALL, B[FEW], C[FEW]), (0, 1, 2)),
    Row("eval_genlaguerre", mp.laguerre, points(A, B, WIDE), (0, 1, 2)),
    Row("eval_jacobi", mp.jacobi, points(A[FEW], B[FEW], C[FEW], INNER), (0, 1, 2, 3)),
]
