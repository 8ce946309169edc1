"""The exponential of a sparse matrix times a vector, and powers of sparse matrices.

Forward the derivative is the exponential of a matrix of twice the size (Al-Mohy & Higham, SIAM J. Matrix
Anal. Appl. 30 (2009) 1639, theorem 2.1). Backward it is an integral over the path, read where the matrix
stores an entry; its integrand is entire, and Gauss and Legendre's rule on pieces that the norm of the
matrix makes short has no error but rounding. Nothing is dense; the time grows with the norm.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse
from scipy.sparse import linalg

from ....core import Array, UnsupportedArgument, frule, non_differentiable, rrule
from ....tangents import ZERO
from ...written import written_out
from .entries import Sparse, as_sparse, entries, places

NODES = 12


def check_one_time(A: Any, options: dict[str, Any]) -> None:
    """Refuse several times, and a matrix that is not square."""
    for name, value in options.items():
        if value is not None and name != "traceA":
            raise UnsupportedArgument(
                linalg.expm_multiply,
                name,
                value,
                supported=[None],
                next="call it for each t, with t * A",
            )
    if A.shape[0] != A.shape[1]:
        raise UnsupportedArgument(linalg.expm_multiply, "A", A, supported=["a square matrix"])


def check_power(power: Any) -> None:
    """Refuse what is no whole number, and zero."""
    if power != int(power) or power < 1:
        raise UnsupportedArgument(linalg.matrix_power, "power", power, supported=["1, 2, 3, …"])


def path(values: Any, at: Any, n: int) -> tuple[Any, Any]:
    """The steps from node to node of the integral from 0 to 1, the last one to 1, and the nodes' weights."""
    norm = float(np.max(np.bincount(at[1], np.abs(values), n), initial=0.0))
    pieces = max(1, int(np.ceil(norm / 2)))
    x, w = np.polynomial.legendre.leggauss(NODES)
    nodes = ((np.arange(pieces)[:, None] + (x + 1) / 2) / pieces).ravel()
    steps, weights = np.diff(nodes, prepend=0.0, append=1.0), np.tile(w / (2 * pieces), pieces)
    dtype = np.real(values[:0]).dtype
    return steps.astype(dtype), weights.astype(dtype)


non_differentiable(check_one_time, check_power, why="checks an argument")
non_differentiable(path, why="has to do with how the integral is found, not with its value")


def moved(values: Any, b: Any, at: Any) -> Any:
    """e^a b for the matrix a that stores these values at these places."""
    n = len(b)
    return linalg.expm_multiply(sparse.csr_array((values, at), shape=(n, n)), b)


def twice(values: Any, dv: Any, at: Any, n: int) -> tuple[Any, Any]:
    """The matrix with a on its diagonal and ȧ above: its values and places."""
    row, column = at
    rows, columns = np.concatenate([row, row, row + n]), np.concatenate([column, column + n, column + n])
    return np.concatenate([values, dv, values]), (rows, columns)


@frule(moved)
def moved_frule(tangents, values, b, at):
    """y = eᵃ b        (ẏ, y) = exp([a ȧ; 0 a]) (ḃ, b)"""
    dv, db, _ = tangents
    y = moved(values, b, at)
    if dv is ZERO:
        return y, moved(values, db, at)
    n = len(b)
    both, there = twice(values, dv, at, n)
    start = np.zeros_like(b) if db is ZERO else db
    return y, moved(both, np.concatenate([start, b]), there)[:n]


@rrule(moved)
def moved_rrule(values, b, at, *, needs):
    """y = eᵃ b        b̄ = e^(aᴴ) ȳ        ā = ∫₀¹ (e^(s aᴴ) ȳ) (e^((1−s) a) b)ᴴ ds where a stores"""
    row, column = at

    def moved_pullback(y_bar):
        across = np.conj(values)
        if not needs[0]:
            return ZERO, moved(across, y_bar, (column, row)), ZERO
        steps, weights = path(values, at, len(b))
        forth, back = [], []
        u, v = b, y_bar
        for k in range(len(weights)):
            u = moved(values * steps[k], u, at)
            v = moved(across * steps[k], v, (column, row))
            forth.append(u)
            back.append(v)
        v_bar = 0.0
        for k in range(len(weights)):
            # the nodes lie alike about ½
            there = back[k][row] * np.conj(forth[len(weights) - 1 - k][column])
            v_bar = v_bar + weights[k] * (np.sum(there, axis=1) if np.ndim(b) == 2 else there)
        return v_bar, moved(across * steps[-1], v, (column, row)), ZERO

    return moved(values, b, at), moved_pullback


@written_out(linalg.expm_multiply)
def expm_multiply(
    A: Sparse | np.ndarray, B: Array, *, start=None, stop=None, num=None, endpoint=None, traceA=None
):
    """y = eᴬ B"""
    A = as_sparse(A)
    check_one_time(A, {"start": start, "stop": stop, "num": num, "endpoint": endpoint})
    at = places(A)
    return moved(entries(A, at), B, at)


@written_out(linalg.matrix_power)
def matrix_power(A: Sparse, *, power):
    """y = A A … A, of one factor or more"""
    check_power(power)
    y = A.copy()
    for _ in range(power - 1):
        y = y @ A
    return y


@written_out(sparse.kronsum)
def kronsum(A: Sparse, B: Sparse, *, format=None):
    """y = 1 ⊗ A + B ⊗ 1"""
    of_b, of_a = sparse.eye_array(B.shape[0]), sparse.eye_array(A.shape[0])
    kind = "csr" if format is None else format
    return (sparse.kron(of_b, A) + sparse.kron(B, of_a)).asformat(kind)
