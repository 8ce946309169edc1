"""Where orthogonal polynomials are held to mpmath, by their argument."""

from __future__ import annotations

from typing import Any

import mpmath as mp

from . import Row, log_uniform, points, uniform

DEGREES = (1, 2, 3, 7, 20, 60)
X = [*uniform(-1, 1, 20), 1.0, -1.0, 0.0]
HALF = [*uniform(0, 1, 20), 0.0, 1.0]
LINE, PLUS = uniform(-6, 6, 20), log_uniform(1e-2, 40, 20)
ALPHA, BETA = uniform(-0.5, 4, 20, seed=1), uniform(-0.5, 4, 20, seed=2)
LAMBDA = uniform(0.1, 4, 20, seed=3)


def exactly(n: int, start: Any, step: Any) -> Any:
    """Pₙ of a recurrence Pₖ₊₁ = step(k, Pₖ, Pₖ₋₁), P₀ = 1, P₁ = start."""
    before, now = mp.mpf(1), start
    if n == 0:
        return before
    for k in range(1, n):
        before, now = now, step(k, now, before)
    return now


def legendre(n: int, x: Any) -> Any:
    """Pₙ by DLMF 18.9.1"""
    return exactly(n, x, lambda k, p, q: ((2 * k + 1) * x * p - k * q) / (k + 1))


def chebyt(n: int, x: Any) -> Any:
    """Tₙ"""
    return exactly(n, x, lambda k, p, q: 2 * x * p - q)


def chebyu(n: int, x: Any) -> Any:
    """Uₙ"""
    return exactly(n, 2 * x, lambda k, p, q: 2 * x * p - q)


def hermite(n: int, x: Any) -> Any:
    """Hₙ"""
    return exactly(n, 2 * x, lambda k, p, q: 2 * x * p - 2 * k * q)


def hermitenorm(n: int, x: Any) -> Any:
    """Heₙ"""
    return exactly(n, x, lambda k, p, q: x * p - k * q)


def genlaguerre(n: int, a: Any, x: Any) -> Any:
    """Lₙ of parameter α"""
    return exactly(n, 1 + a - x, lambda k, p, q: ((2 * k + 1 + a - x) * p - (k + a) * q) / (k + 1))


def gegenbauer(n: int, a: Any, x: Any) -> Any:
    """Cₙ of parameter α"""
    return exactly(n, 2 * a * x, lambda k, p, q: (2 * (k + a) * x * p - (k + 2 * a - 1) * q) / (k + 1))


def jacobi(n: int, a: Any, b: Any, x: Any) -> Any:
    """Pₙ of α, β by its sum DLMF 18.5.8"""
    return sum(
        mp.binomial(n + a, k) * mp.binomial(n + b, n - k) * ((x - 1) / 2) ** (n - k) * ((x + 1) / 2) ** k
        for k in range(n + 1)
    )


def whole(f: Any, n: int) -> Any:
    """f with its degree kept a whole number"""
    return lambda _, *rest: f(n, *rest)


def mapped(f: Any) -> Any:
    """The polynomial moved to the interval from 0 to 1."""
    return lambda n, x: f(n, 2 * x - 1)


def classical(n: int) -> list[Row]:
    """The families without a parameter, at degree n."""
    three = (legendre, chebyt, chebyu)
    return [
        *(Row(f"eval_{f.__name__}", whole(f, n), points([n] * 23, X), (1,)) for f in three),
        *(Row(f"eval_sh_{f.__name__}", whole(mapped(f), n), points([n] * 22, HALF), (1,)) for f in three),
        Row("eval_hermite", whole(hermite, n), points([n] * 20, LINE), (1,)),
        Row("eval_hermitenorm", whole(hermitenorm, n), points([n] * 20, LINE), (1,)),
        Row("eval_laguerre", whole(lambda n, x: genlaguerre(n, 0, x), n), points([n] * 20, PLUS), (1,)),
    ]


def with_parameters(n: int) -> list[Row]:
    """The families with parameters, at degree n; of high degree, Gegenbauer's by his is refused."""
    some = (1, 2) if n < 20 else (2,)
    inner, ends = points([n] * 20, ALPHA, BETA, X[:20]), points([n] * 2, ALPHA[:2], BETA[:2], [1.0, -1.0])
    return [
        Row("eval_genlaguerre", whole(genlaguerre, n), points([n] * 20, ALPHA, PLUS), (1, 2)),
        Row("eval_gegenbauer", whole(gegenbauer, n), points([n] * 20, LAMBDA, X[:20]), some),
        Row("eval_jacobi", whole(jacobi, n), inner, (1, 2, 3)),
        Row("eval_jacobi", whole(jacobi, n), ends, (3,)),
    ]


ROWS = [row for n in DEGREES for row in (*classical(n), *with_parameters(n))]
