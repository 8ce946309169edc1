"""Sparse linear systems, direct and iterative: the adjoint system is solved as the system itself was.

A direct solver factors once, for the value, both modes and all orders. An iterative solver solves the adjoint
system with the same tolerance, hence the derivative is the exact solution's up to that tolerance. The
cotangent of the matrix stands where it stores an entry, so nothing is dense. A preconditioner has no
influence, as the start has none: the adjoint system has its adjoint where that is known, and none otherwise.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from scipy import sparse
from scipy.sparse import linalg

from ....core import Array, NotDifferentiableError, UnsupportedArgument, frule, non_differentiable, rrule
from ....tangents import ZERO
from ...written import written_out
from .entries import Sparse, as_sparse, entries, places, product

SYMMETRIC = ("cg", "minres")
ITERATIVE = ("cg", "bicg", "bicgstab", "cgs", "gmres", "lgmres", "gcrotmk", "minres", "tfqmr")


class Direct:
    """A factorised matrix, in double precision."""

    def __init__(self, a: Any, **options: Any) -> None:
        self.dtype, self.real = a.dtype, a.dtype.kind != "c"
        self.filling: Any = None  # where its factors have entries, once somebody asks
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", sparse.SparseEfficiencyWarning)
                self.lu = linalg.splu(sparse.csc_array(a, dtype=float if self.real else complex), **options)
        except RuntimeError as error:
            raise NotDifferentiableError(
                f"a sparse system is not solved: {error}",
                next="check the matrix: a row or column may be zero",
            ) from error

    def solve(self, b: Any, adjoint: bool) -> Any:
        """The solution for a right-hand side."""
        b, trans = np.asarray(b), "H" if adjoint else "N"
        if self.real and b.dtype.kind == "c":
            return self.solve(b.real.copy(), adjoint) + 1j * self.solve(b.imag.copy(), adjoint)
        y = self.lu.solve(b.astype(float if self.real else complex), trans)
        return y.astype(np.result_type(self.dtype, b.dtype), copy=False)


class Iterative:
    """A matrix and the iteration that solves its systems."""

    def __init__(self, f: Any, a: Any, x0: Any, M: Any, options: dict[str, Any]) -> None:
        self.f, self.a, self.x0, self.M, self.options = f, a, x0, M, options

    def solve(self, b: Any, adjoint: bool) -> Any:
        """The solution for a right-hand side; refused where the iteration has not converged."""
        M = adjoint_preconditioner(self.f, self.M) if adjoint else self.M
        given = {"x0": None if adjoint else self.x0, **preconditioned(M), **self.options}
        a = self.a.conj().T if adjoint else self.a
        if np.ndim(b) == 2:
            return np.stack([self.solve(column, adjoint) for column in np.transpose(b)], axis=1)
        x, info = self.f(a, b, **given)
        check_converged(self.f, info)
        return x


def check_converged(f: Any, info: Any) -> None:
    """Refuse what an iteration gave that has not converged."""
    if info:
        raise NotDifferentiableError(
            f"{f.__name__} has not converged: info is {info}",
            closest="a solution within the tolerance, whose derivative the adjoint system gives",
            next="allow more iterations with maxiter=, or another tolerance with rtol=",
        )


def preconditioned(M: Any) -> dict[str, Any]:
    """How a solver is told of a preconditioner, if there is one."""
    return {} if M is None else {"M": M}


def adjoint_preconditioner(f: Any, M: Any) -> Any:
    """The adjoint of a preconditioner where it is known, M where f takes it for symmetric; else none."""
    if M is None or f.__name__ in SYMMETRIC:
        return M
    adjoint = linalg.aslinearoperator(M).H
    try:
        adjoint.matvec(np.zeros(adjoint.shape[1], adjoint.dtype))
    except (NotImplementedError, TypeError):  # made without rmatvec
        return None
    return adjoint


def check_system(f: Any, A: Any, b: Any) -> None:
    """Refuse a matrix on the right that is sparse, and a matrix of integers."""
    if A.dtype.kind not in "fc":
        raise UnsupportedArgument(f, "A", A, supported=["floating-point numbers"], next="A.astype(float)")
    if np.ndim(b) not in (1, 2):
        raise UnsupportedArgument(f, "b", b, supported=["a vector or a dense matrix"])


def check_triangle(A: Any, lower: Any, unit_diagonal: Any) -> None:
    """Refuse a diagonal that is not read, and a matrix that is no triangle."""
    f = linalg.spsolve_triangular
    check_system(f, A, np.zeros(1))
    if unit_diagonal:
        raise UnsupportedArgument(f, "unit_diagonal", unit_diagonal, next="store the ones in A")
    row, column = places(A)
    if np.any(row < column if lower else row > column):
        raise UnsupportedArgument(f, "A", A, supported=["a triangular matrix"], next="take sparse.tril(A)")


non_differentiable(check_system, check_triangle, check_converged, why="checks an argument")
non_differentiable(
    Direct,
    Iterative,
    preconditioned,
    adjoint_preconditioner,
    why="is a solver of what is given, whose derivative `solved` has",
)


def solved(values: Any, b: Any, at: Any, solver: Any, *, adjoint: bool) -> Any:
    """The solution of a y = b, or of aᴴ y = b, for the matrix a that stores these values at these places."""
    return solver.solve(b, adjoint)


@frule(solved)
def solved_frule(tangents, values, b, at, solver, *, adjoint):
    """a y = b        a ẏ = ḃ − ȧ y"""
    dv, db, _, _ = tangents
    y = solved(values, b, at, solver, adjoint=adjoint)
    n = y.shape[0]
    if dv is not ZERO:
        turned = (at[1], at[0]) if adjoint else at
        db = db - product(np.conj(dv) if adjoint else dv, y, turned, shape=(n, n))
    return y, solved(values, db, at, solver, adjoint=adjoint)


@rrule(solved)
def solved_rrule(values, b, at, solver, *, adjoint, needs):
    """a y = b        b̄ = a⁻ᴴ ȳ        ā = −b̄ yᴴ, where a stores an entry; of aᴴ y = b it is −y b̄ᴴ"""
    y = solved(values, b, at, solver, adjoint=adjoint)

    def solved_pullback(y_bar):
        b_bar = solved(values, y_bar, at, solver, adjoint=not adjoint)
        v_bar = ZERO
        if needs[0]:
            left, right = (y, b_bar) if adjoint else (b_bar, y)
            v_bar = -left[at[0]] * np.conj(right[at[1]])
            v_bar = np.sum(v_bar, axis=1) if np.ndim(y) == 2 else v_bar
        return v_bar, b_bar, ZERO, ZERO

    return y, solved_pullback


@written_out(linalg.spsolve)
def spsolve(A: Sparse | np.ndarray, b: Array, *, permc_spec=None, use_umfpack=True):
    """A y = b, by one factorisation"""
    A = as_sparse(A)
    check_system(linalg.spsolve, A, b)
    at = places(A)
    solver = Direct(A, permc_spec=permc_spec)
    one = np.ravel(b) if np.shape(b)[1:] == (1,) else b
    return solved(entries(A, at), one, at, solver, adjoint=False)


@written_out(linalg.spsolve_triangular)
def spsolve_triangular(
    A: Sparse, b: Array, *, lower=True, overwrite_A=False, overwrite_b=False, unit_diagonal=False
):
    """A y = b for a triangular A"""
    check_triangle(A, lower, unit_diagonal)
    at = places(A)
    solver = Direct(A, permc_spec="NATURAL", diag_pivot_thresh=0.0)
    return solved(entries(A, at), b, at, solver, adjoint=False)


def _register(f: Any) -> None:
    @written_out(f)
    def iterated(A: Sparse, b: Array, x0: object = None, M: object = None, *, callback=None, **options):
        """A y = b, by an iteration that has converged; where it starts has no influence"""
        check_system(f, A, b)
        at = places(A)
        solver = Iterative(f, A, x0, M, options)
        return solved(entries(A, at), b, at, solver, adjoint=False), 0


for _name in ITERATIVE:
    _register(getattr(linalg, _name))
