"""Linear systems with the Jacobian of a residual, solved without writing the exact Jacobian down.

A Jacobian that is nearly right comes from differences of the residual (about eight digits, for the price of n
values), from the user, or from the solver itself, which has updated one all along. The exact one would cost n
pullbacks. Its inverse solves the system roughly, and exact products correct that, by generalised conjugate
residuals [Eisenstat, Elman & Schultz 1983]: with J̃⁻¹ before them they need two products where J̃ has eight
digits, and some more where it has few.

What comes out satisfies the system as closely as a direct solution does, by the exact products, or nothing
comes out, and the exact Jacobian is written down.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .solutions import norm

FEW = 4
"""Up to this many unknowns the exact Jacobian costs no more."""

WELL = 1e-5
"""The least reciprocal condition of a Jacobian by differences that is taken for what it is."""

_ROUNDS = 4


class Nearly:
    """A matrix that is nearly a Jacobian, and what solves systems with it."""

    def __init__(self, matrix: Any) -> None:
        """`matrix`: n × n, an array or one of scipy.sparse."""
        self.matrix, self.inverse = matrix, None
        self.is_dense = isinstance(matrix, np.ndarray)
        if self.is_dense:
            try:
                self.inverse = np.linalg.inv(matrix)
            except np.linalg.LinAlgError:
                return
            self.size = float(np.linalg.norm(matrix))
        else:
            from scipy.sparse.linalg import splu

            self.factors, self.size = splu(matrix), float(np.linalg.norm(matrix.data))

    def is_well(self) -> bool:
        """Whether a dense matrix is far from a singular one."""
        if self.inverse is None or not np.all(np.isfinite(self.inverse)):
            return False
        return not len(self.matrix) or norm(np.abs(self.matrix)) * norm(np.abs(self.inverse)) * WELL < 1.0

    def solved(self, b: Any, *, adjoint: bool) -> Any:
        """The w with J̃ w = b, or J̃ᵀ w = b."""
        if self.inverse is None:
            return self.factors.solve(b, "T" if adjoint else "N")
        return b @ self.inverse if adjoint else self.inverse @ b


def by_differences(f: Callable[[Any], Any], y: Any, v: Any) -> Nearly | None:
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
    return well(matrix)


def well(matrix: Any) -> Nearly | None:
    """A dense matrix, if it is finite and far from a singular one."""
    made = Nearly(matrix) if np.all(np.isfinite(matrix)) else None
    return made if made is not None and made.is_well() else None


def refined(
    product: Callable[[Any], Any], b: Any, nearly: Nearly, *, adjoint: bool, rounds: int = _ROUNDS
) -> Any:
    """The w with product(w) = b, for a matrix that is nearly that of the product; None where it is not.

    Shapes:  b and w have n numbers, the matrix n × n.
    """
    w, rest, rounding = np.zeros_like(b), b, 8.0 * len(b) * np.finfo(float).eps
    directions: list[tuple[Any, Any]] = []
    for _ in range(rounds):
        p = nearly.solved(rest, adjoint=adjoint)
        q = product(p)
        for earlier, image in directions:
            share = image @ q
            p, q = p - share * earlier, q - share * image
        length = np.linalg.norm(q)
        if not 0.0 < length < np.inf:
            return w if not rest.any() else None
        p, q = p / length, q / length
        directions.append((p, q))
        share = q @ rest
        w, rest = w + share * p, rest - share * q
        least = rounding * (nearly.size * np.linalg.norm(w) + np.linalg.norm(b))
        if np.linalg.norm(rest) <= least:
            few = len(directions) <= 2  # else directions that are nearly one another may have lost digits
            return w if few or np.linalg.norm(b - product(w)) <= 2.0 * least else None
    return None


def as_given(jacobian: Any, x: Any, parameters: tuple[Any, ...], v: Any) -> Nearly | None:
    """The Jacobian at x that a user's function or a solver gives; None where it could not serve.

    Shapes:  x has the n numbers v; the Jacobian is n × n, an array or one of scipy.sparse.
    """
    from scipy.sparse import csc_array, issparse

    n = len(v)
    try:
        with np.errstate(all="ignore"):
            found = jacobian(x, *parameters) if callable(jacobian) else jacobian
            matrix = csc_array(found, dtype=float) if issparse(found) else np.array(found, dtype=float)
    except (ArithmeticError, TypeError, ValueError, np.linalg.LinAlgError):
        return None
    if not is_plain_vector(v) or matrix.shape != (n, n) or not n:
        return None
    if isinstance(matrix, np.ndarray):
        return well(matrix)
    return Nearly(matrix) if np.all(np.isfinite(matrix.data)) else None


def is_plain_vector(x: Any) -> bool:
    """Whether x is a vector of doubles."""
    return type(x) is np.ndarray and x.ndim == 1 and x.dtype == float
