"""A few eigenpairs of a matrix that is not symmetric: against a dense solver and differences; refusals."""

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.sparse import linalg

import chainrules as cr
from chainrules import NotDifferentiableError, UnsupportedArgument
from chainrules.testing import exempt

N = 9
RNG = np.random.default_rng(0)
A = sp.csr_array(sp.random_array((N, N), density=0.4, rng=RNG) + sp.diags_array(np.arange(1.0, N + 1.0)))
A.data += RNG.normal(size=A.nnz) * 0.5
START = np.cos(np.arange(N)) + 1.5
W = np.sin(np.arange(N) + 1.0)
EXEMPT = [exempt(linalg.eigs, why="chooses phases as it iterates; there are programs below")]


def matrix(data: Any) -> Any:
    return sp.csr_array((data, A.indices, A.indptr), shape=A.shape)


def of_pairs(values: Any, vectors: Any) -> Any:
    """A loss that does not depend on the phases."""
    return np.sum(np.abs(values) ** 3) + np.sum(np.abs(W @ vectors) ** 2) + np.sum(np.real(values))


def few(data: Any, **options: Any) -> Any:
    return of_pairs(*linalg.eigs(matrix(data), k=4, v0=START, **options))


def dense(data: Any) -> Any:
    values, vectors = np.linalg.eig(matrix(data).toarray())
    order = np.argsort(np.abs(values - 3.0))[:4]
    return of_pairs(values[order], vectors[:, order])


def test_pairs_are_those_of_a_dense_solver() -> None:
    """Two complex pairs beside the shift, with their conjugates."""
    values, _ = linalg.eigs(A, k=4, v0=START, sigma=3.0)
    assert np.max(np.abs(values.imag)) > 0.1
    got = cr.grad(lambda data: few(data, sigma=3.0))(A.data)
    np.testing.assert_allclose(got, cr.grad(dense)(A.data), rtol=1e-9, atol=1e-11)


def test_both_modes_and_second_order() -> None:
    """As of the dense solver, whose rules are checked against differences."""
    move = np.cos(np.arange(A.nnz))
    f = lambda data: few(data, sigma=3.0)  # noqa: E731
    np.testing.assert_allclose(cr.jvp(f, (A.data,), (move,)), cr.jvp(dense, (A.data,), (move,)), rtol=1e-9)
    got, want = (cr.hvp(g, A.data, move) for g in (f, dense))
    np.testing.assert_allclose(got, want, rtol=1e-7, atol=1e-9)


def test_values_alone() -> None:
    weights = np.arange(1.0, 5.0)

    def f(data: Any) -> Any:
        values = linalg.eigs(matrix(data), k=4, v0=START, sigma=3.0, return_eigenvectors=False)
        return np.sum(np.abs(values) ** 2 * weights)

    alone = linalg.eigs(A, k=4, v0=START, sigma=3.0, return_eigenvectors=False)

    def by_hand(data: Any) -> Any:
        values = np.linalg.eigvals(matrix(data).toarray())
        nearest = np.argmin(np.abs(values[:, None] - alone), axis=0)
        return np.sum(np.abs(values[nearest]) ** 2 * weights)

    np.testing.assert_allclose(cr.grad(f)(A.data), cr.grad(by_hand)(A.data), rtol=1e-9, atol=1e-11)


def test_the_pattern_is_kept() -> None:
    a_bar = cr.grad(lambda a: np.real(np.sum(linalg.eigs(a, k=2, v0=START)[0])))(A)
    assert sp.issparse(a_bar)
    assert a_bar.nnz == A.nnz


def test_many_unknowns() -> None:
    """Nothing of n² numbers: 10,000 unknowns of a triangle, whose values are its diagonal."""
    n = 10_000
    a = sp.diags_array([np.linspace(1.0, 3.0, n) ** 4, np.full(n - 1, 0.3)], offsets=[0, 1], format="csr")
    values, _ = linalg.eigs(a, k=1, v0=np.ones(n))
    assert np.isclose(values[0], 81.0)
    a_bar = cr.grad(lambda a: np.real(linalg.eigs(a, k=1, v0=np.ones(n))[0][0]))(a)
    np.testing.assert_allclose(
        a_bar.diagonal()[-1], 1.0, rtol=1e-6
    )  # of a triangle the values are the diagonal
    assert np.max(np.abs(a_bar.diagonal()[:-1])) < 1e-6


def test_what_is_refused() -> None:
    def total(a: Any, **options: Any) -> Any:
        return np.real(np.sum(linalg.eigs(a, k=2, v0=START, **options)[0]))

    with pytest.raises(NotDifferentiableError, match="not simple"):
        cr.grad(total)(sp.csr_array(np.eye(N)))
    with pytest.raises(UnsupportedArgument, match="M="):
        cr.grad(lambda a: total(a, M=sp.eye_array(N, format="csr")))(A)
    with pytest.raises(UnsupportedArgument, match="A="):
        cr.grad(lambda a: total(a * 1j))(A)
