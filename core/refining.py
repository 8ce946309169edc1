"""Linear systems with the Jacobian of a residual, solved without writing the exact Jacobian down.

Differences of the residual give a Jacobian J̃ with about eight digits, for the price of n values of the
residual; the exact one costs n pullbacks. Its factors solve the system roughly, and each correction by the
exact products gains those digits again by iterative refinement [Wilkinson 1963]:

    w ← w + J̃⁻¹(b − J w)

What comes out satisfies the system as closely as a direct solution does, by the exact products, or nothing
comes out, and the exact Jacobian is written down. A Jacobian that a user gives is taken before differences.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .solutions import reciprocal_condition

FEW = 4
"""Up to this many unknowns the exact Jacobian costs no more."""

WELL = 1e-5
"""The least reciprocal condition of a Jacobian by differences that is taken for what it is."""

_ROUNDS = 4


def by_differences(f: Callable[[Any], Any], y: Any, v: Any) -> Any:
    """The Jacobian of f at v, where y is f(v), by forward differences; None where it cannot be had so.

    Shapes:  y and v have n numbers, the Jacobian n × n.
    """
    n = len(v)
    if not (n > FEW and is_plain_vector(v) and is_plain_vector(y) and len(y) == n):
        return None
    steps = np.sqrt(np.finfo(float).eps) * np.maximum(np.abs(v), np.max(np.abs(v)) / n or 1.0)
    matrix, moved = np.empty((n, n)), v.copy()
    try:
        with np.errstate(all="ignore"):
            for k in range(n):
                moved[k] = v[k] + steps[k]
                matrix[:, k] = (f(moved.copy()) - y) / (moved[k] - v[k])
                moved[k] = v[k]
    except (ArithmeticError, ValueError):
        return None
    return matrix if np.all(np.isfinite(matrix)) and reciprocal_condition(matrix) > WELL else None


def refined(product: Callable[[Any], Any], b: Any, matrix: Any) -> Any:
    """The w with product(w) = b, for a matrix that is nearly that of the product; None where it is not.

    Shapes:  b and w have n numbers, the matrix n × n.
    """
    solve, size = factored(matrix)
    w, rounding = solve(b), 8.0 * len(b) * np.finfo(float).eps
    for _ in range(_ROUNDS):
        rest = b - product(w)
        if not np.all(np.isfinite(rest)):
            return None
        if np.linalg.norm(rest) <= rounding * (size * np.linalg.norm(w) + np.linalg.norm(b)):
            return w
        w = w + solve(rest)
    return None


def factored(matrix: Any) -> tuple[Callable[[Any], Any], float]:
    """What solves systems with a matrix, dense or sparse, and the matrix's Frobenius norm."""
    if not isinstance(matrix, np.ndarray):
        from scipy.sparse import csc_array
        from scipy.sparse.linalg import splu

        return splu(csc_array(matrix)).solve, float(np.linalg.norm(matrix.data))
    from scipy.linalg import lu_factor, lu_solve

    factors = lu_factor(matrix, check_finite=False)
    return lambda b: lu_solve(factors, b, check_finite=False), float(np.linalg.norm(matrix))


def as_given(jacobian: Any, x: Any, parameters: tuple[Any, ...], v: Any) -> Any:
    """The Jacobian at x by a user's function; None where it gives none that could serve.

    Shapes:  x has the n numbers v; the Jacobian is n × n, an array or one of scipy.sparse.
    """
    from scipy.sparse import csc_array, issparse

    n = len(v)
    try:
        with np.errstate(all="ignore"):
            found = jacobian(x, *parameters)
            matrix = csc_array(found, dtype=float) if issparse(found) else np.array(found, dtype=float)
    except (ArithmeticError, TypeError, ValueError, np.linalg.LinAlgError):
        return None
    if not is_plain_vector(v) or matrix.shape != (n, n) or not n:
        return None
    if not isinstance(matrix, np.ndarray):
        return matrix if np.all(np.isfinite(matrix.data)) else None
    return matrix if np.all(np.isfinite(matrix)) and reciprocal_condition(matrix) > WELL else None


def is_plain_vector(x: Any) -> bool:
    """Whether x is a vector of doubles."""
    return type(x) is np.ndarray and x.ndim == 1 and x.dtype == float
