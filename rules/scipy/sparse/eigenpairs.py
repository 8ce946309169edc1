"""A few eigenpairs of a symmetric sparse matrix, and a few singular triplets of a sparse matrix.

A pair (v, λ) is where A v = λ v and vᵀv = 1; that system, bordered, says how both move, so a sparse
factorisation for each pair is all that is needed, and none of the pairs that were not asked for
[Peters & Wilkinson 1979]. The matrix counts as symmetric: only its symmetric part moves anything. Where an
eigenvalue is not simple, as far as rounding tells, the bordered system is singular, and is refused; so is a
pair that has not converged. The sign of a vector is the iteration's, and kept.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse
from scipy.sparse import linalg

from ....core import Array, NotDifferentiableError, UnsupportedArgument, implicit, non_differentiable
from ...written import own, written_out
from .entries import Sparse, as_sparse

SINGULAR = 1e-12
"""A bordered system counts as singular below this reciprocal condition."""

CONVERGED = 1e-6
"""How far A v may be from λ v, as a share of ‖A‖."""


class Bordered:
    """The factorised system [[A − λ, −v], [vᵀ, 0]] of a simple eigenpair, or its transpose."""

    def __init__(self, f: Any, a: Any, value: Any, vector: Any) -> None:
        a = sparse.csc_array(a)
        n, column = len(vector), vector[:, None]
        size = linalg.norm(a, 1)
        if np.linalg.norm(a @ vector - value * vector) > CONVERGED * size:
            raise NotDifferentiableError(
                f"{f.__name__} has not converged to an eigenpair, at the value {value:.6g}",
                next="ask for a smaller tol=, or allow more iterations with maxiter=",
            )
        shifted = a - value * sparse.eye_array(n, format="csc")
        self.factorise(sparse.block_array([[shifted, -column], [column.T, None]], format="csc"), value)

    def factorise(self, matrix: Any, value: Any) -> None:
        """Keep the factors of the bordered matrix; refused where it is singular."""
        self.matrix = matrix
        try:
            self.lu = linalg.splu(self.matrix)
            inverse = linalg.LinearOperator(
                matrix.shape, matvec=self.lu.solve, rmatvec=lambda b: self.lu.solve(b, "T"), dtype=float
            )
            norms = linalg.norm(self.matrix, 1) * linalg.onenormest(inverse, t=1)
        except RuntimeError:  # exactly singular
            norms = np.inf
        if not norms * SINGULAR < 1:
            raise NotDifferentiableError(
                f"the eigenvalue {value:.6g} is not simple, as far as rounding tells",
                closest="derivatives of simple eigenvalues and of their vectors",
                next="ask for pairs whose values are apart, or move the matrix away from its symmetry",
            )
        self.trans = "N"

    @property
    def adjoint(self) -> Any:
        """The solver for the transpose."""
        turned = object.__new__(Bordered)
        turned.matrix, turned.lu = self.matrix, self.lu
        turned.trans = "T" if self.trans == "N" else "N"
        return turned

    def __call__(self, product: Any, b: Any) -> Any:
        return self.lu.solve(np.asarray(b, float), self.trans)


def check_matrix(f: Any, a: Any, **refused: Any) -> None:
    """Refuse complex matrices and integers, and options that state another problem."""
    if a.dtype.kind != "f":
        raise UnsupportedArgument(f, "A", a, supported=["real floating-point numbers"])
    for name, value in refused.items():
        if value is not None:
            raise UnsupportedArgument(f, name, value, supported=[None])


def check_vectors(f: Any, asked: Any) -> None:
    """Refuse the vectors of one side alone."""
    if asked not in (True, False):
        raise UnsupportedArgument(f, "return_singular_vectors", asked, supported=[True, False])


def order_of(alone: Any, values: Any) -> Any:
    """Where each of the values that came alone stands among those that came with vectors."""
    order: Any = np.empty(len(values), int)
    order[np.argsort(alone)] = np.argsort(values)
    return order


non_differentiable(check_matrix, check_vectors, why="checks an argument")
non_differentiable(Bordered, order_of, why="is a solver, or an order")


def unsolved(y: Any, a: Any) -> Any:
    """A v − λ v and (vᵀv − 1)/2, of the vector (v, λ)."""
    v, value = y[:-1], y[-1]
    return np.concatenate((a @ v - value * v, np.reshape((v @ v - 1.0) / 2.0, (1,))))


def pairs(f: Any, a: Any, values: Any, vectors: Any) -> Any:
    """The eigenpairs that f found of a symmetric a, with derivatives: a row for each, its value last."""
    found = []
    for k in range(len(values)):
        y = np.concatenate((vectors[:, k], values[k : k + 1]))
        solver = Bordered(f, a, values[k], vectors[:, k])
        found.append(implicit.root(unsolved, y, a, solver=solver))
    return np.stack(found)


@written_out(linalg.eigsh)
def eigsh(
    A: Sparse | np.ndarray,
    *,
    k=6,
    M=None,
    sigma=None,
    which="LM",
    return_eigenvectors=True,
    Minv=None,
    OPinv=None,
    **options,
):
    """A v = λ v, vᵀv = 1        (A − λ) v̇ − λ̇ v = −Ȧ v, vᵀv̇ = 0"""
    check_matrix(linalg.eigsh, A, M=M, Minv=Minv, OPinv=OPinv)
    options = {"k": k, "sigma": sigma, "which": which, **options}
    values, vectors = own(linalg.eigsh, A, **options)
    a = as_sparse(A)
    found = pairs(linalg.eigsh, (a + a.transpose(copy=True)) * 0.5, values, vectors)
    if return_eigenvectors:
        return found[:, -1], np.transpose(found[:, :-1])
    alone = own(linalg.eigsh, A, return_eigenvectors=False, **options)
    return found[:, -1][order_of(alone, values)]


@written_out(linalg.lobpcg)
def lobpcg(A: Sparse | np.ndarray, X: Array, *, B=None, M=None, Y=None, **options):
    """A v = λ v, vᵀv = 1, at an end of the spectrum; where the iteration starts has no influence"""
    check_matrix(linalg.lobpcg, A, B=B, Y=Y)
    values, vectors = own(linalg.lobpcg, A, X, M=M, **options)
    a = as_sparse(A)
    found = pairs(linalg.lobpcg, (a + a.transpose(copy=True)) * 0.5, values, vectors)
    return found[:, -1], np.transpose(found[:, :-1])


@written_out(linalg.svds)
def svds(A: Sparse | np.ndarray, *, k=6, return_singular_vectors=True, **options):
    """A v = σ u, Aᵀu = σ v        (u, v)/√2 is an eigenvector of [[0, A], [Aᵀ, 0]], to the value σ"""
    check_matrix(linalg.svds, A)
    check_vectors(linalg.svds, return_singular_vectors)
    u, values, vt = own(linalg.svds, A, k=k, **options)
    a = as_sparse(A)
    both = sparse.block_array([[None, a], [a.transpose(copy=True), None]], format="csr")
    m, vectors = A.shape[0], np.concatenate((u, vt.T)) / np.sqrt(2.0)
    found = pairs(linalg.svds, both, values, vectors)
    if not return_singular_vectors:
        alone = own(linalg.svds, A, k=k, return_singular_vectors=False, **options)
        return found[:, -1][order_of(alone, values)]
    return (
        np.transpose(found[:, :m]) * np.sqrt(2.0), found[:, -1], found[:, m:-1] * np.sqrt(2.0)
    )  # fmt: skip
